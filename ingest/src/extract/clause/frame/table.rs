//! The table: which verb says which predicate of a person, and what its object may be.
//!
//! Where the patterns know what they read (a place, an employer, a pet), a frame only knows what the verb makes of its
//! object, and copies the words.

use std::sync::LazyLock;

use super::super::known::ByWord;
use super::super::pattern::Class;
use super::super::tail::Tail;

/// What stands behind the verb and its further words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// A noun phrase: "an endorsement with a drinks company".
    Thing,
    /// A noun phrase with a determiner, or a name: "the castle", "Lisbon".
    Definite,
    /// A noun phrase whose noun is known to be a thing that people keep.
    Kept,
    /// A name.
    Name,
    /// A noun phrase whose noun is none of a list.
    ThingBut(&'static [&'static str]),
    /// A noun phrase whose noun is one of a list.
    ThingOf(&'static [&'static str]),
    /// An activity, by its verb: "lifting weights".
    Doing,
    /// Either.
    ThingOrDoing,
    /// What somebody wants to do, from the verb on: "win a championship".
    ToDo,
    /// The words themselves, the last of those before the object included: "promoted to manager".
    Becoming,
}

/// What a frame tells of its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    /// The predicate, in the way of a pattern's class.
    Of(Class),
    /// What is intended, by a verb that looks back at nothing: "look forward to".
    Intent,
}

/// A verb, the words behind it, and what they say.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The words behind the verb, as in a pattern.
    pub(super) tail: Tail,
    /// What follows them.
    pub(super) object: Object,
    /// The predicate.
    pub(super) predicate: &'static str,
    /// The type of entity the object is; empty where it is kept as text.
    pub(super) kind: &'static str,
    /// In what way it is said.
    pub(super) tells: Tells,
    /// The rule's name and version.
    pub(super) rule: &'static str,
}

/// Nouns of what takes place and is gone to.
const EVENTS: &[&str] = &[
    "appointment",
    "audition",
    "banquet",
    "barbecue",
    "bbq",
    "brunch",
    "camp",
    "celebration",
    "ceremony",
    "championship",
    "class",
    "classes",
    "clinic",
    "competition",
    "concert",
    "concerts",
    "conference",
    "contest",
    "convention",
    "course",
    "date",
    "dinner",
    "drive",
    "event",
    "events",
    "exhibit",
    "exhibition",
    "expo",
    "fair",
    "festival",
    "fundraiser",
    "funeral",
    "gala",
    "game",
    "games",
    "gathering",
    "gig",
    "graduation",
    "interview",
    "interviews",
    "lecture",
    "lesson",
    "lessons",
    "marathon",
    "march",
    "match",
    "meeting",
    "meetings",
    "meetup",
    "night",
    "outing",
    "parade",
    "party",
    "performance",
    "picnic",
    "play",
    "premiere",
    "presentation",
    "protest",
    "race",
    "rally",
    "reading",
    "recital",
    "retreat",
    "reunion",
    "run",
    "seminar",
    "service",
    "session",
    "sessions",
    "show",
    "shows",
    "sleepover",
    "test",
    "tournament",
    "tournaments",
    "training",
    "wedding",
    "workshop",
    "workshops",
];

/// Nouns of what one sets out on.
const OUTINGS: &[&str] = &[
    "adventure",
    "cruise",
    "drive",
    "drives",
    "excursion",
    "expedition",
    "getaway",
    "hike",
    "hikes",
    "holiday",
    "honeymoon",
    "journey",
    "ride",
    "rides",
    "retreat",
    "safari",
    "stroll",
    "tour",
    "trek",
    "trip",
    "trips",
    "vacation",
    "vacations",
    "walk",
    "walks",
];

/// Nouns of what is read, watched or heard.
const WORKS: &[&str] = &[
    "album",
    "albums",
    "anime",
    "article",
    "articles",
    "biography",
    "blog",
    "book",
    "books",
    "comedy",
    "comic",
    "comics",
    "documentaries",
    "documentary",
    "drama",
    "episode",
    "film",
    "films",
    "game",
    "memoir",
    "movie",
    "movies",
    "musical",
    "novel",
    "novels",
    "performance",
    "play",
    "podcast",
    "podcasts",
    "poem",
    "poems",
    "poetry",
    "saga",
    "season",
    "series",
    "show",
    "shows",
    "song",
    "songs",
    "story",
    "stories",
    "thriller",
    "trilogy",
    "video",
    "videos",
];

