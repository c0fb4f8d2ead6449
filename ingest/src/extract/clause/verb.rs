//! Which forms of which verbs the patterns know.

use std::sync::LazyLock;

use super::known::ByWord;

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
const VERBS: &[[&str; 5]] = &[
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
    ["make", "makes", "made", "made", "making"],
    ["paint", "paints", "painted", "painted", "painting"],
    ["draw", "draws", "drew", "drawn", "drawing"],
    ["write", "writes", "wrote", "written", "writing"],
    ["build", "builds", "built", "built", "building"],
    ["bake", "bakes", "baked", "baked", "baking"],
    ["cook", "cooks", "cooked", "cooked", "cooking"],
    ["knit", "knits", "knitted", "knitted", "knitting"],
    ["sew", "sews", "sewed", "sewn", "sewing"],
    ["carve", "carves", "carved", "carved", "carving"],
    ["craft", "crafts", "crafted", "crafted", "crafting"],
    ["create", "creates", "created", "created", "creating"],
    ["design", "designs", "designed", "designed", "designing"],
    ["compose", "composes", "composed", "composed", "composing"],
    ["publish", "publishes", "published", "published", "publishing"],
    ["read", "reads", "read", "read", "reading"],
    ["watch", "watches", "watched", "watched", "watching"],
    ["see", "sees", "saw", "seen", "seeing"],
    ["finish", "finishes", "finished", "finished", "finishing"],
    ["complete", "completes", "completed", "completed", "completing"],
    ["win", "wins", "won", "won", "winning"],
    ["pass", "passes", "passed", "passed", "passing"],
    ["volunteer", "volunteers", "volunteered", "volunteered", "volunteering"],
    ["play", "plays", "played", "played", "playing"],
    ["practice", "practices", "practiced", "practiced", "practicing"],
    ["practise", "practises", "practised", "practised", "practising"],
    ["do", "does", "did", "done", "doing"],
    ["try", "tries", "tried", "tried", "trying"],
    ["speak", "speaks", "spoke", "spoken", "speaking"],
    ["turn", "turns", "turned", "turned", "turning"],
    ["prefer", "prefers", "preferred", "preferred", "preferring"],
    ["receive", "receives", "received", "received", "receiving"],
    ["inherit", "inherits", "inherited", "inherited", "inheriting"],
    ["pick", "picks", "picked", "picked", "picking"],
    ["order", "orders", "ordered", "ordered", "ordering"],
    ["lose", "loses", "lost", "lost", "losing"],
    ["meet", "meets", "met", "met", "meeting"],
    ["catch", "catches", "caught", "caught", "catching"],
    ["grow", "grows", "grew", "grown", "growing"],
    ["raise", "raises", "raised", "raised", "raising"],
    ["come", "comes", "came", "come", "coming"],
    ["return", "returns", "returned", "returned", "returning"],
    ["drive", "drives", "drove", "driven", "driving"],
    ["participate", "participates", "participated", "participated", "participating"],
    ["compete", "competes", "competed", "competed", "competing"],
    ["perform", "performs", "performed", "performed", "performing"],
    ["suffer", "suffers", "suffered", "suffered", "suffering"],
    ["struggle", "struggles", "struggled", "struggled", "struggling"],
    ["know", "knows", "knew", "known", "knowing"],
    ["belong", "belongs", "belonged", "belonged", "belonging"],
    ["launch", "launches", "launched", "launched", "launching"],
    ["open", "opens", "opened", "opened", "opening"],
    ["major", "majors", "majored", "majored", "majoring"],
    ["sign", "signs", "signed", "signed", "signing"],
    ["bump", "bumps", "bumped", "bumped", "bumping"],
    ["learn", "learns", "learned", "learned", "learning"],
    ["earn", "earns", "earned", "earned", "earning"],
    ["listen", "listens", "listened", "listened", "listening"],
    ["diagnose", "diagnoses", "diagnosed", "diagnosed", "diagnosing"],
    ["explore", "explores", "explored", "explored", "exploring"],
    ["swim", "swims", "swam", "swum", "swimming"],
    ["hike", "hikes", "hiked", "hiked", "hiking"],
    ["dance", "dances", "danced", "danced", "dancing"],
    ["sing", "sings", "sang", "sung", "singing"],
    ["ski", "skis", "skied", "skied", "skiing"],
    ["surf", "surfs", "surfed", "surfed", "surfing"],
    ["jog", "jogs", "jogged", "jogged", "jogging"],
    ["garden", "gardens", "gardened", "gardened", "gardening"],
    ["cycle", "cycles", "cycled", "cycled", "cycling"],
    ["sketch", "sketches", "sketched", "sketched", "sketching"],
    ["meditate", "meditates", "meditated", "meditated", "meditating"],
    ["commute", "commutes", "commuted", "commuted", "commuting"],
    ["exercise", "exercises", "exercised", "exercised", "exercising"],
    ["eat", "eats", "ate", "eaten", "eating"],
    ["drink", "drinks", "drank", "drunk", "drinking"],
    ["call", "calls", "called", "called", "calling"],
    ["teach", "teaches", "taught", "taught", "teaching"],
    ["coach", "coaches", "coached", "coached", "coaching"],
    ["walk", "walks", "walked", "walked", "walking"],
    ["organize", "organizes", "organized", "organized", "organizing"],
    ["organise", "organises", "organised", "organised", "organising"],
    ["host", "hosts", "hosted", "hosted", "hosting"],
    ["throw", "throws", "threw", "thrown", "throwing"],
    ["hold", "holds", "held", "held", "holding"],
    ["stay", "stays", "stayed", "stayed", "staying"],
    ["vacation", "vacations", "vacationed", "vacationed", "vacationing"],
    ["head", "heads", "headed", "headed", "heading"],
    ["collect", "collects", "collected", "collected", "collecting"],
    ["kayak", "kayaks", "kayaked", "kayaked", "kayaking"],
    ["camp", "camps", "camped", "camped", "camping"],
    ["climb", "climbs", "climbed", "climbed", "climbing"],
    ["sail", "sails", "sailed", "sailed", "sailing"],
    ["donate", "donates", "donated", "donated", "donating"],
    ["help", "helps", "helped", "helped", "helping"],
    ["spend", "spends", "spent", "spent", "spending"],
    ["beat", "beats", "beat", "beaten", "beating"],
    ["bring", "brings", "brought", "brought", "bringing"],
    ["choose", "chooses", "chose", "chosen", "choosing"],
    ["deal", "deals", "dealt", "dealt", "dealing"],
    ["feel", "feels", "felt", "felt", "feeling"],
    ["find", "finds", "found", "found", "finding"],
    ["hang", "hangs", "hung", "hung", "hanging"],
    ["hear", "hears", "heard", "heard", "hearing"],
    ["hit", "hits", "hit", "hit", "hitting"],
    ["hurt", "hurts", "hurt", "hurt", "hurting"],
    ["keep", "keeps", "kept", "kept", "keeping"],
    ["put", "puts", "put", "put", "putting"],
    ["retake", "retakes", "retook", "retaken", "retaking"],
    ["send", "sends", "sent", "sent", "sending"],
    ["set", "sets", "set", "set", "setting"],
    ["shoot", "shoots", "shot", "shot", "shooting"],
    ["show", "shows", "showed", "shown", "showing"],
    ["spread", "spreads", "spread", "spread", "spreading"],
    ["strive", "strives", "strove", "striven", "striving"],
    ["fight", "fights", "fought", "fought", "fighting"],
    ["overcome", "overcomes", "overcame", "overcome", "overcoming"],
    ["stick", "sticks", "stuck", "stuck", "sticking"],
    ["think", "thinks", "thought", "thought", "thinking"],
    ["unwind", "unwinds", "unwound", "unwound", "unwinding"],
];

