//! What one calls one's own: an aim, "my dream is to open a bakery", or several favourites.

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::described::CONFIDENCE;
use super::mood::ADVERBS;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::span_of;
use crate::candidate::Form;

impl Reader<'_> {
    /// Reads "my dream is to open a bakery".
    pub(super) fn aim(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const AIMS: &[&str] =
            &["goal", "goals", "dream", "plan", "aim", "ambition", "hope", "priority", "wish"];
        if !clause.is_one_of(at, &["my", "our", "the"]) {
            return false;
        }
        let found = (at + 1..at + 6)
            .find(|at| clause.is_one_of(*at, AIMS) && clause.is_one_of(*at + 1, &["is", "'s", "are", "was"]));
        let Some(aim) = found else { return false };
        let from = aim + 2 + usize::from(clause.is_one_of(aim + 2, ADVERBS));
        let object = if clause.is(from, "to") {
            clause.object_to_do(from + 1)
        } else {
            clause.object_thing_or_doing(from).map(|(extent, _)| extent)
        };
        let Some(object) = object else { return false };
        let form = if clause.is(aim + 1, "was") { Form::Was } else { Form::State };
        self.tell(
            speaker.clone(),
            ("has_goal", "described.has_goal/1"),
            object.words,
            form,
            span_of(clause, at),
        );
        true
    }

    /// Reads "two of my favourites are Dune and Emma".
    pub(super) fn favourites(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const FAVOURITES: &[&str] =
            &["favorite", "favourite", "favorites", "favourites", "fave", "faves", "go-to"];
        let found = (at..at + 4).find(|at| clause.is(*at, "my") && clause.is_one_of(*at + 1, FAVOURITES));
        let Some(favourite) = found else { return false };
        let verb =
            (favourite + 2..favourite + 7).find(|at| clause.is_one_of(*at, &["is", "are", "'s", "include"]));
        let Some(verb) = verb else { return false };
        let mut from = verb + 1;
        while clause.is_one_of(from, ADVERBS) || clause.is_one_of(from, &["probably", "when", "either"]) {
            from += 1;
        }
        let Some((object, is_doing)) = clause.object_thing_or_doing(from) else { return false };
        let names = if object.items.is_empty() || is_doing { vec![object.words] } else { object.items };
        for name in names {
            let kind = if is_doing { "activity" } else { "thing" };
            let Ok(entity) = EntityRef::new(kind, &name) else { continue };
            self.affirm(Affirmed {
                subject: speaker.clone(),
                predicate: "likes",
                key: String::new(),
                object: Some(Object::Entity(entity)),
                form: Form::State,
                confidence: CONFIDENCE,
                span: span_of(clause, at),
                rule: "described.likes/1",
            });
        }
        true
    }
}
