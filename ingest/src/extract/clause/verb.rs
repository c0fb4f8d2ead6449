//! Which forms of which verbs the patterns know.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A form of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VerbForm {
    /// "work"; also the plural and first person of the present.
    Base,
    /// "works".
    Third,
    /// "worked".
    Past,
    /// "(have) worked".
    Participle,
    /// "working".
    Ing,
}

/// Lemma, third person, past, participle, -ing.
const VERBS: [[&str; 5]; 57] = [
    ["be", "is", "was", "been", "being"],
    ["have", "has", "had", "had", "having"],
    ["get", "gets", "got", "gotten", "getting"],
    ["work", "works", "worked", "worked", "working"],
    ["join", "joins", "joined", "joined", "joining"],
    ["start", "starts", "started", "started", "starting"],
    ["begin", "begins", "began", "begun", "beginning"],
    ["stop", "stops", "stopped", "stopped", "stopping"],
    ["leave", "leaves", "left", "left", "leaving"],
    ["quit", "quits", "quit", "quit", "quitting"],
    ["resign", "resigns", "resigned", "resigned", "resigning"],
    ["retire", "retires", "retired", "retired", "retiring"],
    ["land", "lands", "landed", "landed", "landing"],
    ["live", "lives", "lived", "lived", "living"],
    ["reside", "resides", "resided", "resided", "residing"],
    ["move", "moves", "moved", "moved", "moving"],
    ["relocate", "relocates", "relocated", "relocated", "relocating"],
    ["settle", "settles", "settled", "settled", "settling"],
    ["study", "studies", "studied", "studied", "studying"],
    ["enroll", "enrolls", "enrolled", "enrolled", "enrolling"],
    ["enrol", "enrols", "enrolled", "enrolled", "enrolling"],
    ["attend", "attends", "attended", "attended", "attending"],
    ["graduate", "graduates", "graduated", "graduated", "graduating"],
    ["drop", "drops", "dropped", "dropped", "dropping"],
    ["marry", "marries", "married", "married", "marrying"],
    ["divorce", "divorces", "divorced", "divorced", "divorcing"],
    ["date", "dates", "dated", "dated", "dating"],
    ["break", "breaks", "broke", "broken", "breaking"],
    ["split", "splits", "split", "split", "splitting"],
    ["adopt", "adopts", "adopted", "adopted", "adopting"],
    ["own", "owns", "owned", "owned", "owning"],
    ["buy", "buys", "bought", "bought", "buying"],
    ["purchase", "purchases", "purchased", "purchased", "purchasing"],
    ["sell", "sells", "sold", "sold", "selling"],
    ["give", "gives", "gave", "given", "giving"],
    ["like", "likes", "liked", "liked", "liking"],
    ["love", "loves", "loved", "loved", "loving"],
    ["enjoy", "enjoys", "enjoyed", "enjoyed", "enjoying"],
    ["adore", "adores", "adored", "adored", "adoring"],
    ["hate", "hates", "hated", "hated", "hating"],
    ["dislike", "dislikes", "disliked", "disliked", "disliking"],
    ["detest", "detests", "detested", "detested", "detesting"],
    ["stand", "stands", "stood", "stood", "standing"],
    ["visit", "visits", "visited", "visited", "visiting"],
    ["go", "goes", "went", "gone", "going"],
    ["travel", "travels", "traveled", "traveled", "traveling"],
    ["fly", "flies", "flew", "flown", "flying"],
    ["become", "becomes", "became", "become", "becoming"],
    ["step", "steps", "stepped", "stepped", "stepping"],
    ["use", "uses", "used", "used", "using"],
    ["switch", "switches", "switched", "switched", "switching"],
    ["migrate", "migrates", "migrated", "migrated", "migrating"],
    ["decide", "decides", "decided", "decided", "deciding"],
    ["run", "runs", "ran", "run", "running"],
    ["lead", "leads", "led", "led", "leading"],
    ["manage", "manages", "managed", "managed", "managing"],
    ["take", "takes", "took", "taken", "taking"],
];

/// Further spellings: the word, its lemma, its form.
const OTHERS: [(&str, &str, VerbForm); 10] = [
    ("am", "be", VerbForm::Base),
    ("are", "be", VerbForm::Base),
    ("were", "be", VerbForm::Past),
    ("got", "get", VerbForm::Participle),
    ("travelled", "travel", VerbForm::Past),
    ("travelled", "travel", VerbForm::Participle),
    ("travelling", "travel", VerbForm::Ing),
    ("handed", "hand", VerbForm::Past),
    ("handed", "hand", VerbForm::Participle),
    ("named", "name", VerbForm::Participle),
];

/// A reading of a word: lemma and form.
pub(super) type Reading = (&'static str, VerbForm);

static FORMS: LazyLock<BTreeMap<&'static str, Vec<Reading>>> = LazyLock::new(|| {
    let forms = [VerbForm::Base, VerbForm::Third, VerbForm::Past, VerbForm::Participle, VerbForm::Ing];
    let mut map: BTreeMap<&'static str, Vec<Reading>> = BTreeMap::new();
    for verb in &VERBS {
        for (word, form) in verb.iter().zip(forms) {
            map.entry(word).or_default().push((verb[0], form));
        }
    }
    for (word, lemma, form) in OTHERS {
        map.entry(word).or_default().push((lemma, form));
    }
    map
});

/// Returns the readings of a word in small letters; none where the patterns do not know it.
pub(super) fn readings(word: &str) -> &'static [Reading] {
    FORMS.get(word).map_or(&[], Vec::as_slice)
}
