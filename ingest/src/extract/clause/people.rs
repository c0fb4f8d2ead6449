//! People and animals by what they are to the speaker, and names: what is said of them without a pattern.

use std::ops::Range;

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::cues::{any_more, hedged};
use super::form::{self, Signs};
use super::kin::{self, Introduction, Kin, Unnamed};
use super::kinship::Told;
use super::lexicon;
use super::mood::{Mood, is_marked};
use super::pattern::Class;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::{Scene, span_of};
use super::split::Part;
use super::subject::{Mention, Subject, Who};
use super::token::Token;
use crate::candidate::{Candidate, Form};

/// Finds every "my sister Anna" of a sentence.
pub(super) fn introductions(text: &str, tokens: &[Token]) -> Vec<Introduction> {
    let clause = Clause { text, tokens, times: &[] };
    (0..tokens.len()).filter_map(|at| kin::introduction(&clause, at)).collect()
}

/// Returns the type of those who are called so.
fn kind_of(kin: Kin) -> &'static str {
    if kin.predicate == "has_pet" { "animal" } else { "person" }
}

/// Finds every "my sister" of a sentence that no name follows.
pub(super) fn unnamed(text: &str, tokens: &[Token]) -> Vec<Unnamed> {
    let clause = Clause { text, tokens, times: &[] };
    (0..tokens.len()).filter_map(|at| kin::unnamed(&clause, at)).collect()
}

/// Animals spoken of only by their kind: "my dog", "my dogs".
pub(super) struct UnnamedPet {
    kind: String,
    /// Their words, from "my" on.
    pub(super) place: Range<usize>,
}

/// Finds every "my dog", "my dogs" of a sentence that no name follows.
pub(super) fn unnamed_pets(text: &str, tokens: &[Token]) -> Vec<UnnamedPet> {
    let clause = Clause { text, tokens, times: &[] };
    let pet = |at: usize| {
        let (kin, plural, end) = kin::noun(&clause, at)?;
        let noun = &tokens[end - 1].lower;
        let kind = if plural { noun.strip_suffix('s')? } else { noun };
        let is_pet = kin.predicate == "has_pet" && kin::closes(&clause, end);
        is_pet.then(|| UnnamedPet { kind: kind.to_owned(), place: at..end })
    };
    (0..tokens.len()).filter_map(pet).collect()
}

