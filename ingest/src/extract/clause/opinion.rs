//! What the speaker holds to be so, and what they advise: "I think it's important to stand up for others", "you should
//! try yoga", "look for a company that shares your values".

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::lexicon;
use super::mood::ADVERBS;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::span_of;
use super::token::Kind;
use super::verb::{VerbForm, readings};
use crate::candidate::Form;

const CONFIDENCE: f64 = 0.7;

/// Fewer words say too little to be kept, of an opinion and of advice.
const FEWEST_WORDS: (usize, usize) = (4, 2);

impl Reader<'_> {
    /// Reads an opinion or a piece of advice; says whether there is one. Only what opens its sentence can be a command.
    pub(super) fn opinion(&mut self, clause: &Clause<'_>, at: usize, opens: bool) -> bool {
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() == "person").cloned() else {
            return false;
        };
        if let Some(from) = advice(clause, at, opens) {
            return self.hold(clause, at, from, speaker, ("advised", "opinion.advised/1"), Form::Event);
        }
        match belief(clause, at) {
            Some(from) => {
                self.hold(clause, at, from, speaker, ("believes", "opinion.believes/1"), Form::State)
            }
            None => false,
        }
    }

    fn hold(
        &mut self,
        clause: &Clause<'_>,
        at: usize,
        from: usize,
        speaker: EntityRef,
        (predicate, rule): (&'static str, &'static str),
        form: Form,
    ) -> bool {
        let mut end = clause.tokens.len();
        while end > from
            && clause.tokens[end - 1].kind != Kind::Word
            && clause.tokens[end - 1].kind != Kind::Opaque
        {
            end -= 1;
        }
        let n_words = clause.tokens[from..end].iter().filter(|token| token.kind == Kind::Word).count();
        let fewest = if form == Form::State { FEWEST_WORDS.0 } else { FEWEST_WORDS.1 };
        if n_words < fewest || (self.goes_on && form == Form::State) {
            return false;
        }
        let span = span_of(clause, at);
        let words = self.text[clause.tokens[from].span.start..clause.tokens[end - 1].span.end].to_owned();
        let dated =
            if form == Form::State { span.start..clause.tokens[from].span.start } else { span.clone() };
        self.affirm(Affirmed {
            subject: speaker,
            predicate,
            key: String::new(),
            object: Some(Object::Text(words)),
            form,
            confidence: CONFIDENCE,
            span,
            rule,
        });
        if let (Some(candidate), Form::State) = (self.found.last_mut(), form) {
            // The times it speaks of are not those at which it is held.
            candidate.when = crate::candidate::When::Said { form, clause: dated };
        }
        true
    }
}

/// Returns where what the speaker believes starts.
fn belief(clause: &Clause<'_>, at: usize) -> Option<usize> {
    const HOLDING: &[&str] =
        &["think", "believe", "realized", "realised", "learned", "learnt", "agree", "reckon"];
    if clause.is_one_of(at, &["i", "we"]) {
        let mut verb = at + 1;
        while clause.is_one_of(verb, ADVERBS)
            || clause.is_one_of(verb, &["do", "have", "strongly", "firmly", "honestly"])
        {
            verb += 1;
        }
        if !clause.is_one_of(verb, HOLDING) {
            return None;
        }
        let from = verb + 1 + usize::from(clause.is_one_of(verb + 1, &["that", "like"]));
        return states(clause, from).then_some(from);
    }
    impersonal(clause, at).then_some(at)
}

