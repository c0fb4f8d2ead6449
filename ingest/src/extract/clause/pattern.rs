//! The table: which verb with which words says which predicate, and in what way.

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
    /// The words after it, one of those parted by `|`; a word ending in `?` may be missing, `_` is one to three words
    /// in small letters, `@` a name.
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
pub(super) const PATTERNS: &[Pattern] = &[
    of(Who::Person, "clause.works_at/1", "work", "at|for", Slot::Org, &[("works_at", Class::State)]),
    of(Who::Person, "clause.works_at/1", "be", "employed at|by", Slot::Org, &[("works_at", Class::State)]),
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
    of(Who::Person, "clause.owns/1", "buy", "myself?", Slot::Owned, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "purchase", "myself?", Slot::Owned, &[("acquired", Class::Event), ("owns", Class::Change)]),
    of(Who::Person, "clause.owns/1", "sell", "", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.owns/1", "get", "rid of", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.owns/1", "give", "away", Slot::Owning, &[("owns", Class::End)]),
    of(Who::Person, "clause.likes/1", "stop", "liking", Slot::Liking, &[("likes", Class::End)]),
    of(Who::Person, "clause.likes/1", "like", "", Slot::Liking, &[("likes", Class::State)]),
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
    of(Who::Person, "clause.visited/1", "go", "on a trip to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "take", "a trip to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "go", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "travel", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "fly", "back? to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.visited/1", "be", "to", Slot::Place, &[("visited", Class::Event)]),
    of(Who::Person, "clause.born_on/1", "be", "born", Slot::Date, &[("born_on", Class::State)]),
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