/// Nouns of those one belongs to.
const GROUPS: &[&str] = &[
    "association",
    "band",
    "choir",
    "church",
    "class",
    "club",
    "committee",
    "community",
    "council",
    "forum",
    "group",
    "gym",
    "league",
    "movement",
    "network",
    "nonprofit",
    "organization",
    "program",
    "project",
    "school",
    "society",
    "squad",
    "studio",
    "team",
    "union",
];

/// Nouns of what one is given for what one did.
const HONOURS: &[&str] = &[
    "award",
    "awards",
    "belt",
    "certificate",
    "certification",
    "championship",
    "championships",
    "contest",
    "contract",
    "cup",
    "deal",
    "degree",
    "diploma",
    "endorsement",
    "endorsements",
    "grant",
    "honor",
    "internship",
    "job",
    "medal",
    "medals",
    "offer",
    "place",
    "position",
    "prize",
    "promotion",
    "raise",
    "recognition",
    "record",
    "role",
    "scholarship",
    "sponsorship",
    "spot",
    "title",
    "tournament",
    "tournaments",
    "trophies",
    "trophy",
    "victory",
    "win",
];

/// Nouns of what is made only in a manner of speaking.
const NOT_MADE: &[&str] = &[
    "appointment",
    "call",
    "calls",
    "change",
    "changes",
    "choice",
    "choices",
    "comment",
    "commitment",
    "comeback",
    "connection",
    "connections",
    "contact",
    "deal",
    "decision",
    "decisions",
    "difference",
    "effort",
    "efforts",
    "friend",
    "friends",
    "friendship",
    "fun",
    "goal",
    "goals",
    "good",
    "habit",
    "headway",
    "impact",
    "impression",
    "improvement",
    "improvements",
    "joke",
    "list",
    "living",
    "love",
    "mark",
    "mess",
    "mistakes",
    "money",
    "move",
    "noise",
    "offer",
    "peace",
    "promise",
    "purchase",
    "reservation",
    "reservations",
    "room",
    "start",
    "statement",
    "stop",
    "stops",
    "stride",
    "strides",
    "sure",
    "transition",
    "trip",
    "use",
    "wish",
    "wishes",
];

/// Nouns of what ails.
const AILMENTS: &[&str] = &[
    "accident",
    "allergies",
    "allergy",
    "anxiety",
    "asthma",
    "attack",
    "burnout",
    "cold",
    "concussion",
    "depression",
    "diabetes",
    "fever",
    "flu",
    "gastritis",
    "headache",
    "headaches",
    "infection",
    "injury",
    "insomnia",
    "migraine",
    "migraines",
    "pain",
    "pains",
    "palpitations",
    "pressure",
    "scare",
    "sprain",
    "stress",
    "surgery",
];

/// Parts of the body.
const BODY: &[&str] = &[
    "ankle", "arm", "back", "elbow", "finger", "foot", "hand", "head", "hip", "knee", "leg", "neck", "rib",
    "shoulder", "toe", "wrist",
];

macro_rules! frames {
    ($($predicate:ident $kind:literal $tells:expr, $object:expr; $($verbs:literal $tail:literal),+;)+) => {
        &[$(Rows {
            predicate: stringify!($predicate),
            rule: concat!("frame.", stringify!($predicate), "/1"),
            kind: $kind,
            tells: $tells,
            object: $object,
            verbs: &[$(($verbs, $tail)),+],
        }),+]
    };
}

/// Frames that say the same: verbs with what stands behind them.
struct Rows {
    predicate: &'static str,
    rule: &'static str,
    kind: &'static str,
    tells: Tells,
    object: Object,
    /// Lemmas, parted by bars, and the words behind them.
    verbs: &'static [(&'static str, &'static str)],
}

use Object::{Becoming, Definite, Doing, Kept, Name, Thing, ThingBut, ThingOf, ThingOrDoing, ToDo};

