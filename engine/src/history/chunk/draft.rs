//! A chunk that is being written: of statements, or of what a chunk has and statements among its own. What stands in a chunk is
//! taken over as bytes, so that one statement more costs little however many there are.
//!
//! Invariant: statements are put in the order of their places.

use std::collections::BTreeMap;

use super::{Body, CHUNK, Chunk, ENDLESS, FORMAT, NO_OBJECT, Told, flag};
use crate::assertion::Assertion;
use crate::codec;
use crate::error::StoreError;
use crate::history::{Place, column};
use crate::mark::{Act, Mark, object_mark};
use crate::object::Object;
use crate::record::Recorded;
use crate::time::{Bound, Instant, Moment, Period};

/// Returns the bytes of statements of one group, at most [`CHUNK`], in the order of their places, with their marks.
pub(crate) fn encode(statements: &[Recorded], marks: &[Option<Mark>]) -> Vec<u8> {
    let mut draft = Draft::default();
    for (recorded, mark) in statements.iter().zip(marks) {
        draft.put(recorded, *mark);
    }
    draft.finish()
}

/// Returns the bytes of a chunk with statements among its own; `None` where they are too many for one.
///
/// # Errors
/// [`StoreError::Corrupt`] where the chunk does not read.
pub(crate) fn with(chunk: &Chunk<'_>, additions: &[&Recorded]) -> Result<Option<Vec<u8>>, StoreError> {
    if chunk.len() + additions.len() > CHUNK {
        return Ok(None);
    }
    let mut draft = Draft::taking(chunk)?;
    let mut additions = additions.iter().copied().peekable();
    for at in 0..chunk.len() {
        let place = chunk.place(at)?;
        while let Some(added) = additions.next_if(|added| Place::of(added) < place) {
            draft.put(added, Mark::of(&added.assertion));
        }
        draft.take(chunk, at)?;
    }
    for added in additions {
        draft.put(added, Mark::of(&added.assertion));
    }
    Ok(Some(draft.finish()))
}

#[derive(Default)]
struct Draft<'a> {
    starts: Vec<i64>,
    spans: Vec<i64>,
    known: Vec<i64>,
    seqs: Vec<i64>,
    stamps: Vec<i64>,
    flags: Vec<u8>,
    /// The place among the objects of each statement's.
    places: Vec<u8>,
    objects: Vec<Vec<u8>>,
    object_marks: Vec<u64>,
    bodies: Vec<u8>,
    body_ends: Vec<usize>,
    texts: Texts<'a>,
}