/// Says whether a clause of its own starts here, about something that is named.
fn states(clause: &Clause<'_>, from: usize) -> bool {
    const VERBS: &[&str] = &[
        "is", "are", "'s", "was", "were", "can", "should", "will", "has", "have", "makes", "helps", "brings",
        "takes", "needs", "need", "deserves", "deserve", "matters", "matter", "works", "gives",
    ];
    if impersonal(clause, from) {
        return true;
    }
    let pointed = clause.token(from).is_none_or(|first| {
        lexicon::is_pointing(&first.lower)
            && !first.is_one_of(&["we", "our", "my", "everyone", "everybody", "nobody"])
    });
    let names = !pointed && (from + 1..from + 8).any(|at| clause.is_one_of(at, VERBS));
    names
        && !clause
            .any(from, &["you", "your", "yours", "it", "he", "she", "they", "them", "him", "her", "their"])
}

/// Says whether a clause judges a doing: "it's important to be patient".
fn impersonal(clause: &Clause<'_>, at: usize) -> bool {
    let mut next = at + 1;
    if !(clause.is(at, "it") && clause.is_one_of(next, &["is", "'s"])) {
        return false;
    }
    next += 1;
    while clause.is_one_of(next, ADVERBS)
        || clause.is_one_of(next, &["so", "super", "very", "all", "pretty", "such", "a"])
    {
        next += 1;
    }
    let judged = clause.token(next).is_some_and(|token| lexicon::is_quality(&token.lower));
    judged
        && clause.is_one_of(next + 1, &["to", "how", "when"])
        && !clause.is_one_of(next + 2, &["me", "us"])
        && !clause.any(
            next,
            &[
                "you", "your", "hear", "see", "it", "that", "he", "she", "they", "them", "him", "her",
                "their", "each",
            ],
        )
}

/// Returns where a piece of advice starts.
fn advice(clause: &Clause<'_>, at: usize, opens: bool) -> Option<usize> {
    let at = at + usize::from(clause.is_one_of(at, &["maybe", "perhaps"]) && clause.is(at + 1, "you"));
    // "Sometimes you need to draw a card" tells of the rules.
    if clause.any(0, &["sometimes", "usually"]) {
        return None;
    }
    if clause.is(at, "you") {
        let mut verb = at + 1;
        while clause.is_one_of(verb, ADVERBS) {
            verb += 1;
        }
        let from = match () {
            () if clause.is_one_of(verb, &["should", "could"]) => verb + 1,
            () if clause.is_one_of(verb, &["need", "have", "ought"]) && clause.is(verb + 1, "to") => verb + 2,
            () if clause.are(verb, &["might", "want", "to"]) => verb + 3,
            () => return None,
        };
        let from = from + usize::from(clause.is_one_of(from, ADVERBS));
        return (base(clause, from) && !clause.is_one_of(from, &["be", "have", "see", "know"]))
            .then_some(from);
    }
    if clause.are(at, &["let", "'s"]) {
        let talks = clause.is_one_of(at + 2, &["see", "catch", "chat", "talk", "hope", "meet", "go", "stay"])
            || clause.are(at + 2, &["keep", "up"])
            || clause.are(at + 2, &["keep", "in"]);
        return (base(clause, at + 2)
            && !talks
            && !clause.any(at + 2, &["it", "that", "this", "you", "them"]))
        .then_some(at);
    }
    if clause.is(at, "i") {
        let verb = at + 1 + usize::from(clause.is_one_of(at + 1, &["would", "highly", "definitely"]));
        let verb = verb + usize::from(clause.is_one_of(verb, &["highly", "definitely", "really"]));
        let from = verb + 1;
        let named = clause.token(from).is_some_and(|next| !lexicon::is_pointing(&next.lower));
        let pointed = clause.any(from, &["it", "that", "them", "this"]);
        return (clause.is_one_of(verb, &["recommend", "suggest"]) && named && !pointed).then_some(from);
    }
    opens.then(|| imperative(clause, at)).flatten()
}

fn base(clause: &Clause<'_>, at: usize) -> bool {
    clause
        .token(at)
        .is_some_and(|token| readings(&token.lower).iter().any(|(_, form)| *form == VerbForm::Base))
}