/// Further spellings: the word, its lemma, its form.
const OTHERS: &[(&str, &str, VerbForm)] = &[
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
    ("founded", "establish", VerbForm::Past),
    ("founded", "establish", VerbForm::Participle),
    ("knit", "knit", VerbForm::Past),
];

/// A reading of a word: lemma and form.
pub(super) type Reading = (&'static str, VerbForm);

/// The verbs that are inflected by rule.
static REGULAR: LazyLock<Vec<[String; 5]>> = LazyLock::new(|| {
    let list = include_str!("words/verbs.txt").lines().filter(|line| !line.starts_with('#'));
    list.flat_map(|line| line.split(';')).map(inflect).collect()
});

/// Inflects a verb: "plan+n" is "plan", "plans", "planned", "planned", "planning".
fn inflect(entry: &'static str) -> [String; 5] {
    let (lemma, doubled) = entry.split_once('+').unwrap_or((entry, ""));
    let vowel_before_y = ["ay", "ey", "oy", "uy"].iter().any(|ending| lemma.ends_with(ending));
    let stem_in_y = lemma.strip_suffix('y').filter(|_| !vowel_before_y);
    let hisses = ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| lemma.ends_with(ending));
    let third = match stem_in_y {
        Some(stem) => format!("{stem}ies"),
        None if hisses => format!("{lemma}es"),
        None => format!("{lemma}s"),
    };
    let past = match stem_in_y {
        Some(stem) => format!("{stem}ied"),
        None if lemma.ends_with('e') => format!("{lemma}d"),
        None => format!("{lemma}{doubled}ed"),
    };
    let ing = match lemma.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o', 'y'])) {
        Some(stem) => format!("{stem}ing"),
        None => format!("{lemma}{doubled}ing"),
    };
    [lemma.to_owned(), third, past.clone(), past, ing]
}

