//! When something was first believed, and from which turn.
//!
//! Something is believed at a known instant where the view of what was known by then derives it, at any valid time.
//! Which entities are one, and whom a narrowed view listens to, are taken as they were known then, too: what was said
//! of Annie is believed of Anna from when the two are known to be one.

use std::collections::BTreeMap;

use bygone_engine::assertion::precedence;
use bygone_engine::identity::SAME_AS;
use bygone_engine::object::ObjectKey;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::Instant;
use bygone_engine::wire::object_to_json;
use bygone_engine::{EntityRef, Fact, Object, StoreError, View};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

use crate::facts::{first_beliefs, judge};
use crate::request::Request;
use crate::row::Row;
use crate::why::{Bearing, Evidence, with_turn};

/// When an object was first believed.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The fact as it was first believed.
    pub row: Row,
    /// The first known instant at which it was.
    pub known_from: Instant,
    /// The first known instant after that at which no fact of this object was believed; `None` where that never was so.
    pub until: Option<Instant>,
    /// The first known instant after that at which one was believed again.
    pub again: Option<Instant>,
    /// The statement it was believed on.
    pub evidence: Evidence,
}

impl Learned {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let Row { group, fact, .. } = &self.row;
        let source = &self.evidence.recorded.assertion.source;
        let episode = self.evidence.episode.as_ref().map(|record| &record.episode);
        let speaker = episode.and_then(|episode| episode.speaker.as_ref()).map(ToString::to_string);
        json!({
            "subject": group.subject.to_string(),
            "predicate": group.predicate,
            "key": group.key,
            "object": object_to_json(&fact.object),
            "known_from": self.known_from.to_rfc3339(),
            "until": self.until.map(Instant::to_rfc3339),
            "again": self.again.map(Instant::to_rfc3339),
            "session": source.session,
            "turn": source.position,
            "speaker": speaker,
            "time": episode.map(|episode| episode.time.to_rfc3339()),
            "quote": self.evidence.quote(),
            "assertion": self.evidence.recorded.assertion.id.to_string(),
            "fact": self.row.to_json(),
        })
    }
}

/// A stretch of known time over which a fact of an object was believed.
struct Stretch {
    from: Instant,
    /// `None` where it is believed to the end of the view.
    until: Option<Instant>,
    /// The fact as it stood at first; `None` where that was before the stretch.
    fact: Option<Fact>,
}

/// What is asked about: the objects of one predicate and key of an entity.
struct Asked<'a> {
    entity: &'a EntityRef,
    predicate: &'a str,
    key: &'a str,
    object: ObjectKey,
}

/// Returns when each object of a predicate of the entity was first believed, or one object only: by key, then by known
/// time and object. Empty where none ever was.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn learned(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    entity: &EntityRef,
    predicate: &str,
    object: Option<&Object>,
) -> Result<Vec<Learned>, StoreError> {
    let named = |object: &Object| named_as_in(seen, object).key();
    let wanted = object.map(named);
    let mut stretches: BTreeMap<(String, ObjectKey), Vec<Stretch>> = BTreeMap::new();
    for (start, end) in epochs(seen)? {
        let epoch = seen.snapshot().seen(&View { known: end, ..seen.view().clone() })?;
        for group in epoch.groups_of(entity)? {
            if group.predicate != predicate {
                continue;
            }
            for belief in first_beliefs(&epoch, &group)? {
                let object = named(&belief.fact.object);
                if wanted.is_some_and(|wanted| wanted != object)
                    || belief.known_to.is_some_and(|until| until <= start)
                {
                    continue;
                }
                let from = belief.known_from.max(start);
                let until = belief.known_to.or((end < seen.view().known).then(|| end.next()));
                // What was believed when a stretch starts in which other entities are one follows from that, too.
                let fact = (belief.known_from > start).then_some(belief.fact);
                stretches.entry((group.key.clone(), object)).or_default().push(Stretch { from, until, fact });
            }
        }
    }
    let mut learned = Vec::new();
    for ((key, object), mut of_object) in stretches {
        of_object.sort_by_key(|stretch| stretch.from);
        let asked = Asked { entity, predicate, key: &key, object };
        learned.push(told(seen, ontology, request, &asked, &of_object)?);
    }
    learned.sort_by_cached_key(|item| {
        (item.row.group.key.clone(), item.known_from, item.row.fact.object.canonical())
    });
    Ok(learned)
}

/// Returns the stretches of known time, both ends included, within which nothing but new statements changes a view.
fn epochs(seen: &Seen<'_>) -> Result<Vec<(Instant, Instant)>, StoreError> {
    let mut epochs = Vec::new();
    let mut start = Instant::DISTANT_PAST;
    for point in seen.turning_points()? {
        epochs.push((start, point.previous()));
        start = point;
    }
    epochs.push((start, seen.view().known));
    Ok(epochs)
}

/// Names an entity as the view does, by what stands for its class.
fn named_as_in(seen: &Seen<'_>, object: &Object) -> Object {
    match object {
        Object::Entity(entity) => Object::Entity(seen.identity().representative(entity).clone()),
        other => other.clone(),
    }
}

/// Returns when belief first stopped, and when it came back, over stretches sorted by their start.
fn first_pause(stretches: &[Stretch]) -> (Option<Instant>, Option<Instant>) {
    let mut believed_until = stretches[0].until;
    for stretch in stretches {
        let Some(until) = believed_until else {
            return (None, None);
        };
        if stretch.from > until {
            return (Some(until), Some(stretch.from));
        }
        believed_until = stretch.until.map(|other| other.max(until));
    }
    (believed_until, None)
}

fn is_asked(group: &GroupView, asked: &Asked<'_>) -> bool {
    group.predicate == asked.predicate && group.key == asked.key
}

/// Tells what was first believed at the start of the first stretch, with the statement it was believed on.
fn told(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    asked: &Asked<'_>,
    stretches: &[Stretch],
) -> Result<Learned, StoreError> {
    let known_from = stretches[0].from;
    let (until, again) = first_pause(stretches);
    let then = seen.snapshot().seen(&View { known: known_from, ..seen.view().clone() })?;
    let group = match asked.predicate {
        SAME_AS => then.groups_of(asked.entity)?.into_iter().find(|group| is_asked(group, asked)),
        _ => then.group(asked.entity, asked.predicate, asked.key)?,
    };
    let group = group.expect("the view of the instant at which a fact was derived has its group");
    let fact = if let Some(fact) = &stretches[0].fact {
        Some(fact.clone())
    } else {
        let mut facts = then.facts(&group)?.into_iter();
        facts.find(|fact| named_as_in(seen, &fact.object).key() == asked.object)
    };
    let fact = fact.expect("the view of the instant at which a fact was derived derives it");
    let mut support = then.statements_of(&group, &fact.support)?;
    // A statement made at that instant is what it was learned from; where older ones came to count only then, because
    // of a denial or a merge, it is the one that weighs most.
    let made_then = |recorded: &Recorded| recorded.assertion.known_at == known_from;
    support.sort_by(|one, other| {
        let by_weight = || precedence(&one.assertion, &other.assertion);
        made_then(one).cmp(&made_then(other)).then_with(by_weight)
    });
    let recorded = support.pop().expect("a derived fact rests on a statement that its view sees");
    let evidence = with_turn(&then, Bearing::Supports, recorded)?;
    let row = judge(&then, ontology, request, &group, fact)?;
    Ok(Learned { row, known_from, until, again, evidence })
}