/// Reads "focus on a balanced diet", "don't forget to rest".
fn imperative(clause: &Clause<'_>, at: usize) -> Option<usize> {
    const ADVISING: &[&str] = &[
        "avoid",
        "ask",
        "celebrate",
        "cherish",
        "collect",
        "continue",
        "create",
        "develop",
        "do",
        "enjoy",
        "explore",
        "gather",
        "give",
        "invest",
        "learn",
        "let",
        "limit",
        "live",
        "manage",
        "move",
        "open",
        "reduce",
        "respect",
        "share",
        "speak",
        "support",
        "teach",
        "track",
        "train",
        "work",
        "balance",
        "be",
        "believe",
        "choose",
        "check",
        "consider",
        "eat",
        "embrace",
        "exercise",
        "find",
        "focus",
        "follow",
        "get",
        "go",
        "join",
        "keep",
        "listen",
        "look",
        "make",
        "pick",
        "plan",
        "practice",
        "prepare",
        "put",
        "reach",
        "read",
        "remember",
        "research",
        "rest",
        "save",
        "set",
        "stay",
        "start",
        "stick",
        "surround",
        "take",
        "talk",
        "think",
        "treat",
        "trust",
        "try",
        "use",
        "watch",
        "write",
    ];
    // What people say to be polite.
    const PHRASES: &[&[&str]] = &[
        &["keep", "it"],
        &["keep", "up"],
        &["keep", "me"],
        &["keep", "us"],
        &["keep", "in"],
        &["take", "care"],
        &["take", "a", "look"],
        &["take", "your"],
        &["look", "at"],
        &["look", "what"],
        &["check", "it"],
        &["check", "this"],
        &["get", "well"],
        &["be", "proud"],
        &["stay", "tuned"],
        &["talk", "to", "you"],
        &["talk", "soon"],
        &["think", "you"],
        &["make", "me"],
        &["go", "you"],
        &["watch", "this"],
        &["ask", "me"],
        &["believe", "me"],
        &["trust", "me"],
        &["look", "forward"],
        &["keep", "that"],
        &["keep", "your"],
        &["remember", "that"],
        &["remember", "when"],
        &["get", "your"],
        &["read", "about"],
        &["set", "to"],
        &["keep", "going"],
        &["remember", "how"],
        &["look", "like"],
        &["let", "me"],
        &["let", "us"],
        &["check", "out", "the"],
        &["check", "out", "my"],
        &["check", "out", "what"],
        &["speak", "to", "you"],
        &["speak", "soon"],
        &["respect", "for"],
        &["support", "from"],
        &["work", "on"],
        &["do", "you"],
        &["share", "your"],
        &["do", "not"],
        &["enjoy", "your"],
        &["enjoy", "the"],
        &["give", "me"],
        &["work", "has"],
        &["work", "is"],
        &["live", "well"],
    ];
    const NOT_ONES_OWN: &[&str] = &["me", "i", "we", "it", "that", "this", "them", "us", "my", "our"];
    let denied = clause.is(at, "do") && clause.is(at + 1, "not");
    let always = clause.is_one_of(at, &["always", "never", "please"]);
    let verb = at + if denied { 2 } else { usize::from(always) };
    let advising = if denied || always { base(clause, verb) } else { clause.is_one_of(verb, ADVISING) };
    let polite = PHRASES.iter().any(|phrase| clause.are(verb, phrase))
        || clause.is_one_of(verb, &["worry", "mind", "forget", "think", "know", "get"])
            && denied
            && !clause.are(verb, &["forget", "to"]);
    let own =
        clause.tokens[verb.min(clause.tokens.len())..].iter().any(|token| token.is_one_of(NOT_ONES_OWN));
    // "Exercise is going well".
    let named = clause.is_one_of(verb + 1, &["is", "are", "was", "were", "'s", "has", "helps"]);
    // "Take time" and the like say too little by themselves.
    let short = clause.tokens.len() < verb + 3;
    (advising && !polite && !own && !named && !short).then_some(if denied { at } else { verb })
}