impl<'a> Draft<'a> {
    /// Starts with the objects and the texts of a chunk.
    fn taking(chunk: &Chunk<'a>) -> Result<Draft<'a>, StoreError> {
        let mut draft = Draft::default();
        for (place, mark) in (0..).zip(chunk.marks.chunks_exact(8)) {
            draft.objects.push(chunk.object_bytes(place)?.to_vec());
            draft.object_marks.push(mark.try_into().map_or(0, u64::from_le_bytes));
        }
        draft.texts = Texts::of(chunk.texts()?);
        Ok(draft)
    }

    /// Takes over a statement of the chunk it started with.
    fn take(&mut self, chunk: &Chunk<'a>, at: usize) -> Result<(), StoreError> {
        self.starts.push(chunk.starts.get(at));
        self.spans.push(chunk.spans.get(at));
        self.known.push(chunk.known.get(at));
        self.seqs.push(chunk.seqs.get(at));
        self.stamps.push(chunk.stamps.get(at));
        self.flags.push(chunk.flags[at]);
        self.places.push(chunk.places[at]);
        self.bodies.extend_from_slice(chunk.body(at)?);
        self.body_ends.push(self.bodies.len());
        Ok(())
    }

    fn put(&mut self, recorded: &'a Recorded, mark: Option<Mark>) {
        let assertion = &recorded.assertion;
        if self.texts.texts.is_empty() {
            self.texts.texts.extend(Texts::of_group(assertion));
        }
        self.starts.push(start(assertion).micros());
        self.spans.push(span(mark));
        self.known.push(assertion.known_at.micros());
        self.seqs.push(recorded.seq.cast_signed());
        self.stamps.push(recorded.at.micros());
        self.flags.push(flags(assertion, mark));
        let place = match &assertion.object {
            None => NO_OBJECT,
            Some(object) => self.object(object, mark),
        };
        self.places.push(place);
        self.bodies.extend(codec::encode_part(&body(recorded, &mut self.texts)));
        self.body_ends.push(self.bodies.len());
    }

    fn object(&mut self, object: &Object, mark: Option<Mark>) -> u8 {
        let bytes = codec::encode_part(object);
        let place = self.objects.iter().position(|other| *other == bytes).unwrap_or_else(|| {
            self.objects.push(bytes);
            self.object_marks.push(mark.map_or_else(|| object_mark(object), |mark| mark.object));
            self.objects.len() - 1
        });
        u8::try_from(place).expect("a chunk has few objects")
    }

    fn finish(self) -> Vec<u8> {
        let count = |n: usize| u8::try_from(n).expect("a chunk has few of them");
        let mut bytes = vec![FORMAT, count(self.starts.len()), count(self.objects.len())];
        for numbers in [&self.starts, &self.spans, &self.known, &self.seqs, &self.stamps] {
            column::put(&mut bytes, numbers);
        }
        bytes.extend(self.flags);
        bytes.extend(self.places);
        for mark in self.object_marks {
            bytes.extend(mark.to_le_bytes());
        }
        let number = |n: usize| i64::try_from(n).expect("memory is smaller");
        let mut n_bytes = 0;
        let mut end = |object: &Vec<u8>| {
            n_bytes += object.len();
            number(n_bytes)
        };
        let object_ends: Vec<i64> = self.objects.iter().map(&mut end).collect();
        let body_ends: Vec<i64> = self.body_ends.iter().map(|end| number(n_bytes + end)).collect();
        column::put(&mut bytes, &object_ends);
        column::put(&mut bytes, &body_ends);
        bytes.extend(self.objects.into_iter().flatten());
        bytes.extend(self.bodies);
        bytes.extend(codec::encode_part(&self.texts.texts));
        bytes
    }
}

/// The texts of a chunk: those of its group first, then what its statements share.
#[derive(Default)]
struct Texts<'a> {
    places: BTreeMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

/// How many texts are those of the group.
const N_OF_GROUP: usize = 4;

impl<'a> Texts<'a> {
    /// Returns the texts that a chunk has.
    fn of(texts: Vec<&'a str>) -> Texts<'a> {
        let shared = (0_u32..).zip(&texts).skip(N_OF_GROUP);
        Texts { places: shared.map(|(place, text)| (*text, place)).collect(), texts }
    }

    /// Returns the texts of the group, which stand first. Where a statement has one of them once more, it stands elsewhere, so
    /// that two of them may be equal.
    fn of_group(assertion: &'a Assertion) -> [&'a str; N_OF_GROUP] {
        let Assertion { subject, predicate, key, .. } = assertion;
        [subject.kind(), subject.name(), predicate, key]
    }

    fn place(&mut self, text: &'a str) -> u32 {
        *self.places.entry(text).or_insert_with(|| {
            self.texts.push(text);
            u32::try_from(self.texts.len() - 1).expect("a chunk has few texts")
        })
    }
}

fn start(assertion: &Assertion) -> Instant {
    assertion.validity.period().map_or(Instant::DISTANT_PAST, Period::start)
}

/// How far a statement reaches from its start on.
fn span(mark: Option<Mark>) -> i64 {
    match mark {
        Some(mark) if mark.end != Instant::DISTANT_FUTURE => {
            // An end before the start is as odd as one at it, and 0 stands for none.
            let span = mark.end.micros().wrapping_sub(mark.start.micros());
            if mark.is_odd() { -1 } else { span }
        }
        _ => ENDLESS,
    }
}

fn flags(assertion: &Assertion, mark: Option<Mark>) -> u8 {
    let set = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let act = mark.map(|mark| mark.act);
    set(mark.is_some(), flag::COUNTS_AND_IS_DATED)
        | set(assertion.validity.period().is_some(), flag::IS_DATED)
        | set(act == Some(Act::Deny), flag::DENIES)
        | set(matches!(act, Some(Act::Open { .. })), flag::IS_OPEN)
        | set(act == Some(Act::Open { anchors: true }), flag::ANCHORS)
        | assertion.authority.rank() << flag::AUTHORITY
}

fn body<'a>(recorded: &'a Recorded, texts: &mut Texts<'a>) -> Body {
    let assertion = &recorded.assertion;
    let source = &assertion.source;
    let told = |moment: Moment| -> Told {
        (moment.at.micros().wrapping_sub(assertion.known_at.micros()), moment.grain)
    };
    let bound = |bound: Bound| bound.moment().map(told);
    Body {
        id: assertion.id,
        period: assertion.validity.period().map(|period| (bound(period.from()), bound(period.to()))),
        sure_until: assertion.sure_until.map(told),
        polarity: assertion.polarity,
        modality: assertion.modality,
        authority: assertion.authority,
        confidence: (assertion.confidence.to_bits() != 1.0_f64.to_bits()).then_some(assertion.confidence),
        document: texts.place(&source.document),
        position: source.position,
        span: source.span,
        episode: (source.episode.0 != assertion.id.0).then_some(source.episode),
        context: source.context.clone(),
        asserter: source.asserter.as_ref().map(|who| (texts.place(who.kind()), texts.place(who.name()))),
        session: texts.place(&source.session),
        agent: source.agent.as_deref().map(|agent| texts.place(agent)),
        user: source.user.as_deref().map(|user| texts.place(user)),
        zone: source.zone.as_deref().map(|zone| texts.place(zone)),
        extractor: texts.place(&assertion.extractor),
        derived_from: assertion.derived_from.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::marks;
    use crate::wire::{Defaults, read_statement};

    /// Statements of one group that have little in common, in the order of their places.
    fn statements() -> Vec<Recorded> {
        let defaults = Defaults { now: Instant::FIRST, document: String::new(), position: 0 };
        let mut statements: Vec<Recorded> = (0..48_u64)
            .map(|nth| {
                let mut line = serde_json::json!({
                    "subject": "person:Ann", "predicate": "works_at", "key": "side",
                    "object": { "entity": format!("org:O{}", nth % 5) },
                    "known_at": format!("2024-03-{:02}", 1 + nth * 7 % 28),
                    "source": format!("log-{}#{nth}", nth % 3),
                    "from": format!("20{:02}-01", 10 + nth * 5 % 11),
                });
                match nth % 6 {
                    0 => line["to"] = "2023-06".into(),
                    1 => line["from"] = "unknown".into(),
                    2 => line["polarity"] = "deny".into(),
                    3 => line["modality"] = "planned".into(),
                    4 => line["asserter"] = "person:works_at".into(),
                    _ => line["object"] = serde_json::json!({ "text": "side" }),
                }
                if nth % 6 == 1 {
                    line["to"] = "unknown".into();
                }
                let statement = read_statement(&line.to_string(), &defaults).expect("a statement");
                Recorded {
                    assertion: statement.assertion,
                    seq: nth * 3 % 50,
                    at: Instant::FIRST.plus_micros(9),
                }
            })
            .collect();
        statements.sort_by_key(Place::of);
        statements
    }

    #[test]
    fn a_chunk_with_statements_among_its_own_is_that_of_all_of_them() {
        let all = statements();
        for step in 1..9 {
            for from in 0..step {
                let is_added = |at: usize| at % step == from;
                let kept: Vec<Recorded> =
                    all.iter().enumerate().filter(|(at, _)| !is_added(*at)).map(|(_, r)| r.clone()).collect();
                let added: Vec<&Recorded> =
                    all.iter().enumerate().filter(|(at, _)| is_added(*at)).map(|(_, r)| r).collect();
                if kept.is_empty() {
                    continue;
                }
                let bytes = encode(&kept, &marks(&kept));
                let chunk = Chunk::read(&bytes).expect("a chunk");
                let together = with(&chunk, &added).expect("it reads").expect("there is room");
                let together = Chunk::read(&together).expect("a chunk");
                assert_eq!(together.statements().expect("statements"), all);
                let whole = encode(&all, &marks(&all));
                let whole = Chunk::read(&whole).expect("a chunk");
                assert_eq!(together.zone().expect("a zone"), whole.zone().expect("a zone"));
                for (at, recorded) in all.iter().enumerate() {
                    assert_eq!(together.mark(at), whole.mark(at));
                    assert_eq!(together.place(at).expect("a place"), Place::of(recorded));
                }
            }
        }
    }

    #[test]
    fn what_is_too_much_for_one_chunk_is_not_put_in_it() {
        let all = statements();
        let bytes = encode(&all, &marks(&all));
        let chunk = Chunk::read(&bytes).expect("a chunk");
        let some: Vec<&Recorded> = all.iter().take(CHUNK - all.len() + 1).collect();
        assert_eq!(with(&chunk, &some).expect("it reads"), None);
        assert!(with(&chunk, &some[1..]).expect("it reads").is_some());
    }
}
