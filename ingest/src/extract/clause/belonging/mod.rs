//! What one belongs to, told in a whole sentence: an employer, a home, a project.
//!
//! The patterns of the table read a verb whose subject is a person. People also say "my employer is Acme", "Acme hired me",
//! "my time in Lisbon ended", "since 2018 it's been Acme for me". A [line](lines) says what stands before the verb,
//! which verbs it may be, and what stands behind it, in a sentence from which times, adverbs and stops were taken out
//! ([`reduced`]); the verb's tense and the kind of line give the form.
//!
//! Invariant: a sentence is read only where every word of it is part of the line, or among those that add nothing. What
//! is read here takes the place of what the clauses of the sentence said of the same predicate.
//!
//! What is taken back, and what is named in its place, is found over the whole turn ([`contrast`]).

mod contrast;
mod former;
mod lines;
mod needed;
mod reduced;
mod table;
mod tense;

use std::sync::LazyLock;

use bygone_engine::{EntityRef, Modality, Object, Polarity};
use bygone_ontology::timex::Kind as TimeKind;

use super::cues::is_aside;
use super::fill::{CLUBS, PLATFORMS, is_school};
use super::lexicon;
use super::phrase::Clause;
use super::reader::Reader;
use super::split::parts;
use super::token::{Sentence, Token};
use crate::candidate::{Candidate, Form, When};

pub(super) use contrast::{Turn, settle};
use lines::LINES;
use needed::Needed;
use reduced::Reduced;
use table::{Class, Kind};

/// Every line, ready to be laid over sentences.
static READY: LazyLock<Needed> = LazyLock::new(|| Needed::of(LINES));

/// The predicates that are read here.
const PREDICATES: &[&str] = &["works_at", "lives_in", "member_of"];

/// The least confidence of what is read here: as of the patterns.
const CONFIDENCE: f64 = 0.85;

/// What a sentence says.
struct Told {
    kind: Kind,
    name: String,
    form: Form,
}

impl Reader<'_> {
    /// Reads a sentence as one of the lines. What its clauses say of the same is left to [`Reader::belonging_instead`].
    pub(super) fn belonging(&self, sentence: &Sentence) -> Vec<Candidate> {
        let is_person = self.speaker.is_some_and(|speaker| speaker.kind() == "person");
        if sentence.asks || !is_person || !may_tell(&sentence.tokens) {
            return Vec::new();
        }
        if let Some(former) = self.former(sentence) {
            return vec![former];
        }
        let Some(reduced) = self.reduced(&sentence.tokens) else {
            return Vec::new();
        };
        if let Some(told) = self.told(&reduced, &sentence.tokens) {
            return vec![told];
        }
        // "What I said was wrong, I'm on Project Onyx": a clause may be a line by itself.
        let clauses = parts(&sentence.tokens).into_iter().filter(|part| part.link.tells());
        let told = clauses.filter_map(|part| {
            let tokens = &sentence.tokens[part.tokens];
            self.told(&self.reduced(tokens)?, tokens)
        });
        told.collect()
    }

    /// Takes out of some words what can be, where a line may fit what is left.
    fn reduced(&self, tokens: &[Token]) -> Option<Reduced<'_>> {
        may_fit(tokens).then(|| Reduced::of(self.text, self.said_at, &self.times, tokens)).flatten()
    }

    /// Reads some words as one of the lines.
    fn told(&self, reduced: &Reduced<'_>, tokens: &[Token]) -> Option<Candidate> {
        let told = READY.lines(&reduced.tokens).find_map(|parted| {
            let (kind, name, tense) = parted.fit(reduced, &is_kind)?;
            let form = form(parted.line.class, tense, reduced)?;
            Some(Told { kind, name, form })
        })?;
        // A second job stands beside the first: the patterns know how.
        let is_second = is_aside(&Clause { text: self.text, tokens, times: &[] });
        (!(is_second && told.form == Form::State)).then(|| self.belongs(&told, reduced)).flatten()
    }

    fn belongs(&self, told: &Told, reduced: &Reduced<'_>) -> Option<Candidate> {
        let object = EntityRef::new(told.kind.entity_type(), &told.name).ok()?;
        // "These days" is no time that bounds it.
        let clause =
            if reduced.is_dated() { reduced.span.clone() } else { reduced.span.end..reduced.span.end };
        Some(Candidate {
            subject: self.speaker.cloned()?,
            predicate: told.kind.predicate(),
            key: String::new(),
            object: Some(Object::Entity(object)),
            polarity: Polarity::Affirm,
            when: When::Said { form: told.form, clause },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: CONFIDENCE,
            span: reduced.span.clone(),
            context: Vec::new(),
            rule: told.kind.rule(),
        })
    }

    /// Puts what a whole sentence says in the place of what its clauses said of it, from the candidate `n_before` on.
    pub(super) fn belonging_instead(&mut self, whole: Vec<Candidate>, n_before: usize) {
        if whole.is_empty() {
            return;
        }
        let clauses = self.found.split_off(n_before);
        let takes_place = |candidate: &Candidate, found: &Candidate| {
            let is_same = candidate.subject == found.subject
                && (PREDICATES.contains(&found.predicate) || candidate.predicate == found.predicate);
            // "Lisbon is my home" describes no Lisbon.
            let object = candidate.object.as_ref().and_then(Object::entity);
            let is_described = found.predicate == "described_as" && object == Some(&found.subject);
            let covers = candidate.span.start <= found.span.start && found.span.end <= candidate.span.end;
            covers && (is_same || is_described)
        };
        let is_told = |found: &Candidate| whole.iter().any(|candidate| takes_place(candidate, found));
        self.found.extend(clauses.into_iter().filter(|found| !is_told(found)));
        self.found.extend(whole);
    }
}