const STATE: Tells = Tells::Of(Class::State);
const CHANGE: Tells = Tells::Of(Class::Change);
const EVENT: Tells = Tells::Of(Class::Event);
const UNDERWAY: Tells = Tells::Of(Class::Underway);
const PRACTICE: Tells = Tells::Of(Class::Practice);

/// In the order in which they are tried, verb by verb.
static ROWS: &[Rows] = frames! {
    // What people want.
    has_goal "" STATE, ToDo;
        "want|hope|aim|wish|strive|aspire|need" "to", "would love" "to", "be" "hoping|aiming|trying|looking|striving|working|eager|determined|motivated|keen to",
        "try" "to";
    has_goal "" STATE, Doing;
        "dream" "of|about", "be" "dreaming of|about", "be" "working on|towards|toward", "be" "focused on";
    considers "" STATE, ThingOrDoing;
        "think" "about|of", "consider" "", "look" "into", "be" "toying with the idea of", "toy" "with the idea of";
    planned "event" Tells::Intent, ThingOrDoing;
        "plan" "on?", "look" "forward to", "be" "planning on?", "prepare" "for", "be" "preparing for",
        "sign" "up for", "train" "for";
    planned "event" Tells::Intent, ToDo;
        "cannot wait" "to", "go" "to", "be" "excited|thrilled|ready|set to", "plan|decide|arrange|promise" "to";
    planned "event" Tells::Intent, ThingOf(EVENTS);
        "have" "", "be" "excited about|for", "cannot wait" "for";
    planned "event" Tells::Intent, ThingOf(OUTINGS);
        "have" "", "book" "", "be" "excited about|for", "cannot wait" "for";

    // What people like, and what matters to them.
    likes "thing" STATE, ThingOrDoing;
        "love|enjoy|like|adore" "", "be" "really? into", "be" "so|very|really|super? passionate about", "be" "really|so? interested in", "be" "obsessed with", "be" "hooked on",
        "be" "a big|huge|massive|real? fan of", "be" "fascinated by|with", "be" "drawn to", "be" "keen on", "be" "fond of", "be" "crazy about",
        "have" "a|an real|strong|deep|huge|great? passion|love|interest|respect for|in", "find" "joy|comfort|solace|peace|happiness in";
    likes "thing" STATE, ToDo;
        "love|like" "to";
    dislikes "thing" STATE, ThingOrDoing;
        "hate|dislike|detest|cannot stand" "", "be" "tired of", "be" "sick of", "be" "afraid of", "be" "scared of";
    values "" STATE, ThingOrDoing;
        "appreciate|value|cherish|treasure|admire|respect" "", "be" "so|really|very|super|extremely? grateful|thankful for", "care" "about|for", "be|feel" "lucky|blessed|fortunate|glad|happy|grateful to have", "believe" "in", "be" "committed|dedicated to";
    misses "" STATE, ThingOrDoing;
        "miss" "";

    // What people do again and again.
    studies "topic" CHANGE, ThingOrDoing;
        "start|begin" "learning|studying about?";
    studies "topic" CHANGE, ToDo;
        "start|begin" "learning how? to";
    studies "topic" PRACTICE, Thing;
        "learn|study" "about?";
    studies "topic" PRACTICE, ToDo;
        "learn" "how? to";
    works_on "thing" EVENT, ThingOrDoing;
        "start|begin" "working on", "start|begin" "writing";
    started "activity" EVENT, Doing;
        "start|begin" "", "get" "back into";
    stopped "activity" EVENT, Doing;
        "stop|quit" "", "give" "up";
    stopped "" EVENT, Thing;
        "quit" "", "give" "up";
    stopped "" EVENT, ThingOf(&["job", "team", "company", "career", "position", "business", "club", "group", "band", "relationship"]);
        "leave" "";
    applied_to "" EVENT, Thing;
        "apply" "to|for";
    talked_with "" EVENT, Definite;
        "talk|chat|speak" "with|to", "have" "a good|great|nice|long|quick|lovely? chat|conversation|talk with", "reach" "out to", "ask" "";
    has_hobby "activity" CHANGE, ThingOrDoing;
        "get" "really? into", "get" "back into", "take" "up", "pick" "up";
    works_on "thing" UNDERWAY, ThingOrDoing;
        "work" "on";
    habit "activity" PRACTICE, ThingOf(&["yoga", "pilates", "exercise", "exercises", "workouts", "meditation", "crafts", "pottery", "therapy", "research"]);
        "do|practice|practise" "";
    member_of "org" CHANGE, ThingOf(GROUPS);
        "join" "", "sign" "with|for", "become" "part of", "become" "a member of";
    member_of "org" STATE, ThingOf(GROUPS);
        "be" "part of", "be" "a|an? active? member of", "belong" "to";
    uses "thing" STATE, Thing;
        "use" "";

    owns "thing" STATE, Kept;
        "have|own|keep" "", "have" "got";

    // What happened to them, and what they did.
    attended "event" EVENT, ThingOf(EVENTS);
        "go" "to", "attend" "", "have" "", "join" "", "take" "", "do" "", "be" "at", "take" "part in", "finish" "", "go" "on", "come" "to", "see" "", "watch" "", "enjoy" "", "start|begin" "";
    attended "event" EVENT, Thing;
        "attend" "", "participate" "in", "compete" "in", "take" "part in", "celebrate" "", "perform" "at|in";
    went_on "activity" EVENT, ThingOf(OUTINGS);
        "go" "on|for", "take" "", "have" "", "do" "", "get" "back from", "come" "back from", "return" "from", "be" "back from", "enjoy" "";
    visited "place" EVENT, Definite;
        "visit|explore|tour" "", "travel|fly|drive|head" "to", "go" "back|up|over|out|down? to";
    met "person" EVENT, Name;
        "meet" "up? with?", "reconnect" "with", "catch" "up with", "connect" "with", "run" "into", "bump" "into";
    encountered "" EVENT, Definite;
        "meet" "up? with?", "reconnect" "with", "catch" "up with", "connect" "with", "run" "into", "bump" "into";
    consumed "work" EVENT, ThingOf(WORKS);
        "read|watch|finish|see|love|enjoy" "", "finish|start|begin" "reading|watching", "listen" "to", "check" "out", "go" "through";
    consumed "work" UNDERWAY, ThingOf(WORKS);
        "read|watch" "", "listen" "to";
    consumed "work" UNDERWAY, Name;
        "play|watch|read" "";
    consumed "work" UNDERWAY, ThingOf(&["game", "games", "rpg", "videogame", "videogames"]);
        "play" "";
    tried "thing" EVENT, ThingOrDoing;
        "try" "out?", "test" "out", "experiment" "with", "taste|sample" "", "eat" "";
    went_through "" EVENT, ThingOf(AILMENTS);
        "have" "", "go" "through", "experience" "", "get" "";
    went_through "" EVENT, Thing;
        "go" "through", "experience|encounter|face" "";
    has_condition "condition" STATE, ThingOf(AILMENTS);
        "have" "", "struggle|deal" "with", "suffer" "from";
    struggles_with "" STATE, ThingOrDoing;
        "struggle|deal|cope" "with", "be" "struggling|dealing|coping with";
    injured "" EVENT, ThingOf(BODY);
        "hurt|injure|break|sprain|twist" "";
    achieved "event" EVENT, ThingOf(HONOURS);
        "get|receive|win|earn|land|secure|score|sign|accept|take" "", "be" "given|awarded|offered";
    achieved "event" EVENT, Becoming;
        "be|get" "promoted|hired|accepted|selected|chosen|drafted|recognized|elected|nominated|certified|admitted|invited|picked|published|approved";
    achieved "event" EVENT, ThingOrDoing;
        "win|achieve|accomplish|complete|finish|earn|land|secure|beat|reach|pass|retake|fail|score|master" "", "graduate" "from", "succeed" "in";
    organized "event" EVENT, ThingOf(EVENTS);
        "organize|organise|host|hold|throw|run|arrange" "", "put" "on|together", "set" "up";
    organized "event" EVENT, ThingOf(&["auction", "campaign", "drive", "initiative", "project", "support", "group", "fundraiser"]);
        "organize|organise|launch|start|lead" "", "set" "up", "put" "together";
    created "thing" EVENT, Thing;
        "paint|write|draw|build|bake|cook|knit|sew|carve|craft|create|design|compose|sketch|develop|record|film|publish|assemble|plant|renovate|remodel" "",
        "put" "together", "come" "up with", "set" "up";
    created "thing" EVENT, ThingBut(NOT_MADE);
        "make" "";
    founded "org" EVENT, ThingOf(&["agency", "blog", "business", "channel", "company", "charity", "club", "foundation", "group", "nonprofit", "shop", "store", "studio", "startup"]);
        "start|launch|open|create" "", "start|open" "up";
    acquired "thing" EVENT, Thing;
        "buy|purchase|order|adopt|inherit|rescue" "", "treat" "myself|ourselves to";
    received "" EVENT, Definite;
        "receive" "", "get" "", "be" "given|offered|awarded|gifted";
    discovered "" EVENT, Definite;
        "discover" "", "come" "across", "stumble" "upon|across", "find" "out? about?", "figure" "out";
    gave "" EVENT, Definite;
        "give|donate|offer|deliver|send|serve" "", "drop" "off";
    helped "" EVENT, Thing;
        "help|support|assist|mentor|foster|tutor|teach|coach|volunteer|comfort|encourage" "", "help" "out? at|with", "volunteer" "at|with|for", "work|collaborate|partner" "with", "team" "up with", "give" "back to", "speak" "to|at";
    raised "" EVENT, ThingOf(&["awareness", "funds", "money", "fund", "thousands", "hundreds", "dollars", "amount"]);
        "raise" "";
    spent_time_with "" EVENT, Definite;
        "spend" "some|lots|quality|more? time with", "spend" "the day|weekend|evening|afternoon|night|summer|week|holidays with", "hang" "out with";
    lost "" EVENT, Definite;
        "lose" "";
    repaired "" EVENT, Definite;
        "fix|repair|restore|replace|upgrade|clean|renovate" "";
    reminded_of "" EVENT, ThingOrDoing;
        "remember" "", "think" "back to|on", "look" "back on|at";
};

