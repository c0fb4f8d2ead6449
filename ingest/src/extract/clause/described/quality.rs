//! What a thing is said to be like: "the castle was unbelievable", "The Santa Clause is a classic".

use std::ops::Range;

use bygone_engine::EntityRef;

use super::super::lexicon;
use super::super::mood::ADVERBS;
use super::super::phrase::Clause;
use super::super::reader::Reader;
use super::WEIGHING;
use super::topic::Topic;
use crate::candidate::Form;

/// What matters to somebody is one of these to them.
const MATTERING: &[&str] =
    &["important", "special", "dear", "precious", "everything", "huge", "key", "vital", "essential"];

impl Reader<'_> {
    /// Reads what a copula behind a topic says of it; says whether it is read.
    pub(super) fn quality(
        &mut self,
        clause: &Clause<'_>,
        at: usize,
        topic: Topic,
        speaker: &EntityRef,
        span: Range<usize>,
    ) -> bool {
        let mut next = topic.end;
        let mut past = false;
        let mut copula = false;
        while let Some(token) = clause.token(next) {
            match token.lower.as_str() {
                "is" | "are" | "'s" | "been" => copula = true,
                "was" | "were" => (copula, past) = (true, true),
                "has" | "have" => {}
                "not" | "never" | "no" => return false,
                word if ADVERBS.contains(&word) => {}
                _ => break,
            }
            next += 1;
        }
        // "(The architecture and) the history were amazing" tells of both.
        let several = clause.tokens[at..topic.end].iter().any(|token| token.is("and"));
        let plural = several || clause.tokens[topic.end - 1].lower.ends_with('s');
        let agrees = plural || !clause.is_one_of(topic.end, &["were", "are"]);
        if !copula || !agrees {
            return false;
        }
        let mut quality = next;
        while clause.is_one_of(quality, WEIGHING) {
            quality += 1;
        }
        let is_quality = clause.token(quality).is_some_and(|token| lexicon::is_quality(&token.lower));
        let names = clause.is_one_of(next, &["a", "an", "my", "our", "one", "the"]);
        let form = if past { Form::Was } else { Form::State };
        if !past
            && clause.is_one_of(quality, MATTERING)
            && clause.is(quality + 1, "to")
            && clause.is_one_of(quality + 2, &["me", "us"])
        {
            self.tell(
                speaker.clone(),
                ("values", "described.values/1"),
                topic.entity.name().to_owned(),
                Form::State,
                span,
            );
            return true;
        }
        if past && !is_quality && !names && self.underwent(clause, next, &topic, &span) {
            return true;
        }
        if !is_quality && !names {
            return false;
        }
        let next = if names { next } else { quality };
        let object = match clause.object_rest(next) {
            Some(words) => words,
            None if is_quality && !names => clause.words(next..quality + 1),
            None => return false,
        };
        if let Some((_, what)) = object.split_once("way to ") {
            let what = what.trim().to_owned();
            if what.contains(' ') || what.len() > 4 {
                self.tell(topic.entity, ("helps", "described.helps/1"), what, form, span);
                return true;
            }
        }
        // "Tomas is a chef" tells what somebody does, of a name that is not known.
        let role = names && object.rsplit(' ').next().is_some_and(lexicon::is_occupation);
        if role && topic.entity.kind() == "thing" {
            return false;
        }
        if self.goes_on && names {
            return false;
        }
        let good_for = object.split_once(" for ").filter(|(quality, _)| {
            matches!(*quality, "great" | "good" | "perfect" | "amazing" | "ideal" | "excellent")
        });
        if let (Some((_, what)), false) = (good_for, topic.entity.kind() == "person") {
            let what = what.to_owned();
            self.tell(topic.entity, ("helps", "described.helps/1"), what, form, span);
            return true;
        }
        self.tell(topic.entity, ("described_as", "described.described_as/1"), object, form, span);
        true
    }
}
