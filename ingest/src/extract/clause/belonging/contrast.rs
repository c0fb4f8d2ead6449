//! What a turn takes back of where one works, lives or takes part: "Sorry, I work at Beta, not Acme", "What I said about
//! Acme was wrong, I never worked there".
//!
//! It takes a word that says that something was wrong, and one name that is left over: what the turn says is so
//! instead tells the predicate; without that, the words beside the name do. What is taken back was never so.

use bygone_engine::{EntityRef, Modality, Object, Polarity};

use super::PREDICATES;
use super::table::Kind;
use crate::candidate::{Candidate, Form, When};
use crate::extract::clause::lexicon;
use crate::extract::clause::phrase::Clause;
use crate::extract::clause::token::{Kind as TokenKind, Sentence, Token};

/// The words of a turn, sentence after sentence.
#[derive(Default)]
pub(in crate::extract::clause) struct Turn {
    tokens: Vec<Token>,
    /// Where each sentence starts.
    starts: Vec<usize>,
    asks: bool,
    /// Whether there are more words than a correction has.
    is_long: bool,
}

/// Words of the longest turn that is read as a correction (chosen, untested).
const MAX_TOKENS: usize = 200;

impl Turn {
    /// Takes the words of a sentence.
    pub(in crate::extract::clause) fn hear(&mut self, sentence: &mut Sentence) {
        self.is_long |= self.tokens.len() + sentence.tokens.len() > MAX_TOKENS;
        if !self.is_long {
            self.starts.push(self.tokens.len());
            self.tokens.append(&mut sentence.tokens);
            self.asks |= sentence.asks;
        }
    }
}

/// Words by which one takes something back.
const WRONG: &[&str] = &[
    "wrong",
    "mistake",
    "misspoke",
    "correction",
    "correct",
    "scratch",
    "strike",
    "oops",
    "slip",
    "mix-up",
    "confused",
    "confusion",
    "error",
    "fix",
    "forget",
    "mixed",
    "delete",
];

/// The same in several words.
const WRONG_PHRASES: &[&[&str]] = &[
    &["i", "meant"],
    &["should", "have", "said"],
    &["not", "right"],
    &["not", "true"],
    &["take", "it", "back"],
    &["take", "that", "back"],
    &["for", "the", "record"],
    &["never", "did"],
    &["never", "was"],
    &["and", "never"],
    &["at", "no", "point"],
    &["at", "any", "time"],
    &["never", "happened"],
    &["never", "worked"],
    &["never", "lived"],
    &["never", "on"],
    &["never", "part"],
    &["never", "a", "member"],
];

/// The first words of those.
const WRONG_OPENERS: &[&str] = &["i", "should", "not", "take", "for", "never", "and", "at"];

/// Words that take something back only where a name is denied beside them: "Sorry, I work at Beta, not Acme".
const WEAK: &[&str] = &["sorry", "actually", "ever"];

/// Words behind which a name is what was told: "I told you Acme", "what I said about Acme".
const TOLD: &[&str] = &[
    "not", "never", "about", "said", "say", "saying", "you", "as", "told", "worked", "work", "working",
    "lived", "live", "living", "was", "am", "been", "have", "job", "move", "joined", "member", "part",
    "being",
];

/// Words beside which a name is one of an employer's, of a home's, of a project's.
const WORK: &[&str] = &["work", "worked", "working", "works", "employer", "company", "job", "employed"];
const HOME: &[&str] = &["live", "lived", "living", "home", "city", "flat", "moved", "move", "resident"];
const PROJECT: &[&str] = &["project", "team", "member", "joined", "on", "part", "being"];