impl Reader<'_> {
    /// Returns the name under which the speaker's sister, whoever she is, is kept.
    pub(super) fn slot_name(&self, slot: &str) -> Option<String> {
        let speaker = self.speaker.filter(|speaker| speaker.kind() == "person")?;
        Some(format!("{}'s {slot}", speaker.name()))
    }

    /// Puts down a "my sister" that no name follows; where the clause, whose statements start at `n_before`, names her
    /// all the same ("my sister is Anna", "Anna is my sister"), only that she is called so.
    pub(super) fn introduce_unnamed(
        &mut self,
        one: &Unnamed,
        tokens: &[Token],
        n_before: usize,
        mentions: &mut Vec<Mention>,
    ) {
        let Some(slot) = self.slot_name(&one.slot) else { return };
        let span = tokens[one.start].span.start..tokens[one.end - 1].span.end;
        let named = self.named_since(n_before, one.kin.predicate, &span);
        if named.is_none() && !mentions.iter().any(|mention| mention.name == slot) {
            mentions.push(Mention::of(&slot, one.kin.gender));
        }
        if named.is_none() && !self.is_told(one.kin.predicate, &slot) {
            self.relate(one.kin.predicate, one.kin.rule, "person", &slot, span.clone(), Form::State);
        }
        self.kin_told.push(Told { slot, name: named, span });
    }

    /// Puts down a "my dog" that no name follows, once.
    pub(super) fn introduce_pet(&mut self, pet: &UnnamedPet, tokens: &[Token], n_before: usize) {
        let span = tokens[pet.place.start].span.start..tokens[pet.place.end - 1].span.end;
        if self.named_since(n_before, "has_pet", &span).is_none() && !self.is_told("has_pet", &pet.kind) {
            self.relate("has_pet", "clause.has_pet/1", "animal", &pet.kind, span, Form::State);
        }
    }

    /// Returns whom a statement made since names around a place in the text.
    fn named_since(&self, n_before: usize, predicate: &str, place: &Range<usize>) -> Option<String> {
        let around = |candidate: &&Candidate| {
            candidate.predicate == predicate
                && Some(&candidate.subject) == self.speaker
                && candidate.span.start <= place.start
                && place.end <= candidate.span.end
        };
        let object = self.found.get(n_before..)?.iter().find(around)?.object.as_ref()?;
        object.entity().map(|entity| entity.name().to_owned())
    }

    fn is_told(&self, predicate: &str, name: &str) -> bool {
        self.found.iter().any(|candidate| {
            let object = candidate.object.as_ref().and_then(Object::entity);
            candidate.predicate == predicate && object.is_some_and(|entity| entity.name() == name)
        })
    }

    /// Reads "I have a sister", "I have a brother named Tom"; says whether it is one.
    pub(super) fn having(&mut self, scene: &Scene<'_>, mentions: &mut Vec<Mention>) -> bool {
        let (clause, verb) = (scene.clause, scene.verb);
        let has = verb.readings.iter().any(|(lemma, _)| matches!(*lemma, "have" | "get"));
        if !has
            || !matches!(scene.subject.who, Who::Speaker { .. })
            || !clause.is_one_of(verb.after, &["a", "an", "one"])
        {
            return false;
        }
        let Some((kin, false, end)) = kin::noun_behind(clause, verb.after) else {
            return false;
        };
        let slot = kin::slot(clause, kin, verb.after, end);
        if slot.is_none() && kin.predicate != "knows" {
            return false;
        }
        let got = verb.readings.iter().any(|(lemma, _)| *lemma == "get");
        let mood = Mood { perfect: verb.mood.perfect && !got, ..verb.mood };
        if hedged(clause)
            || (got && !verb.mood.perfect)
            || mood.past
            || mood.perfect
            || scene.setting.reported
        {
            return true;
        }
        let called = usize::from(clause.is_one_of(end, &["named", "called"]));
        let named = clause.name_run(end + called).filter(|(_, end)| clause.ends_phrase(*end));
        if named.is_none() && !clause.ends_phrase(end) && !clause.is(end, "who") {
            return true;
        }
        let denied = mood.negated && !mood.no_longer && !any_more(clause);
        if (is_marked(mood) && !denied) || any_more(clause) {
            return true;
        }
        let unnamed = slot.and_then(|slot| self.slot_name(&slot));
        let name = named.map(|(name, _)| name);
        let span = span_of(clause, scene.from);
        let form = if denied { Form::Never } else { Form::State };
        let Some(shown) = name.clone().or_else(|| unnamed.clone()) else {
            return true;
        };
        self.relate(kin.predicate, kin.rule, "person", &shown, span.clone(), form);
        if !denied {
            mentions.push(Mention::of(&shown, kin.gender));
            self.kin_told.extend(unnamed.map(|slot| Told { slot, name, span }));
        }
        true
    }

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
            if let Some(slot) = one.slot.as_deref().and_then(|slot| self.slot_name(slot)) {
                self.kin_told.push(Told { slot, name: Some(name.clone()), span: span.clone() });
            }
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
            self.put(scene, speaker, saying, String::new(), Some(Object::Entity(entity)), stated);
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
        if self.nickname(clause, at) {
            return true;
        }
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

    /// Reads "everyone calls me Mel", "my friends call me Mel", "my nickname is Mel".
    fn nickname(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        const CALLING: &[&[&str]] = &[
            &["everyone", "calls", "me"],
            &["everybody", "calls", "me"],
            &["people", "call", "me"],
            &["friends", "call", "me"],
            &["my", "friends", "call", "me"],
            &["my", "family", "calls", "me"],
            &["my", "nickname", "is"],
            &["they", "call", "me"],
            &["most", "people", "call", "me"],
        ];
        let Some(words) = CALLING.iter().find(|words| clause.are(at, words)) else {
            return false;
        };
        let name =
            clause.name_run(at + words.len()).filter(|(_, end)| clause.ends_phrase(*end) && end - at <= 7);
        if let (Some((name, end)), false) = (name, hedged(clause)) {
            let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
            self.relate("alias", "clause.alias/1", "person", &name, span, Form::State);
            if let Some(candidate) = self.found.last_mut()
                && candidate.predicate == "alias"
            {
                candidate.object = Some(Object::Text(name));
            }
        }
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
        self.affirm(Affirmed {
            subject: speaker.clone(),
            predicate,
            key: String::new(),
            object: Some(Object::Entity(entity)),
            form,
            confidence: 0.85,
            span,
            rule,
        });
    }
}
