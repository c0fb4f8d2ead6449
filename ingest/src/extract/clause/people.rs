//! People and animals by what they are to the speaker, and names: what is said of them without a pattern.

use std::ops::Range;

use bygone_engine::{EntityRef, Modality, Object, Polarity};

use super::cues::{any_more, hedged};
use super::form::{self, Signs};
use super::kin::{self, Introduction, Kin};
use super::lexicon;
use super::pattern::Class;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::{Scene, span_of};
use super::split::Part;
use super::subject::{Mention, Subject, Who};
use super::token::Token;
use crate::candidate::{Candidate, Form, When};

/// Finds every "my sister Anna" of a sentence.
pub(super) fn introductions(text: &str, tokens: &[Token]) -> Vec<Introduction> {
    let clause = Clause { text, tokens, times: &[] };
    (0..tokens.len()).filter_map(|at| kin::introduction(&clause, at)).collect()
}

/// Returns the type of those who are called so.
fn kind_of(kin: Kin) -> &'static str {
    if kin.predicate == "has_pet" { "animal" } else { "person" }
}

impl Reader<'_> {
    /// Puts down a "my sister Anna"; where the words behind say that she died, what that ends.
    pub(super) fn introduce(
        &mut self,
        one: &Introduction,
        part: &Part,
        tokens: &[Token],
        mentions: &mut Vec<Mention>,
    ) {
        let kin = one.kin;
        let span = tokens[one.start].span.start..tokens[one.end - 1].span.end;
        let kind = kind_of(kin);
        let behind = tokens.get(one.end..part.tokens.end).unwrap_or_default();
        let died = behind.first().is_some_and(|token| token.is("died"))
            || behind
                .iter()
                .zip(behind.iter().skip(1))
                .take(1)
                .any(|(one, two)| one.is("passed") && two.is("away"));
        let lasting = matches!(kin.predicate, "sibling" | "child_of" | "parent_of" | "relative");
        for name in &one.names {
            if kind == "animal" {
                self.animals.insert(name.clone());
            }
            mentions.push(Mention { doubtful: kind == "animal", ..Mention::of(name, kin.gender) });
            if died && !lasting {
                let clause = span.start..tokens[part.tokens.end - 1].span.end;
                self.relate(kin.predicate, kin.rule, kind, name, clause, Form::Ended);
            } else {
                self.relate(kin.predicate, kin.rule, kind, name, span.clone(), Form::State);
            }
        }
    }

    /// Reads "Anna is my sister", "Tom was my boss"; says whether it is one, even where it states nothing.
    pub(super) fn copula(&mut self, scene: &Scene<'_>, mentions: &mut Vec<Mention>) -> bool {
        let (clause, verb) = (scene.clause, scene.verb);
        let Who::Person { name, .. } = &scene.subject.who else {
            return false;
        };
        if !verb.readings.iter().any(|(lemma, _)| *lemma == "be") {
            return false;
        }
        let Some((kin, plural, end)) = kin::noun(clause, verb.after) else {
            return false;
        };
        let signs =
            Signs { any_more: any_more(clause), corrects: scene.setting.corrects, ..Signs::default() };
        let stated = form::form(Class::State, verb.mood, signs)
            .filter(|_| clause.ends_phrase(end) && !plural && !hedged(clause));
        let entity = EntityRef::new(kind_of(kin), name);
        if let (Some(stated), Some(speaker), Ok(entity)) = (stated, self.speaker.cloned(), entity) {
            let saying = (kin.predicate, kin.rule);
            self.put(scene, speaker, saying, String::new(), Object::Entity(entity), stated);
            mentions.push(Mention::of(name, kin.gender));
        }
        true
    }

    /// Reads "(Tom and) I got married".
    pub(super) fn together(&mut self, clause: &Clause<'_>, subject: &Subject) -> bool {
        const SHARED: &[(&[&str], &str, &str, Form)] = &[
            (&["got", "married"], "spouse", "clause.spouse/1", Form::Change),
            (&["are", "married"], "spouse", "clause.spouse/1", Form::State),
            (&["got", "divorced"], "spouse", "clause.spouse/1", Form::Ended),
            (&["got", "engaged"], "engaged_to", "clause.engaged_to/1", Form::Change),
            (&["are", "engaged"], "engaged_to", "clause.engaged_to/1", Form::State),
            (&["are", "dating"], "partner", "clause.partner/1", Form::State),
            (&["started", "dating"], "partner", "clause.partner/1", Form::Change),
            (&["broke", "up"], "partner", "clause.partner/1", Form::Ended),
            (&["split", "up"], "partner", "clause.partner/1", Form::Ended),
        ];
        let (start, end) = (subject.start, subject.end);
        if !matches!(subject.who, Who::Speaker { .. }) {
            return false;
        }
        let ([other], Some((words, predicate, rule, form))) =
            (self.alone.as_slice(), SHARED.iter().find(|(words, ..)| clause.are(end, words)))
        else {
            return false;
        };
        if other.doubtful || hedged(clause) || !clause.ends_phrase(end + words.len()) {
            return false;
        }
        let name = other.name.clone();
        let span = span_of(clause, start);
        self.relate(predicate, rule, "person", &name, span, *form);
        true
    }

    /// Reads "my name is Anna", "call me Al", "my sister's name is Anna", "my dog is called Rex".
    pub(super) fn naming(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        let called = |at: usize| {
            let at = at + usize::from(clause.is_one_of(at, &["called", "named"]));
            clause.name_run(at).filter(|(_, end)| clause.ends_phrase(*end) && end - at <= 4)
        };
        let own = [
            &["my", "name", "is"][..],
            &["my", "name", "'s"],
            &["i", "am", "called"],
            &["call", "me"],
            &["i", "go", "by"],
        ];
        if let Some(words) = own.iter().find(|words| clause.are(at, words)) {
            if let (Some((name, end)), Some(speaker)) = (called(at + words.len()), self.speaker.cloned()) {
                let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
                self.relate("name", "clause.name/1", "person", &name, span, Form::State);
                if let Some(candidate) = self.found.last_mut() {
                    candidate.subject = speaker;
                    candidate.object = Some(Object::Text(name));
                }
            }
            return true;
        }
        let Some((kin, false, behind)) = kin::noun(clause, at) else {
            return false;
        };
        let name_at =
            [&["'s", "name", "is"][..], &["is", "called"], &["is", "named"], &["'s", "called"], &["is"]]
                .iter()
                .find(|words| clause.are(behind, words))
                .map(|words| behind + words.len());
        let Some((name, end)) = name_at.and_then(called) else {
            return false;
        };
        if lexicon::is_place(&name) || lexicon::is_no_name(&name.to_lowercase()) {
            return false;
        }
        let kind = kind_of(kin);
        let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
        self.relate(kin.predicate, kin.rule, kind, &name, span, Form::State);
        true
    }

    /// Puts down that the speaker has, or no longer has, a relation to somebody.
    fn relate(
        &mut self,
        predicate: &'static str,
        rule: &'static str,
        kind: &str,
        name: &str,
        span: Range<usize>,
        form: Form,
    ) {
        let (Some(speaker), Ok(entity)) = (self.speaker, EntityRef::new(kind, name)) else {
            return;
        };
        if speaker.kind() == "agent" && predicate != "name" {
            return;
        }
        self.found.push(Candidate {
            subject: speaker.clone(),
            predicate,
            key: String::new(),
            object: Some(Object::Entity(entity)),
            polarity: Polarity::Affirm,
            when: When::Said { form, clause: span.clone() },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 0.85,
            span,
            context: Vec::new(),
            rule,
        });
    }
}