/// Says whether a sentence is of the speaker, names something, and is short enough to be a line (chosen, untested).
fn may_tell(tokens: &[Token]) -> bool {
    const MAX_TOKENS: usize = 40;
    let own = tokens.iter().any(|token| token.is_one_of(&["i", "we", "my", "me", "mine"]));
    own && tokens.len() <= MAX_TOKENS && tokens.iter().any(|token| token.capital && !token.is("i"))
}

/// Says whether a line may fit some words, or what is left of them without times and what adds nothing.
fn may_fit(tokens: &[Token]) -> bool {
    READY.lines(tokens).next().is_some()
}

/// Says whether a name can be what a line of a kind speaks of.
fn is_kind(kind: Kind, name: &str, called: bool) -> bool {
    let is_project = called || name.starts_with("Project ");
    match kind {
        Kind::Project => is_project,
        Kind::Employer => {
            let is_joined = name.split(' ').any(|word| CLUBS.contains(&word)) || PLATFORMS.contains(&name);
            let is_person = lexicon::is_given_name(name) && !name.contains(' ');
            !(is_project || is_joined || is_person || is_school(name))
        }
        Kind::Home => !is_project && !lexicon::is_no_place(name),
        Kind::KnownHome => !is_project && lexicon::is_place(name),
    }
}

/// Returns the form in which a line is said; nothing where its tense and its times do not fit.
fn form(class: Class, tense: tense::Tense, reduced: &Reduced<'_>) -> Option<Form> {
    use tense::Base;
    let has = |kind: TimeKind| reduced.times.iter().any(|time| time.kind == kind);
    let since = has(TimeKind::Since);
    let stretch = has(TimeKind::Span) || has(TimeKind::Until);
    let bounded = stretch || has(TimeKind::Point);
    if tense.never {
        return (class != Class::End).then_some(Form::Never);
    }
    if tense.denied {
        let over = matches!(class, Class::State | Class::WorkState) && tense.base == Base::Now;
        return over.then_some(Form::NoLonger);
    }
    match class {
        Class::SinceState if !since => None,
        Class::DatedState if !since && !stretch => None,
        Class::GoingState if !since && !stretch && !reduced.goes_on && !reduced.is_of_work => None,
        Class::WorkState if !since && !stretch && !reduced.is_of_work => None,
        Class::State | Class::SinceState | Class::DatedState | Class::GoingState | Class::WorkState => {
            match tense.base {
                Base::Now if !bounded || since => Some(Form::State),
                Base::Perfect if since => Some(Form::State),
                Base::Perfect | Base::Past | Base::UsedTo if bounded => Some(Form::Was),
                Base::UsedTo => Some(Form::UsedTo),
                Base::Now | Base::Perfect | Base::Past => None,
            }
        }
        // Nothing comes to be so from a date to another.
        Class::Change | Class::End if stretch => None,
        Class::Change => matches!(tense.base, Base::Past | Base::Perfect).then_some(Form::Change),
        Class::End => matches!(tense.base, Base::Past | Base::Perfect).then_some(Form::Ended),
    }
}
