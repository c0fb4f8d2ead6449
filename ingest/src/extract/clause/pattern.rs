//! The table: which verb with which words says which predicate, and in what way.

use std::sync::LazyLock;

use super::known::ByWord;
use super::tail::Tail;

/// In what way a pattern speaks of its predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It holds: "live in".
    State,
    /// It begins: "moved to".
    Change,
    /// It ends: "left".
    End,
    /// It happens: "visited".
    Event,
    /// It happens, and is happening while one speaks of it: "I'm reading Dune".
    Underway,
    /// It holds where the present speaks of it; in the past it was done, which need not be more than once: "play".
    Practice,
    /// It is so for life: "I grew up in Ghent".
    Lifelong,
}

/// What must follow the words of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// An organisation.
    Org,
    /// What one leaves: an organisation, or a place where it is known to be one.
    Left,
    /// An organisation that by its name is a school.
    School,
    /// A place.
    Place,
    /// A place or, known as such, a technology: "we moved to Postgres".
    Destination,
    /// A person.
    Person,
    /// A kind of thing or an activity.
    Liking,
    /// A thing one buys or has: "a bike".
    Owned,
    /// A thing one had: "my bike".
    Owning,
    /// An animal, perhaps with its name: "a dog named Rex".
    Pet,
    /// An occupation, perhaps with the employer: "a nurse at Mercy Hospital".
    Role,
    /// A technology, perhaps with its purpose: "Redis for caching".
    Technology,
    /// A technology that was decided on.
    Decision,
    /// A project, team or service.
    Project,
    /// A full date.
    Date,
    /// A thing that one bought.
    Bought,
    /// A thing known to be one that people keep, got by the speaker: "a camera", "this camera".
    Got,
    /// The same, had by the speaker: "a camera".
    Kept,
    /// A thing that one made.
    Made,
    /// An event that one attends.
    Happening,
    /// What one won, passed or finished.
    Achievement,
    /// What one went out for.
    Outing,
    /// A kind of place.
    PlaceKind,
    /// A well-known place.
    KnownPlace,
    /// An employer by its kind.
    Workplace,
    /// What one likes to do, from its verb on.
    LikingTo,
    /// An event that one gives.
    Staged,
    /// What one collects.
    Collecting,
    /// What people do for its own sake.
    Pastime,
    /// Where one volunteers, from its preposition on.
    Volunteering,
    /// A habit that people drop.
    Habit,
    /// A subject of study.
    Topic,
    /// Lessons in a subject of study.
    Lesson,
    /// A work by its title.
    Title,
    /// A club by its kind, or an organisation by its name.
    Club,
    /// A business by its kind.
    Venture,
    /// A person, known to be one.
    KnownPerson,
    /// What one prefers, perhaps to something else.
    Preference,
    /// An age in years.
    Age,
    /// How many relatives or animals.
    Counted,
    /// A condition of health.
    Condition,
    /// What one is allergic to.
    Allergy,
    /// Languages.
    Language,
    /// How one eats.
    Diet,
    /// Whether one is with somebody.
    Status,
    /// Nothing: whatever held is meant.
    Whatever,
}

/// Who can be the subject of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The speaker or a person.
    Person,
    /// The speaker only.
    Speaker,
    /// A project, team or service.
    Project,
}

/// A line of the table.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The verb.
    pub(super) lemma: &'static str,
    /// The words after it, as [`Tail::of`] reads them.
    pub(super) tail: &'static str,
    /// What follows.
    pub(super) slot: Slot,
    /// What it says.
    pub(super) says: &'static [(&'static str, Class)],
    /// Of whom.
    pub(super) who: Who,
    /// The rule's name and version.
    pub(super) rule: &'static str,
}

const fn of(
    who: Who,
    rule: &'static str,
    lemma: &'static str,
    tail: &'static str,
    slot: Slot,
    says: &'static [(&'static str, Class)],
) -> Pattern {
    Pattern { lemma, tail, slot, says, who, rule }
}

