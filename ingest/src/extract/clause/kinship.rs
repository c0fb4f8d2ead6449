//! Which name "my sister" goes by, once the speaker has said both.
//!
//! Who is spoken of only as "my sister" is an entity of their own, and is said to be the same as the one who is named
//! so where just one name was heard. A second name makes that uncertain, and the two are kept apart from then on.
//!
//! Invariant: what is concluded depends on nothing but the turns of the file read before, in their order.

use std::collections::BTreeMap;
use std::ops::Range;

use bygone_engine::identity::SAME_AS;
use bygone_engine::{Authority, EntityRef, Episode, EpisodeId, Modality, Object, Polarity};

use crate::candidate::{Candidate, Form, When};

/// How many names of one slot are kept; more make it no clearer.
const NAMES_KEPT: usize = 4;

/// That a turn spoke of somebody by what they are to the speaker.
pub(super) struct Told {
    /// The name of the entity that stands for them: "Anna's sister".
    pub(super) slot: String,
    /// Their own name, where it was said.
    pub(super) name: Option<String>,
    /// The words.
    pub(super) span: Range<usize>,
}

/// What the speakers of a file told of their kin so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinship {
    slots: BTreeMap<String, Known>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    /// The first turn that spoke of them without a name.
    unnamed: Option<EpisodeId>,
    /// Their names, and the first turn that said each.
    names: BTreeMap<String, EpisodeId>,
    /// The name they were said to be the same as.
    joined: Option<String>,
}

impl Kinship {
    /// Takes in what a turn told; returns who is now known to be the same, or no longer.
    pub(super) fn hear(&mut self, episode: &Episode, told: &[Told]) -> Vec<Candidate> {
        let mut found = Vec::new();
        for one in told {
            let known = self.slots.entry(one.slot.clone()).or_default();
            match &one.name {
                None => {
                    known.unnamed.get_or_insert(episode.id);
                }
                Some(name) if known.names.len() < NAMES_KEPT => {
                    known.names.entry(name.clone()).or_insert(episode.id);
                }
                Some(_) => {}
            }
            let (Some(unnamed), Some((name, named))) = (known.unnamed, known.names.first_key_value()) else {
                continue;
            };
            let context: Vec<EpisodeId> =
                [unnamed, *named].into_iter().filter(|id| *id != episode.id).collect();
            if known.names.len() == 1 && known.joined.is_none() {
                let same = same_as(one, name, Form::State, context);
                known.joined = same.as_ref().map(|_| name.clone());
                found.extend(same);
            } else if known.names.len() > 1
                && let Some(joined) = known.joined.take()
            {
                found.extend(same_as(one, &joined, Form::Never, context));
            }
        }
        found
    }
}

fn same_as(told: &Told, name: &str, form: Form, mut context: Vec<EpisodeId>) -> Option<Candidate> {
    context.dedup();
    Some(Candidate {
        subject: EntityRef::new("person", &told.slot).ok()?,
        predicate: SAME_AS,
        key: String::new(),
        object: Some(Object::Entity(EntityRef::new("person", name).ok()?)),
        polarity: Polarity::Affirm,
        when: When::Said { form, clause: told.span.clone() },
        modality: Modality::Actual,
        authority: Authority::Inferred,
        confidence: 0.7,
        span: told.span.clone(),
        context,
        rule: "clause.kinship/1",
    })
}
