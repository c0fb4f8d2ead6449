//! What a thing or a doing does for somebody, or what was done to it: "painting helps me relax", "pets bring joy".

use std::ops::Range;

use super::super::phrase::Clause;
use super::super::reader::Reader;
use super::super::verb::{VerbForm, readings};
use super::topic::Topic;
use crate::candidate::Form;
use bygone_engine::EntityRef;

/// Verbs of what is done for somebody, in the present and the past.
const HELPING: &[&str] = &["helps", "help", "helped", "lets", "let", "allows", "allowed"];
const MAKING: &[&str] = &["gives", "keeps", "makes", "taught", "inspires", "motivates"];

impl Reader<'_> {
    /// Reads what the verb behind a topic says that it does; says whether it is read.
    pub(super) fn effect(
        &mut self,
        clause: &Clause<'_>,
        topic: &Topic,
        speaker: &EntityRef,
        span: Range<usize>,
    ) -> bool {
        let helping = clause.is_one_of(topic.end, HELPING);
        if (helping || clause.is_one_of(topic.end, MAKING)) && clause.is_one_of(topic.end + 1, &["me", "us"])
        {
            let to = topic.end + 2 + usize::from(clause.is(topic.end + 2, "to"));
            let past = clause.is_one_of(topic.end, &["helped", "allowed", "taught"]);
            let verb = &clause.tokens[topic.end];
            let Some(object) =
                clause.object_to_do(to).map(|extent| extent.words).or_else(|| clause.object_rest(to))
            else {
                return false;
            };
            let object = if helping {
                object
            } else {
                format!("{} {} {object}", verb.lower, clause.tokens[topic.end + 1].lower)
            };
            let form = if past { Form::Was } else { Form::State };
            self.tell(topic.entity.clone(), ("helps", "described.helps/1"), object, form, span);
            return true;
        }
        // "Honesty matters a lot to me", "family means the world to us".
        let dear = clause.is_one_of(topic.end, &["matters", "matter", "means", "mean"])
            && clause.is(clause.tokens.len() - 2, "to")
            && clause.is_one_of(clause.tokens.len() - 1, &["me", "us"]);
        if dear {
            self.tell(
                speaker.clone(),
                ("values", "described.values/1"),
                topic.entity.name().to_owned(),
                Form::State,
                span,
            );
            return true;
        }
        // "Pets bring joy".
        if clause.is_one_of(topic.end, &["bring", "brings", "brought"]) {
            let from = topic.end + 1 + usize::from(clause.is_one_of(topic.end + 1, &["me", "us"]));
            let Some(what) = clause.object_rest(from) else { return false };
            let form = if clause.is(topic.end, "brought") { Form::Was } else { Form::State };
            self.tell(
                topic.entity.clone(),
                ("helps", "described.helps/1"),
                format!("bring {what}"),
                form,
                span,
            );
            return true;
        }
        // "Yoga helps with back pain".
        if clause.is_one_of(topic.end, &["helps", "help"]) && clause.is_one_of(topic.end + 1, &["with", "to"])
        {
            let Some(what) = clause.object_rest(topic.end + 2) else { return false };
            self.tell(topic.entity.clone(), ("helps", "described.helps/1"), what, Form::State, span);
            return true;
        }
        false
    }

    /// Reads what was done to a thing: "my old area was hit by a flood".
    pub(super) fn underwent(
        &mut self,
        clause: &Clause<'_>,
        at: usize,
        topic: &Topic,
        span: &Range<usize>,
    ) -> bool {
        let done = clause.token(at).is_some_and(|token| {
            readings(&token.lower).iter().any(|(_, form)| *form == VerbForm::Participle)
                && !readings(&token.lower).iter().any(|(_, form)| *form == VerbForm::Ing)
        });
        let Some(words) = done.then(|| clause.object_rest(at)).flatten() else { return false };
        if !words.contains(' ') {
            return false;
        }
        self.tell(
            topic.entity.clone(),
            ("underwent", "described.underwent/1"),
            words,
            Form::Event,
            span.clone(),
        );
        true
    }
}
