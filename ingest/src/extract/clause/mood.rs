//! How a verb is meant: its tense, whether it is denied, intended, or only supposed.

use super::phrase::Clause;
use super::verb::{Reading, VerbForm, readings};

/// How the verb of a clause is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark the words carry, and most combine")]
pub(super) struct Mood {
    /// It looks back: "worked", "was", "did".
    pub(super) past: bool,
    /// "have worked".
    pub(super) perfect: bool,
    /// "am working".
    pub(super) progressive: bool,
    /// "will", "going to", "plan to".
    pub(super) planned: bool,
    /// "not".
    pub(super) negated: bool,
    /// "never".
    pub(super) never: bool,
    /// "no longer".
    pub(super) no_longer: bool,
    /// "used to".
    pub(super) used_to: bool,
}

/// A verb that may be the main one, with the readings its auxiliaries allow.
#[derive(Debug)]
pub(super) struct MainVerb {
    /// The position behind it, and behind a "not" that follows it.
    pub(super) after: usize,
    /// Lemma and form.
    pub(super) readings: Vec<Reading>,
    /// How it is meant.
    pub(super) mood: Mood,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Finite,
    Base,
    Participle,
    Ing,
    /// After "ended up": no progressive.
    Gerund,
    /// After a "'s" that is either "is" or "has".
    ParticipleOrIng,
}

/// Words between subject and verb that change nothing.
pub(super) const ADVERBS: &[&str] = &[
    "really",
    "also",
    "still",
    "now",
    "currently",
    "just",
    "recently",
    "actually",
    "already",
    "always",
    "finally",
    "officially",
    "both",
    "all",
    "absolutely",
    "truly",
    "totally",
    "definitely",
    "genuinely",
    "personally",
    "even",
    "initially",
    "originally",
    "since",
    "usually",
    "often",
    "sometimes",
    "typically",
    "normally",
    "regularly",
    "generally",
    "mostly",
    "mainly",
    "certainly",
    "constantly",
    "honestly",
    "literally",
    "completely",
    "especially",
];

/// Returns the verbs from a position on that may be the main one, in order: "have" in "have moved" comes first.
///
/// Where the words suppose ("would", "might", "could"), nothing behind them is returned.
pub(super) fn main_verbs(clause: &Clause<'_>, from: usize, third: bool) -> Vec<MainVerb> {
    let mut verbs = Vec::new();
    let mut mood = Mood::default();
    let mut expect = Expect::Finite;
    let mut at = from;
    while let Some(token) = clause.token(at) {
        // No verb has a capital where it is not shouted or part of a title, or the first word: "Moved to Oslo".
        if token.capital && at > 0 {
            return verbs;
        }
        let word = token.lower.as_str();
        if ADVERBS.contains(&word) {
            at += 1;
            continue;
        }
        match word {
            "not" if emphasises(clause, at) => return verbs,
            "not" => {
                mood.negated = true;
                at += 1;
                continue;
            }
            "never" => {
                mood.never = true;
                at += 1;
                continue;
            }
            "no" if clause.is(at + 1, "longer") => {
                mood.no_longer = true;
                at += 2;
                continue;
            }
            "can" if expect == Expect::Finite && clause.is(at + 1, "not") => {
                let lemma = match () {
                    () if clause.is(at + 2, "stand") => "cannot stand",
                    () if clause.is(at + 2, "wait") => "cannot wait",
                    () => return verbs,
                };
                verbs.push(MainVerb { after: at + 3, readings: vec![(lemma, VerbForm::Base)], mood });
                return verbs;
            }
            "would" if expect == Expect::Finite => {
                let mut next = at + 1;
                while clause.is_one_of(next, ADVERBS) {
                    next += 1;
                }
                if clause.is_one_of(next, &["love", "like"]) && clause.is(next + 1, "to") {
                    let readings = vec![("would love", VerbForm::Base)];
                    verbs.push(MainVerb { after: next + 1, readings, mood });
                }
                return verbs;
            }
            // "Thrilled to start": the subject and its "be" are left out.
            _ if expect == Expect::Finite && at == from && is_state_of_mind(word) => {
                verbs.push(MainVerb { after: at, readings: vec![("be", VerbForm::Base)], mood });
                return verbs;
            }
            // "Thinking of moving".
            _ if expect == Expect::Finite
                && at == from
                && readings(word).iter().any(|(_, form)| *form == VerbForm::Ing) =>
            {
                expect = Expect::Ing;
                continue;
            }
            // "Been busy with …".
            "been" if expect == Expect::Finite && at == from => {
                mood.perfect = true;
                expect = Expect::Participle;
                continue;
            }
            _ => {}
        }
        let fitting: Vec<Reading> = if word == "'s" {
            vec![("be", VerbForm::Third)]
        } else {
            readings(word).iter().copied().filter(|(_, form)| fits(*form, expect, third)).collect()
        };
        let past = fitting.iter().any(|(_, form)| *form == VerbForm::Past);
        if !fitting.is_empty() {
            let be = fitting.iter().any(|(lemma, _)| *lemma == "be");
            let (mood, after) = if be { denied_behind(clause, at + 1, mood) } else { (mood, at + 1) };
            verbs.push(MainVerb {
                after,
                mood: Mood {
                    past: mood.past || (past && expect == Expect::Finite),
                    progressive: mood.progressive
                        || (expect != Expect::Gerund
                            && fitting.iter().any(|(_, form)| *form == VerbForm::Ing)),
                    perfect: mood.perfect
                        || (expect == Expect::ParticipleOrIng
                            && fitting.iter().all(|(_, form)| *form != VerbForm::Ing)),
                    ..mood
                },
                readings: fitting.clone(),
            });
        }
        let is = |lemma: &str| fitting.iter().any(|(fitting, _)| *fitting == lemma);
        let to_verb =
            |at: usize| clause.is(at, "to") && clause.token(at + 1).is_some_and(|token| !token.capital);
        match word {
            "used" if expect == Expect::Finite && to_verb(at + 1) => {
                mood.used_to = true;
                expect = Expect::Base;
                at += 2;
            }
            "do" | "does" | "did" if expect == Expect::Finite => {
                mood.past |= word == "did";
                expect = Expect::Base;
                at += 1;
            }
            "will" | "shall" if expect == Expect::Finite => {
                mood.planned = true;
                expect = Expect::Base;
                at += 1;
            }
            "going" | "planning" | "about" | "set" | "scheduled"
                if matches!(expect, Expect::Ing | Expect::ParticipleOrIng) && to_verb(at + 1) =>
            {
                mood.planned = true;
                expect = Expect::Base;
                at += 2;
            }
            "plan" | "plans" | "intend" | "intends" if expect == Expect::Finite && to_verb(at + 1) => {
                mood.planned = true;
                expect = Expect::Base;
                at += 2;
            }
            "decided" if to_verb(at + 1) => {
                // A decision is made in the past for a time to come.
                mood.planned = true;
                mood.past = false;
                expect = Expect::Base;
                at += 2;
            }
            "ended" if clause.is(at + 1, "up") => {
                mood.past = true;
                expect = Expect::Gerund;
                at += 2;
            }
            "managed" | "got" if expect == Expect::Finite && to_verb(at + 1) => {
                mood.past = true;
                expect = Expect::Base;
                at += 2;
            }
            "'s" => {
                expect = Expect::ParticipleOrIng;
                at += 1;
            }
            "have" | "has" if expect == Expect::Finite => {
                mood.perfect = true;
                expect = Expect::Participle;
                at += 1;
            }
            _ if is("be") => {
                mood.past |= past && expect == Expect::Finite;
                mood.perfect |= word == "been";
                expect = Expect::Ing;
                at += 1;
            }
            _ => return verbs,
        }
    }
    verbs
}