/// Every pattern. Of those with the same verb the first that fits counts, so the longer ones stand first.
#[rustfmt::skip]
const PATTERNS: &[Pattern] = &[
    of(Who::Person, "clause.works_at/1", "work", "at|for", Slot::Org, &[("works_at", Class::State)]),
    of(Who::Person, "clause.works_at/1", "be", "employed at|by", Slot::Org, &[("works_at", Class::State)]),
    of(Who::Person, "clause.works_at/1", "work", "at|for|in", Slot::Workplace, &[("works_at", Class::State)]),
    of(Who::Person, "clause.works_at/1", "start", "working at|for|in", Slot::Workplace, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "get", "a new? job at|in", Slot::Workplace, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "join", "", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "start", "working at|for", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "begin", "working at|for", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "start", "a? new? job|role|position at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "start", "my|his|her? new? job at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.studies_at/1", "start", "at", Slot::School, &[("studies_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "start", "at", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "get", "a new? job at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "land", "a new? job at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "start", "a new? job at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "take", "a new? job at|with", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "get", "hired at|by", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "be", "hired at|by", Slot::Org, &[("works_at", Class::Change)]),
    of(Who::Person, "clause.works_at/1", "leave", "my|his|her job|position|role at|with", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "quit", "my|his|her job|position|role at|with", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "stop", "working at|for", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "quit", "working at|for", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "leave", "", Slot::Left, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "quit", "", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "resign", "from", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "fired from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "fired from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "laid off from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "laid off from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "let go from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "let go from|by", Slot::Org, &[("works_at", Class::End)]),
    of(Who::Person, "clause.retired/1", "retire", "from", Slot::Org, &[("retired", Class::Event), ("works_at", Class::End)]),
    of(Who::Person, "clause.role/1", "work", "as", Slot::Role, &[("role", Class::State)]),
    of(Who::Person, "clause.role/1", "be", "a|an|the", Slot::Role, &[("role", Class::State)]),
    of(Who::Person, "clause.role/1", "become", "a|an|the?", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "be", "promoted to", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "get", "promoted to", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "step", "down as", Slot::Role, &[("role", Class::End)]),
    of(Who::Person, "clause.lives_in/1", "live", "in", Slot::Place, &[("lives_in", Class::State)]),
    of(Who::Person, "clause.lives_in/1", "reside", "in", Slot::Place, &[("lives_in", Class::State)]),
    of(Who::Person, "clause.lives_in/1", "be", "living|based in", Slot::Place, &[("lives_in", Class::State)]),
    of(Who::Person, "clause.lives_in/1", "move", "out of", Slot::Place, &[("lives_in", Class::End)]),
    of(Who::Person, "clause.lives_in/1", "move", "away from", Slot::Place, &[("lives_in", Class::End)]),
    of(Who::Person, "clause.lives_in/1", "move", "from @ to", Slot::Place, &[("lives_in", Class::Change)]),
    of(Who::Person, "clause.lives_in/1", "relocate", "from @ to", Slot::Place, &[("lives_in", Class::Change)]),
    of(Who::Person, "clause.lives_in/1", "move", "to", Slot::Destination, &[("lives_in", Class::Change)]),
    of(Who::Person, "clause.lives_in/1", "relocate", "to", Slot::Place, &[("lives_in", Class::Change)]),
    of(Who::Person, "clause.lives_in/1", "settle", "in", Slot::Place, &[("lives_in", Class::Change)]),
    of(Who::Person, "clause.lives_in/1", "move", "from", Slot::Place, &[("lives_in", Class::End)]),
    of(Who::Person, "clause.lives_in/1", "stop", "living in", Slot::Place, &[("lives_in", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "start", "studying at", Slot::Org, &[("studies_at", Class::Change)]),
    of(Who::Person, "clause.studies_at/1", "study", "at", Slot::Org, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "study", "_ at", Slot::Org, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "be", "a|an _? student at", Slot::Org, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "be", "enrolled at|in", Slot::School, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "attend", "", Slot::School, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "go", "to", Slot::School, &[("studies_at", Class::State)]),
    of(Who::Person, "clause.studies_at/1", "enroll", "at|in", Slot::School, &[("studies_at", Class::Change)]),
    of(Who::Person, "clause.studies_at/1", "enrol", "at|in", Slot::School, &[("studies_at", Class::Change)]),
    of(Who::Person, "clause.studies_at/1", "graduate", "from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "drop", "out of", Slot::Org, &[("studies_at", Class::End)]),
    of(Who::Person, "clause.spouse/1", "be", "married to", Slot::Person, &[("spouse", Class::State)]),
    of(Who::Person, "clause.spouse/1", "get", "married to", Slot::Person, &[("spouse", Class::Change)]),
    of(Who::Person, "clause.spouse/1", "marry", "", Slot::Person, &[("spouse", Class::Change)]),
    of(Who::Person, "clause.spouse/1", "get", "divorced from", Slot::Person, &[("spouse", Class::End)]),
    of(Who::Person, "clause.spouse/1", "be", "divorced from", Slot::Person, &[("spouse", Class::End)]),
    of(Who::Person, "clause.spouse/1", "divorce", "", Slot::Person, &[("spouse", Class::End)]),
    of(Who::Person, "clause.partner/1", "start", "dating", Slot::Person, &[("partner", Class::Change)]),
    of(Who::Person, "clause.partner/1", "be", "in a relationship with", Slot::Person, &[("partner", Class::State)]),
    of(Who::Person, "clause.partner/1", "be", "together with", Slot::Person, &[("partner", Class::State)]),
    of(Who::Person, "clause.partner/1", "date", "", Slot::Person, &[("partner", Class::State)]),
    of(Who::Person, "clause.partner/1", "break", "up with", Slot::Person, &[("partner", Class::End)]),
    of(Who::Person, "clause.partner/1", "split", "up with", Slot::Person, &[("partner", Class::End)]),
    of(Who::Person, "clause.engaged_to/1", "get", "engaged to", Slot::Person, &[("engaged_to", Class::Change)]),
    of(Who::Person, "clause.engaged_to/1", "be", "engaged to", Slot::Person, &[("engaged_to", Class::State)]),
    of(Who::Person, "clause.has_pet/1", "have", "a|an", Slot::Pet, &[("has_pet", Class::State)]),
    of(Who::Person, "clause.has_pet/1", "own", "a|an", Slot::Pet, &[("has_pet", Class::State)]),
    of(Who::Person, "clause.has_pet/1", "adopt", "a|an", Slot::Pet, &[("acquired", Class::Event), ("has_pet", Class::Change)]),
    of(Who::Person, "clause.has_pet/1", "buy", "a|an", Slot::Pet, &[("acquired", Class::Event), ("has_pet", Class::Change)]),
    of(Who::Person, "clause.has_pet/1", "get", "a|an", Slot::Pet, &[("acquired", Class::Event), ("has_pet", Class::Change)]),
    of(Who::Person, "clause.owns/1", "own", "", Slot::Owned, &[("owns", Class::State)]),
    of(Who::Person, "clause.owns/1", "buy", "myself?", Slot::Bought, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "purchase", "myself?", Slot::Bought, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "donate", "", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.owns/1", "sell", "", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.owns/1", "get", "rid of", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.owns/1", "give", "away", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.likes/1", "stop", "liking", Slot::Liking, &[("likes", Class::End)]),
    of(Who::Person, "clause.likes/1", "like", "to", Slot::LikingTo, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "like", "", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "love", "to", Slot::LikingTo, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "love", "", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "enjoy", "", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "adore", "", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "a big|huge|massive? fan of", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "fond of", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "into", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.dislikes/1", "hate", "", Slot::Liking, &[("dislikes", Class::State)]),
    of(Who::Person, "clause.dislikes/1", "dislike", "", Slot::Liking, &[("dislikes", Class::State)]),
    of(Who::Person, "clause.dislikes/1", "detest", "", Slot::Liking, &[("dislikes", Class::State)]),
    of(Who::Person, "clause.dislikes/1", "cannot stand", "", Slot::Liking, &[("dislikes", Class::State)]),
    of(Who::Person, "clause.visited/1", "visit", "", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "go", "on a|my|our _? trip to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "take", "a|my|our _? trip to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "go", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "travel", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "fly", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "be", "to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.born_on/1", "be", "born", Slot::Date, &[("born_on", Class::State)]),
    of(Who::Person, "clause.from_place/1", "be", "from", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.from_place/1", "be", "originally from", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.from_place/1", "come", "from", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.from_place/1", "come", "originally from", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.from_place/1", "be", "raised in", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.from_place/1", "grow", "up in", Slot::Place, &[("from_place", Class::Lifelong)]),
    of(Who::Person, "clause.works_at/1", "lose", "my|his|her job", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "fired", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "laid off", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "be", "let go", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "fired", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "laid off", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "get", "let go", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "quit", "my|his|her day? job", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.works_at/1", "leave", "my|his|her old? job", Slot::Whatever, &[("works_at", Class::End)]),
    of(Who::Person, "clause.role/1", "get", "a new? job|position as", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "start", "a new? job|position as", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "land", "a new? job|position as", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.role/1", "take", "a new? job|position as", Slot::Role, &[("role", Class::Change)]),
    of(Who::Person, "clause.founded/1", "establish", "", Slot::Org, &[("founded", Class::Event)]),
    of(Who::Person, "clause.founded/1", "start", "", Slot::Venture, &[("founded", Class::Event)]),
    of(Who::Person, "clause.founded/1", "start", "", Slot::Venture, &[("founded", Class::Event)]),
    of(Who::Person, "clause.founded/1", "launch", "", Slot::Venture, &[("founded", Class::Event)]),
    of(Who::Person, "clause.founded/1", "open", "", Slot::Venture, &[("founded", Class::Event)]),
    of(Who::Person, "clause.studies/1", "start", "taking", Slot::Lesson, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "take", "", Slot::Lesson, &[("studies", Class::Practice)]),
    of(Who::Person, "clause.studies/1", "sign", "up for", Slot::Lesson, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "study", "", Slot::Topic, &[("studies", Class::Practice)]),
    of(Who::Person, "clause.studies/1", "major", "in", Slot::Topic, &[("studies", Class::State)]),
    of(Who::Person, "clause.studies/1", "learn", "how? to play", Slot::Topic, &[("studies", Class::Practice)]),
    of(Who::Person, "clause.studies/1", "start", "learning how? to play", Slot::Topic, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "enroll", "in", Slot::Lesson, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "enrol", "in", Slot::Lesson, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "sign", "up for", Slot::Lesson, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies/1", "learn", "", Slot::Topic, &[("studies", Class::Practice)]),
    of(Who::Person, "clause.studies/1", "start", "learning|studying", Slot::Topic, &[("studies", Class::Change)]),
    of(Who::Person, "clause.studies_at/1", "complete", "my|a|an _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "finish", "my|a|an _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "get", "my|a|an _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "earn", "my|a|an _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "receive", "my|a|an _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "complete", "my|a|an _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "complete", "my|a|an _ from", Slot::School, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "finish", "my|a|an _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "finish", "my|a|an _ from", Slot::School, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "get", "my|a|an _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "get", "my|a|an _ from", Slot::School, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "earn", "my|a|an _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "earn", "my|a|an _ from", Slot::School, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "receive", "my|a|an _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "receive", "my|a|an _ from", Slot::School, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "graduate", "with a|an|my _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "graduate", "with a|an|my _ in _ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Person, "clause.studies_at/1", "graduate", "with a|an|my _ in @ from", Slot::Org, &[("graduated", Class::Event), ("studies_at", Class::End)]),
    of(Who::Speaker, "clause.met/1", "meet", "up? with?", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "run", "into", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "bump", "into", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "catch", "up with", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "have", "dinner|lunch|breakfast|brunch|coffee|drinks with", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "have", "a conversation|chat with someone|somebody named|called", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Speaker, "clause.met/1", "meet", "someone|somebody named|called", Slot::KnownPerson, &[("met", Class::Event)]),
    of(Who::Person, "clause.knows/1", "be", "good|best|close|old? friends with", Slot::KnownPerson, &[("knows", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "passionate about", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "obsessed with", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "hooked on", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "keen on", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "crazy about", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.likes/1", "be", "a fan of", Slot::Liking, &[("likes", Class::State)]),
    of(Who::Person, "clause.prefers/1", "prefer", "", Slot::Preference, &[("prefers", Class::State)]),
    of(Who::Person, "clause.has_hobby/1", "play", "", Slot::Pastime, &[("has_hobby", Class::Practice)]),
    of(Who::Person, "clause.has_hobby/1", "practice", "", Slot::Pastime, &[("has_hobby", Class::Practice)]),
    of(Who::Person, "clause.has_hobby/1", "practise", "", Slot::Pastime, &[("has_hobby", Class::Practice)]),
    of(Who::Person, "clause.has_hobby/1", "do", "", Slot::Pastime, &[("has_hobby", Class::Practice)]),
    of(Who::Person, "clause.has_hobby/1", "start", "playing|doing|practicing|practising", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "begin", "playing|doing|practicing|practising", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "start", "", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "take", "up", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "get", "into", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "begin", "", Slot::Pastime, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "stop", "playing|doing|practicing|practising", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "quit", "playing|doing|practicing|practising", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "give", "up playing|doing", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "give", "up", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "quit", "", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "stop", "", Slot::Pastime, &[("has_hobby", Class::End)]),
    of(Who::Person, "clause.has_hobby/1", "collect", "", Slot::Collecting, &[("has_hobby", Class::Practice)]),
    of(Who::Person, "clause.has_hobby/1", "start", "collecting", Slot::Collecting, &[("has_hobby", Class::Change)]),
    of(Who::Person, "clause.has_hobby/1", "be", "getting into", Slot::Pastime, &[("has_hobby", Class::State)]),
    of(Who::Person, "clause.tried/1", "try", "out?", Slot::Pastime, &[("tried", Class::Event)]),
    of(Who::Person, "clause.habit/1", "quit", "", Slot::Habit, &[("habit", Class::End)]),
    of(Who::Person, "clause.habit/1", "stop", "", Slot::Habit, &[("habit", Class::End)]),
    of(Who::Person, "clause.habit/1", "give", "up", Slot::Habit, &[("habit", Class::End)]),
    of(Who::Person, "clause.volunteers/1", "help", "out", Slot::Volunteering, &[("helped", Class::Event), ("habit", Class::Practice)]),
    of(Who::Person, "clause.volunteers/1", "volunteer", "", Slot::Volunteering, &[("helped", Class::Event), ("habit", Class::Practice)]),
    of(Who::Person, "clause.volunteers/1", "start", "volunteering", Slot::Volunteering, &[("habit", Class::Change)]),
    of(Who::Person, "clause.acquired/1", "get", "him|her|them", Slot::Got, &[("acquired", Class::Event)]),
    of(Who::Person, "clause.acquired/1", "buy", "him|her|them", Slot::Bought, &[("acquired", Class::Event)]),
    of(Who::Person, "clause.owns/1", "get", "myself?", Slot::Got, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "receive", "myself?", Slot::Got, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "inherit", "myself?", Slot::Got, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "pick", "up", Slot::Got, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.has_pet/1", "have", "", Slot::Counted, &[("has_pet", Class::State)]),
    of(Who::Person, "clause.owns/1", "have", "", Slot::Kept, &[("owns", Class::State)]),
    of(Who::Person, "clause.has_condition/1", "have", "", Slot::Condition, &[("has_condition", Class::State)]),
    of(Who::Person, "clause.has_condition/1", "suffer", "from", Slot::Condition, &[("has_condition", Class::State)]),
    of(Who::Person, "clause.has_condition/1", "struggle", "with", Slot::Condition, &[("has_condition", Class::State)]),
    of(Who::Person, "clause.has_condition/1", "be", "diagnosed with", Slot::Condition, &[("has_condition", Class::Change)]),
    of(Who::Person, "clause.has_condition/1", "get", "diagnosed with", Slot::Condition, &[("has_condition", Class::Change)]),
    of(Who::Person, "clause.has_condition/1", "be", "allergic to", Slot::Allergy, &[("has_condition", Class::State)]),
    of(Who::Person, "clause.speaks/1", "speak", "", Slot::Language, &[("speaks", Class::State)]),
    of(Who::Person, "clause.speaks/1", "be", "fluent in", Slot::Language, &[("speaks", Class::State)]),
    of(Who::Person, "clause.age/1", "be", "", Slot::Age, &[("age", Class::State)]),
    of(Who::Person, "clause.age/1", "turn", "", Slot::Age, &[("age", Class::Change)]),
    of(Who::Person, "clause.diet/1", "be", "", Slot::Diet, &[("diet", Class::State)]),
    of(Who::Person, "clause.diet/1", "become", "", Slot::Diet, &[("diet", Class::Change)]),
    of(Who::Person, "clause.diet/1", "go", "", Slot::Diet, &[("diet", Class::Change)]),
    of(Who::Person, "clause.diet/1", "turn", "", Slot::Diet, &[("diet", Class::Change)]),
    of(Who::Person, "clause.relationship_status/1", "be", "", Slot::Status, &[("relationship_status", Class::State)]),
    of(Who::Person, "clause.relationship_status/1", "get", "", Slot::Status, &[("relationship_status", Class::Change)]),
    of(Who::Person, "clause.visited/1", "get", "back? from a trip to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "get", "back from", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "be", "in", Slot::KnownPlace, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "be", "off to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "spend", "_ in", Slot::KnownPlace, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "stay", "in|at", Slot::KnownPlace, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "vacation", "in", Slot::KnownPlace, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "drive", "through|around|across", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "head", "to|down|up to?", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "explore", "", Slot::PlaceKind, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "return", "from", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "come", "back from", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "drive", "up|down? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "explore", "", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "go", "to", Slot::PlaceKind, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "visit", "", Slot::PlaceKind, &[("visited", Class::Event)]),
    of(Who::Person, "clause.member_of/1", "join", "", Slot::Club, &[("member_of", Class::Change)]),
    of(Who::Person, "clause.member_of/1", "be", "a member of", Slot::Club, &[("member_of", Class::State)]),
    of(Who::Person, "clause.member_of/1", "be", "part of", Slot::Club, &[("member_of", Class::State)]),
    of(Who::Person, "clause.member_of/1", "be", "a part of", Slot::Club, &[("member_of", Class::State)]),
    of(Who::Person, "clause.member_of/1", "become", "a member of", Slot::Club, &[("member_of", Class::Change)]),
    of(Who::Person, "clause.member_of/1", "belong", "to", Slot::Club, &[("member_of", Class::State)]),
    of(Who::Person, "clause.member_of/1", "leave", "", Slot::Club, &[("member_of", Class::End)]),
    of(Who::Person, "clause.member_of/1", "quit", "", Slot::Club, &[("member_of", Class::End)]),
    of(Who::Person, "clause.attended/1", "go", "to", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "attend", "", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "participate", "in", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "take", "part in", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "compete", "in", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "perform", "at|in", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "run", "", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "join", "", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "be", "to", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "do", "", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "have", "a|an _? time|blast at", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.attended/1", "have", "", Slot::Happening, &[("attended", Class::Event)]),
    of(Who::Person, "clause.achieved/1", "win", "", Slot::Achievement, &[("achieved", Class::Event)]),
    of(Who::Person, "clause.achieved/1", "pass", "", Slot::Achievement, &[("achieved", Class::Event)]),
    of(Who::Person, "clause.achieved/1", "finish", "", Slot::Achievement, &[("achieved", Class::Event)]),
    of(Who::Person, "clause.achieved/1", "complete", "", Slot::Achievement, &[("achieved", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "have", "a|an _? time|blast", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "be", "on", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.organized/1", "organize", "", Slot::Staged, &[("organized", Class::Event)]),
    of(Who::Person, "clause.organized/1", "organise", "", Slot::Staged, &[("organized", Class::Event)]),
    of(Who::Person, "clause.organized/1", "host", "", Slot::Staged, &[("organized", Class::Event)]),
    of(Who::Person, "clause.organized/1", "throw", "", Slot::Staged, &[("organized", Class::Event)]),
    of(Who::Person, "clause.organized/1", "hold", "", Slot::Staged, &[("organized", Class::Event)]),
    of(Who::Person, "clause.gave/1", "give", "", Slot::Staged, &[("gave", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "go", "", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "go", "for", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "go", "on", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "take", "", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.went_on/1", "take", "my|our|the _", Slot::Outing, &[("went_on", Class::Event)]),
    of(Who::Person, "clause.created/1", "make", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "paint", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "draw", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "write", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "build", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "bake", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "cook", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "knit", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "sew", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "carve", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "craft", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "create", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "design", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "compose", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "publish", "myself|us?", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "finish", "writing|painting|making|building|knitting|baking", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.created/1", "finish", "", Slot::Made, &[("created", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "read", "", Slot::Title, &[("consumed", Class::Underway)]),
    of(Who::Person, "clause.consumed/1", "watch", "", Slot::Title, &[("consumed", Class::Underway)]),
    of(Who::Person, "clause.consumed/1", "see", "", Slot::Title, &[("consumed", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "finish", "reading|watching", Slot::Title, &[("consumed", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "finish", "", Slot::Title, &[("consumed", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "start", "", Slot::Title, &[("consumed", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "start", "reading|watching", Slot::Title, &[("consumed", Class::Event)]),
    of(Who::Person, "clause.consumed/1", "listen", "", Slot::Title, &[("consumed", Class::Underway)]),
    of(Who::Project, "clause.managed_by/1", "be", "run|led|managed by", Slot::Person, &[("managed_by", Class::State)]),
    of(Who::Person, "clause.managed_by/1", "run", "", Slot::Project, &[("managed_by", Class::State)]),
    of(Who::Person, "clause.managed_by/1", "lead", "", Slot::Project, &[("managed_by", Class::State)]),
    of(Who::Person, "clause.managed_by/1", "manage", "", Slot::Project, &[("managed_by", Class::State)]),
    of(Who::Person, "clause.managed_by/1", "take", "over", Slot::Project, &[("managed_by", Class::Change)]),
    of(Who::Person, "clause.managed_by/1", "hand", "over", Slot::Project, &[("managed_by", Class::End)]),
    of(Who::Person, "clause.managed_by/1", "step", "down from", Slot::Project, &[("managed_by", Class::End)]),
    of(Who::Speaker, "clause.decided/1", "decide", "to use|adopt", Slot::Decision, &[("decided", Class::Change)]),
    of(Who::Speaker, "clause.decided/1", "decide", "to go with", Slot::Decision, &[("decided", Class::Change)]),
    of(Who::Speaker, "clause.decided/1", "decide", "on", Slot::Decision, &[("decided", Class::Change)]),
    of(Who::Speaker, "clause.decided/1", "go", "with", Slot::Decision, &[("decided", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "switch", "from @ to", Slot::Technology, &[("uses", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "migrate", "from @ to", Slot::Technology, &[("uses", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "switch", "to", Slot::Technology, &[("uses", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "migrate", "to", Slot::Technology, &[("uses", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "start", "using", Slot::Technology, &[("uses", Class::Change)]),
    of(Who::Speaker, "clause.uses/1", "stop", "using", Slot::Technology, &[("uses", Class::End)]),
    of(Who::Speaker, "clause.uses/1", "drop", "", Slot::Technology, &[("uses", Class::End)]),
    of(Who::Speaker, "clause.uses/1", "use", "", Slot::Technology, &[("uses", Class::State)]),
];

static BY_LEMMA: LazyLock<ByWord<&'static str, Vec<(&'static Pattern, Tail)>>> = LazyLock::new(|| {
    let mut patterns: ByWord<&'static str, Vec<(&'static Pattern, Tail)>> = ByWord::default();
    for pattern in PATTERNS {
        patterns.entry(pattern.lemma).or_default().push((pattern, Tail::of(pattern.tail)));
    }
    patterns
});

/// Returns the patterns of a verb with their parted tails, in the order in which they are tried.
pub(super) fn of_lemma(lemma: &str) -> &'static [(&'static Pattern, Tail)] {
    BY_LEMMA.get(lemma).map_or(&[], Vec::as_slice)
}
