//! What one prefers: "tea to coffee", "dark chocolate", "my favourite colour is blue".

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::cues::hedged;
use super::fill::{Filled, one};
use super::lexicon;
use super::pastime;
use super::pattern::{Class, Pattern, Slot, Who};
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::span_of;
use super::verb::{self, VerbForm};
use crate::candidate::Form;

/// Reads what is preferred. The key says among what: the other thing named, else the kind of thing it is.
pub(super) fn preference(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let thing = clause.thing(at)?;
    let mut filled = one(pattern, "thing", &thing.name)?;
    let key = if clause.is_one_of(thing.end, &["to", "over"]) {
        let other = clause.thing(thing.end + 1)?;
        let mut both = [thing.name.to_lowercase(), other.name.to_lowercase()];
        both.sort();
        both.join(" or ")
    } else if clause
        .token(thing.end)
        .is_none_or(|token| token.lower.is_empty() || lexicon::is_boundary(&token.lower))
        && !clause.is_one_of(thing.end, &["that", "which", "who", "when", "where"])
    {
        thing.head
    } else {
        // "Routes with little traffic": only some of them.
        return None;
    };
    for saying in &mut filled.sayings {
        saying.key.clone_from(&key);
    }
    Some(filled)
}

/// Reads what one likes to do: "to hike" is hiking, "to play chess" playing chess.
pub(super) fn liking_to(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let word = clause.token(at)?.lower.as_str();
    let (lemma, _) = verb::readings(word).iter().find(|(_, form)| *form == VerbForm::Base)?;
    let gerund = verb::gerund(lemma)?;
    let bare = lexicon::is_activity(gerund) && clause.ends_phrase(at + 1);
    if bare {
        return one(pattern, "thing", gerund);
    }
    if lexicon::is_vague_activity(gerund) {
        return None;
    }
    let (what, end) = clause.noun_phrase(at + 1)?;
    // "To play chess with Anna": with whom is left out; "to read books that …" says too little.
    let whole = clause
        .token(end)
        .is_none_or(|token| token.lower.is_empty() || token.is_one_of(&["and", "too", "with"]));
    whole.then(|| one(pattern, "thing", &format!("{gerund} {what}"))).flatten()
}

impl Reader<'_> {
    /// Reads "painting landscapes is my favourite", "Dune is one of my favourite books".
    pub(super) fn is_favourite(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        const FAVOURITES: &[&str] = &["favorite", "favourite", "favorites", "favourites", "fave", "faves"];
        let Some(is) = (at + 1..at + 6).find(|at| clause.is_one_of(*at, &["is", "are", "'s"])) else {
            return false;
        };
        let among = if clause.are(is + 1, &["one", "of"]) { 2 } else { 0 };
        let favourite = is + 2 + among;
        if !(clause.is(favourite - 1, "my") && clause.is_one_of(favourite, FAVOURITES)) {
            return false;
        }
        let words = &clause.tokens[at..is];
        let plain = words.iter().all(|token| !token.lower.is_empty() && !lexicon::is_deictic(&token.lower));
        let speaker = self.speaker.filter(|speaker| speaker.kind() != "agent").cloned();
        let topic = (!clause.ends_phrase(favourite + 1)).then(|| clause.thing(favourite + 1)).flatten();
        let bare = clause.token(favourite + 1).is_none_or(|token| token.lower.is_empty());
        let gerund = words.first().is_some_and(|word| word.lower.len() > 4 && word.lower.ends_with("ing"));
        let vague = words.first().is_some_and(|word| lexicon::is_vague_activity(&word.lower));
        let name = clause.words(at..is);
        // A verb has its capital from the start of the sentence.
        let name = if gerund { name.to_lowercase() } else { name };
        let (Some(speaker), Ok(entity), true) =
            (speaker, EntityRef::new("thing", &name), plain && !vague && !hedged(clause))
        else {
            return true;
        };
        let (predicate, rule, key) = match topic {
            // One of several is liked; the one is preferred.
            Some(topic) if among == 0 => ("prefers", "clause.prefers/1", topic.name.to_lowercase()),
            Some(_) => ("likes", "clause.likes/1", String::new()),
            None if bare => ("likes", "clause.likes/1", String::new()),
            None => return true,
        };
        let span = span_of(clause, at);
        self.affirm(Affirmed {
            subject: speaker,
            predicate,
            key,
            object: Some(Object::Entity(entity)),
            form: Form::State,
            confidence: 0.85,
            span,
            rule,
        });
        true
    }

    /// Reads "my hobbies are knitting and chess".
    pub(super) fn hobbies(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        const HOBBIES: Pattern = Pattern {
            lemma: "be",
            tail: "",
            slot: Slot::Pastime,
            says: &[("has_hobby", Class::State)],
            who: Who::Speaker,
            rule: "clause.has_hobby/1",
        };
        if !(clause.is(at, "my") && clause.is_one_of(at + 1, &["hobby", "hobbies"])) {
            return false;
        }
        let filled = clause
            .is_one_of(at + 2, &["is", "are", "include"])
            .then(|| pastime::pastime(clause, &HOBBIES, at + 3))
            .flatten()
            .filter(|_| !hedged(clause));
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() != "agent") else {
            return true;
        };
        for saying in filled.into_iter().flat_map(|filled| filled.sayings) {
            let span = span_of(clause, at);
            self.affirm(Affirmed {
                subject: speaker.clone(),
                predicate: saying.predicate,
                key: saying.key,
                object: saying.object,
                form: Form::State,
                confidence: 0.85,
                span,
                rule: saying.rule,
            });
        }
        true
    }

    /// Reads "my favourite colour is blue".
    pub(super) fn favourite(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        if !(clause.is_one_of(at, &["my", "our"])
            && clause.is_one_of(at + 1, &["favorite", "favourite", "fave"]))
        {
            return false;
        }
        let Some(is) = (at + 3..at + 6).find(|at| clause.is_one_of(*at, &["is", "are", "'s"])) else {
            return true;
        };
        let topic = clause.words(at + 2..is);
        let plain = clause.tokens[at + 2..is]
            .iter()
            .all(|token| !lexicon::is_deictic(&token.lower) && !token.lower.is_empty());
        let head = clause.tokens[is - 1].lower.as_str();
        let vague = !plain || lexicon::is_abstract(head) || head == "thing";
        let article = usize::from(clause.is_one_of(is + 1, &["the", "a", "an", "probably"]));
        let title = clause.name(is + 1).or_else(|| {
            let thing = clause.thing(is + 1 + article)?;
            (!lexicon::is_abstract(&thing.head)).then_some((thing.name, thing.end))
        });
        let (Some((name, end)), Some(speaker)) = (title, self.speaker.cloned()) else {
            return true;
        };
        // "My favorite part is playing": what one does there.
        let goes_on = clause.is_one_of(end, &["to", "that", "who", "which", "by", "when", "with", "for"]);
        if vague || goes_on || hedged(clause) || speaker.kind() == "agent" {
            return true;
        }
        let Ok(entity) = EntityRef::new("thing", &name) else {
            return true;
        };
        let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
        self.affirm(Affirmed {
            subject: speaker,
            predicate: "prefers",
            key: topic.to_lowercase(),
            object: Some(Object::Entity(entity)),
            form: Form::State,
            confidence: 0.85,
            span,
            rule: "clause.prefers/1",
        });
        true
    }
}