/// Settles what a turn says against what it takes back: returns the candidates without what was taken back, and with that
/// it never was so.
pub(in crate::extract::clause) fn settle(
    text: &str,
    turn: &Turn,
    speaker: Option<&EntityRef>,
    mut candidates: Vec<Candidate>,
) -> Vec<Candidate> {
    let Some(speaker) = speaker.filter(|speaker| speaker.kind() == "person") else {
        return candidates;
    };
    if turn.asks || turn.is_long {
        return candidates;
    }
    let clause = Clause { text, tokens: &turn.tokens, times: &[] };
    let (Some(first), Some(last)) = (turn.tokens.first(), turn.tokens.last()) else { return candidates };
    let is_strong = takes_back(&turn.tokens);
    if !(is_strong || clause.any(0, WEAK)) {
        return candidates;
    }
    let mut names = names(&clause, &turn.starts);
    names.retain(|name| is_strong || name.denied || clause.any(0, &["ever"]));
    let said =
        |candidate: &&Candidate| PREDICATES.contains(&candidate.predicate) && candidate.subject == *speaker;
    let is_so = |candidate: &&Candidate| {
        said(candidate)
            && candidate.polarity == Polarity::Affirm
            && matches!(candidate.when, When::Said { form: Form::State, .. })
    };
    let so: Vec<(&'static str, String)> =
        candidates.iter().filter(is_so).filter_map(|one| Some((one.predicate, name_of(one)?))).collect();
    let Some(kind) = kind_of(&clause, so.first().map(|(predicate, _)| *predicate), &names) else {
        return candidates;
    };
    let bare = |name: &str| kind_name(kind, name);
    let (right, wrong) = match (so.as_slice(), names.as_slice()) {
        ([(_, right)], names) => {
            let others: Vec<&Named> = names
                .iter()
                .filter(|name| bare(&name.name) != *right)
                .filter(|name| name.denied || (name.told && is_strong))
                .collect();
            match others.as_slice() {
                [wrong, rest @ ..] if rest.iter().all(|other| other.name == wrong.name) => {
                    (None, bare(&wrong.name))
                }
                _ => return candidates,
            }
        }
        ([], [one, rest @ ..]) if one.told && rest.iter().all(|other| other.name == one.name) => {
            let never = candidates
                .iter()
                .filter(said)
                .any(|candidate| matches!(candidate.when, When::Said { form: Form::Never, .. }));
            if never {
                return candidates;
            }
            (None, bare(&one.name))
        }
        // "I meant Beta, not Acme", "it isn't Acme I work for, it's Beta".
        ([], [one, other]) if one.denied != other.denied => {
            let (right, wrong) = if one.denied { (other, one) } else { (one, other) };
            (Some(bare(&right.name)), bare(&wrong.name))
        }
        _ => return candidates,
    };
    // What is taken back already, of whatever it was said, is no more so here.
    let is_denied = |candidate: &Candidate| {
        matches!(candidate.when, When::Said { form: Form::Never, .. })
            && name_of(candidate).as_ref() == Some(&wrong)
    };
    if candidates.iter().any(is_denied) {
        return candidates;
    }
    candidates.retain(|candidate| !(said(&candidate) && name_of(candidate).as_ref() == Some(&wrong)));
    let span = first.span.start..last.span.end;
    let tell = |name: &str, form: Form| {
        let object = EntityRef::new(kind.entity_type(), name).ok()?;
        Some(Candidate {
            subject: speaker.clone(),
            predicate: kind.predicate(),
            key: String::new(),
            object: Some(Object::Entity(object)),
            polarity: Polarity::Affirm,
            when: When::Said { form, clause: span.end..span.end },
            modality: Modality::Actual,
            authority: bygone_engine::Authority::User,
            confidence: 0.7,
            span: span.clone(),
            context: Vec::new(),
            rule: kind.rule(),
        })
    };
    candidates.extend(tell(&wrong, Form::Never));
    candidates.extend(right.and_then(|right| tell(&right, Form::State)));
    candidates
}

fn name_of(candidate: &Candidate) -> Option<String> {
    candidate.object.as_ref().and_then(Object::entity).map(|entity| entity.name().to_owned())
}

fn kind_name(kind: Kind, name: &str) -> String {
    let bare = name.strip_prefix("Project ").filter(|_| kind == Kind::Project);
    bare.unwrap_or(name).to_owned()
}

fn takes_back(tokens: &[Token]) -> bool {
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let stands = |at: usize, phrase: &&[&str]| {
        let mut words = tokens[at..].iter().filter(is_word);
        phrase.iter().all(|word| words.next().is_some_and(|token| token.is(word)))
    };
    let opens = |at: &usize| tokens[*at].is_one_of(WRONG_OPENERS);
    tokens.iter().any(|token| token.is_one_of(WRONG))
        || (0..tokens.len()).filter(opens).any(|at| WRONG_PHRASES.iter().any(|phrase| stands(at, phrase)))
}

/// A name of the turn.
struct Named {
    name: String,
    /// Whether "not" stands before it.
    denied: bool,
    /// Whether it stands behind a word that tells that it was told.
    told: bool,
}

/// Returns the names of a turn that may be employers, homes or projects.
fn names(clause: &Clause<'_>, starts: &[usize]) -> Vec<Named> {
    let mut names: Vec<Named> = Vec::new();
    let mut at = 0;
    while at < clause.tokens.len() {
        let negates = clause.is_one_of(at, &["not", "no", "sorry", "correction", "actually"]);
        let Some((name, end)) = clause.name_run(at).filter(|_| !negates) else {
            at += 1;
            continue;
        };
        // What opens a sentence is a name where it is one elsewhere, too, or where a verb follows it.
        let opens = starts.contains(&at);
        let is_subject = clause.is_one_of(end, &["is", "was", "never", "has"]);
        let ordinary = opens && end - at == 1 && !is_subject;
        if !ordinary && !lexicon::is_no_name(&name.to_lowercase()) {
            let mut before = at;
            while before > 0 && clause.is_one_of(before - 1, &["at", "in", "on", "for", "of", "to", "the"]) {
                before -= 1;
            }
            let denied = before > 0 && clause.is_one_of(before - 1, &["not", "never"]);
            let told = before > 0 && clause.is_one_of(before - 1, TOLD);
            // "Not Acme, sorry!".
            names.push(Named { name, denied, told: told || denied });
        }
        at = end;
    }
    names
}

/// Returns what is spoken of: what the turn says is so, else what its words tell.
fn kind_of(clause: &Clause<'_>, so: Option<&'static str>, names: &[Named]) -> Option<Kind> {
    let of = |predicate: &str| match predicate {
        "works_at" => Kind::Employer,
        "lives_in" => Kind::Home,
        _ => Kind::Project,
    };
    if let Some(predicate) = so {
        return Some(of(predicate));
    }
    let is_project = |name: &Named| name.name.starts_with("Project ");
    let stops = clause.tokens.iter().all(|token| token.kind != TokenKind::Opaque);
    match () {
        () if !stops || names.is_empty() => None,
        () if names.iter().all(is_project) && clause.any(0, PROJECT) => Some(Kind::Project),
        () if names.iter().any(is_project) => None,
        () if clause.any(0, WORK) => Some(Kind::Employer),
        () if clause.any(0, HOME) => Some(Kind::Home),
        () => None,
    }
}