/// Says whether a word tells how one feels about what one does, as in "excited to", "grateful for".
pub(super) fn is_state_of_mind(word: &str) -> bool {
    [
        "excited",
        "thrilled",
        "stoked",
        "ready",
        "determined",
        "motivated",
        "eager",
        "grateful",
        "thankful",
        "passionate",
        "obsessed",
        "committed",
        "interested",
        "keen",
    ]
    .contains(&word)
}

/// Says whether a "not" denies nothing: "not just an artist".
fn emphasises(clause: &Clause<'_>, at: usize) -> bool {
    clause.is(at, "not")
        && clause.is_one_of(at + 1, &["just", "only", "simply", "merely", "necessarily", "always"])
}

/// Reads "not", "never" and adverbs behind "am", "is", "was".
fn denied_behind(clause: &Clause<'_>, from: usize, mut mood: Mood) -> (Mood, usize) {
    let mut at = from;
    loop {
        if emphasises(clause, at) {
            // No phrase starts here: the verb fits nothing.
            return (mood, at);
        }
        if clause.is(at, "not") {
            mood.negated = true;
        } else if clause.is(at, "never") {
            mood.never = true;
        } else if clause.are(at, &["no", "longer"]) {
            mood.no_longer = true;
            at += 1;
        } else if !clause.is_one_of(at, ADVERBS) {
            return (mood, at);
        }
        at += 1;
    }
}

fn fits(form: VerbForm, expect: Expect, third: bool) -> bool {
    match expect {
        Expect::Finite => {
            form == VerbForm::Past || form == if third { VerbForm::Third } else { VerbForm::Base }
        }
        Expect::Base => form == VerbForm::Base,
        Expect::Participle => form == VerbForm::Participle,
        Expect::Ing | Expect::Gerund => form == VerbForm::Ing,
        Expect::ParticipleOrIng => matches!(form, VerbForm::Ing | VerbForm::Participle),
    }
}

/// Says whether a mood is more than plain telling.
pub(super) fn is_marked(mood: Mood) -> bool {
    mood.planned || mood.negated || mood.never || mood.no_longer || mood.used_to
}
