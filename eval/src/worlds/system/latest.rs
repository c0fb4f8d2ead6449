//! The latest statement wins: what most memories of agents keep. There are no periods, no past, and no reasons.

use std::collections::BTreeMap;

use bygone_engine::identity::SAME_AS;
use bygone_engine::{Assertion, Object, Polarity};

use super::System;
use crate::error::EvalError;
use crate::worlds::oracle::name;
use crate::worlds::question::{Answer, Ask, Question, Standing};
use crate::worlds::steps::{Rendering, Step};
use crate::worlds::telling::Topic;

/// A value, with the time and the session in which it was said last.
struct Kept {
    object: String,
    known: String,
    session: String,
}

/// For each subject, predicate and key the values said last.
#[derive(Default)]
pub struct Latest {
    values: BTreeMap<(String, String, String), Vec<Kept>>,
    /// The name that somebody goes by now, by the one they had.
    names: BTreeMap<String, String>,
}

impl System for Latest {
    fn begin(&mut self, _: u64, _: Rendering) -> Result<(), EvalError> {
        *self = Latest::default();
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        match step {
            Step::Assert(stated) => self.keep(&stated.assertion),
            Step::Erase { session, .. } => {
                for kept in self.values.values_mut() {
                    kept.retain(|kept| kept.session != *session);
                }
            }
            Step::Session { .. } | Step::Conclude(_) => {}
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        let group = (self.named(&question.subject), question.predicate.clone(), question.key.clone());
        let kept = self.values.get(&group).map_or(&[][..], Vec::as_slice);
        Ok(Some(match &question.ask {
            Ask::Holds { .. } => {
                Answer::Objects { objects: kept.iter().map(|kept| kept.object.clone()).collect() }
            }
            Ask::Learned { object } => {
                let found = kept.iter().find(|kept| kept.object == *object);
                Answer::At { at: found.map(|kept| kept.known.clone()) }
            }
            Ask::Difference { .. } => Answer::Difference { gained: Vec::new(), lost: Vec::new() },
            Ask::Stands { .. } => {
                let stands = if kept.is_empty() { Standing::None } else { Standing::Fresh };
                Answer::Standing { stands }
            }
        }))
    }
}

impl Latest {
    fn named(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn keep(&mut self, said: &Assertion) {
        let Some(object) = said.object.as_ref() else { return };
        let subject = self.named(&said.subject.to_string());
        if said.predicate == SAME_AS {
            if let Object::Entity(former) = object {
                self.rename(&former.to_string(), &subject);
            }
            return;
        }
        let kept = self.values.entry((subject, said.predicate.clone(), said.key.clone())).or_default();
        let object = name(object);
        if said.polarity == Polarity::Deny || said.predicate == Topic::Project.predicate() {
            kept.retain(|kept| kept.object != object);
        } else {
            kept.clear();
        }
        if said.polarity == Polarity::Affirm {
            kept.push(Kept {
                object,
                known: said.known_at.to_rfc3339(),
                session: said.source.session.clone(),
            });
        }
    }

    /// Files under one name what was filed under another.
    fn rename(&mut self, former: &str, name: &str) {
        self.names.insert(former.to_owned(), name.to_owned());
        for ((subject, predicate, key), kept) in std::mem::take(&mut self.values) {
            let subject = if subject == former { name.to_owned() } else { subject };
            self.values.entry((subject, predicate, key)).or_default().extend(kept);
        }
    }
}