static FORMS: LazyLock<ByWord<&'static str, Vec<Reading>>> = LazyLock::new(|| {
    let forms = [VerbForm::Base, VerbForm::Third, VerbForm::Past, VerbForm::Participle, VerbForm::Ing];
    let mut map: ByWord<&'static str, Vec<Reading>> = ByWord::default();
    for verb in VERBS {
        for (word, form) in verb.iter().zip(forms) {
            map.entry(word).or_default().push((verb[0], form));
        }
    }
    for verb in REGULAR.iter() {
        for (word, form) in verb.iter().zip(forms) {
            map.entry(word).or_default().push((&verb[0], form));
        }
    }
    for &(word, lemma, form) in OTHERS {
        map.entry(word).or_default().push((lemma, form));
    }
    map
});

/// The -ing forms, by lemma.
static GERUNDS: LazyLock<ByWord<&'static str, &'static str>> = LazyLock::new(|| {
    let listed = VERBS.iter().map(|verb| (verb[0], verb[4]));
    listed.chain(REGULAR.iter().map(|verb| (verb[0].as_str(), verb[4].as_str()))).collect()
});

/// Returns the readings of a word in small letters; none where the patterns do not know it.
pub(super) fn readings(word: &str) -> &'static [Reading] {
    FORMS.get(word).map_or(&[], Vec::as_slice)
}

/// Returns the -ing form of a verb.
pub(super) fn gerund(lemma: &str) -> Option<&'static str> {
    GERUNDS.get(lemma).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_inflected_by_rule() {
        for (entry, forms) in [
            ("plan+n", "plan plans planned planned planning"),
            ("carry", "carry carries carried carried carrying"),
            ("love", "love loves loved loved loving"),
            ("coach", "coach coaches coached coached coaching"),
            ("stay", "stay stays stayed stayed staying"),
            ("free", "free frees freed freed freeing"),
        ] {
            assert_eq!(inflect(entry).join(" "), forms, "{entry}");
        }
    }
}