static FRAMES: LazyLock<ByWord<&'static str, Vec<Frame>>> = LazyLock::new(|| {
    let mut frames: ByWord<&'static str, Vec<Frame>> = ByWord::default();
    for rows in ROWS {
        let Rows { predicate, rule, kind, tells, object, verbs } = *rows;
        for (lemmas, tail) in verbs {
            for lemma in lemmas.split('|') {
                let tail = Tail::of(tail);
                frames.entry(lemma).or_default().push(Frame { tail, object, predicate, kind, tells, rule });
            }
        }
    }
    frames
});

/// Returns the frames of a verb, in the order in which they are tried.
pub(super) fn of(lemma: &str) -> &'static [Frame] {
    FRAMES.get(lemma).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use bygone_ontology::{Ontology, TemporalKind};

    use super::super::super::verb;
    use super::*;

    #[test]
    fn every_frame_is_of_a_verb_that_is_known() {
        // Verbs that the mood makes of several words.
        const COMPOSED: &[&str] = &["cannot stand", "cannot wait", "would love"];
        for rows in ROWS {
            for lemma in rows.verbs.iter().flat_map(|(lemmas, _)| lemmas.split('|')) {
                assert!(verb::gerund(lemma).is_some() || COMPOSED.contains(&lemma), "{lemma}");
            }
        }
    }

    #[test]
    fn every_frame_says_what_its_predicate_can() {
        let core = Ontology::core();
        for rows in ROWS {
            let predicate = rows.predicate;
            let definition = core.definition(predicate).unwrap_or_else(|| panic!("{predicate} is declared"));
            let is_event = match rows.tells {
                Tells::Of(Class::State | Class::Change | Class::End | Class::Practice | Class::Lifelong) => {
                    false
                }
                Tells::Of(Class::Event | Class::Underway) | Tells::Intent => true,
            };
            assert_eq!(is_event, definition.kind == TemporalKind::Event, "{predicate}: {:?}", rows.tells);
            let mut kinds = vec![if rows.kind.is_empty() { "text" } else { rows.kind }];
            if rows.kind == "thing" && matches!(rows.object, Doing | ThingOrDoing) {
                kinds.push("activity");
            }
            for kind in kinds {
                let fits = definition
                    .range
                    .iter()
                    .any(|range| range == "any" || range == kind || core.is_a(kind, range));
                assert!(fits, "{predicate} says a {kind}: {:?}", definition.range);
            }
        }
    }
}
