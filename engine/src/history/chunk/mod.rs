//! A run of a group's statements as bytes: what decides how far each reaches stands in columns, and is read without the rest;
//! texts and objects that several share stand once.
//!
//! ```text
//! format 1 │ statements 1 │ objects 1 │ columns: start, span, known, sequence, stamp │ flags │ objects' places
//!          │ objects' marks 8 each │ columns: ends of objects, ends of statements │ objects │ statements │ texts
//! ```

mod draft;

use serde::{Deserialize, Serialize};

pub(crate) use draft::{encode, with};

use super::Place;
use super::column::Column;
use super::zone::Zone;
use crate::assertion::{Assertion, Authority, Modality, Polarity, Source, Span};
use crate::codec;
use crate::entity::EntityRef;
use crate::error::StoreError;
use crate::id::{AssertionId, EpisodeId};
use crate::mark::{Act, Mark, Precedence};
use crate::object::Object;
use crate::record::Recorded;
use crate::time::{Bound, Granularity, Instant, Moment, Period, Validity};

/// Statements a chunk holds at most.
pub(crate) const CHUNK: usize = 64;

const FORMAT: u8 = 0;
/// Stands where a statement has no object.
const NO_OBJECT: u8 = u8::MAX;
/// Stands for an end that is open.
const ENDLESS: i64 = 0;

/// What a byte of flags says.
mod flag {
    pub(super) const COUNTS_AND_IS_DATED: u8 = 1;
    pub(super) const IS_DATED: u8 = 2;
    pub(super) const DENIES: u8 = 4;
    pub(super) const IS_OPEN: u8 = 8;
    pub(super) const ANCHORS: u8 = 16;
    /// The rank of the authority stands in the two highest bits.
    pub(super) const AUTHORITY: u8 = 6;
}

/// A time as it was said, relative to when it came to be known.
type Told = (i64, Granularity);

/// What of a statement stands in no column. Numbers are places among the texts.
#[derive(Serialize, Deserialize)]
struct Body {
    id: AssertionId,
    /// Both bounds; `None` where it is undated.
    period: Option<(Option<Told>, Option<Told>)>,
    sure_until: Option<Told>,
    polarity: Polarity,
    modality: Modality,
    authority: Authority,
    /// `None` for certainty.
    confidence: Option<f64>,
    document: u32,
    position: u64,
    span: Option<Span>,
    /// `None` where it is that of the statement's own id, as of what came as data.
    episode: Option<EpisodeId>,
    context: Vec<EpisodeId>,
    asserter: Option<(u32, u32)>,
    session: u32,
    agent: Option<u32>,
    user: Option<u32>,
    zone: Option<u32>,
    extractor: u32,
    derived_from: Vec<AssertionId>,
}

/// A chunk that is being read.
pub(crate) struct Chunk<'a> {
    n: usize,
    starts: Column<'a>,
    spans: Column<'a>,
    known: Column<'a>,
    seqs: Column<'a>,
    stamps: Column<'a>,
    flags: &'a [u8],
    places: &'a [u8],
    marks: &'a [u8],
    object_ends: Column<'a>,
    body_ends: Column<'a>,
    area: &'a [u8],
    texts: &'a [u8],
}

fn damaged() -> StoreError {
    StoreError::corrupt("a chunk of history does not read")
}

impl<'a> Chunk<'a> {
    /// Reads what is in columns.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where the bytes are no chunk.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Chunk<'a>, StoreError> {
        Chunk::parse(bytes).ok_or_else(damaged)
    }

    fn parse(bytes: &'a [u8]) -> Option<Chunk<'a>> {
        let (&[FORMAT, n, n_objects], rest) = bytes.split_first_chunk()? else { return None };
        let (n, n_objects) = (usize::from(n), usize::from(n_objects));
        let (starts, rest) = Column::split(rest, n)?;
        let (spans, rest) = Column::split(rest, n)?;
        let (known, rest) = Column::split(rest, n)?;
        let (seqs, rest) = Column::split(rest, n)?;
        let (stamps, rest) = Column::split(rest, n)?;
        let (flags, rest) = rest.split_at_checked(n)?;
        let (places, rest) = rest.split_at_checked(n)?;
        let (marks, rest) = rest.split_at_checked(8 * n_objects)?;
        let (object_ends, rest) = Column::split(rest, n_objects)?;
        let (body_ends, rest) = Column::split(rest, n)?;
        let last = n.checked_sub(1)?;
        let (area, texts) = rest.split_at_checked(usize::try_from(body_ends.get(last)).ok()?)?;
        let is_object = |&place: &u8| place == NO_OBJECT || usize::from(place) < n_objects;
        places.iter().all(is_object).then_some(())?;
        Some(Chunk {
            n,
            starts,
            spans,
            known,
            seqs,
            stamps,
            flags,
            places,
            marks,
            object_ends,
            body_ends,
            area,
            texts,
        })
    }

    /// How many statements there are.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Returns when a statement came to be known.
    pub(crate) fn known_at(&self, at: usize) -> Instant {
        Instant::from_raw(self.known.get(at))
    }

    /// Returns the commit that recorded a statement.
    pub(crate) fn seq(&self, at: usize) -> u64 {
        self.seqs.get(at).cast_unsigned()
    }

    /// Returns the mark of a statement; `None` for one that does not count or has no dates.
    pub(crate) fn mark(&self, at: usize) -> Option<Mark> {
        let flags = self.flags[at];
        if flags & flag::COUNTS_AND_IS_DATED == 0 {
            return None;
        }
        let start = self.starts.get(at);
        let end = match self.spans.get(at) {
            ENDLESS => Instant::DISTANT_FUTURE,
            // Odd: it ends where it starts.
            -1 => Instant::from_raw(start),
            span => Instant::from_raw(start.wrapping_add(span)),
        };
        let act = if flags & flag::DENIES != 0 {
            Act::Deny
        } else if flags & flag::IS_OPEN != 0 {
            Act::Open { anchors: flags & flag::ANCHORS != 0 }
        } else {
            Act::Bounded
        };
        let object = match self.places[at] {
            NO_OBJECT => 0,
            place => {
                let from = 8 * usize::from(place);
                self.marks[from..from + 8].try_into().map_or(0, u64::from_le_bytes)
            }
        };
        let precedence = Precedence { authority: flags >> flag::AUTHORITY, known_at: self.known_at(at) };
        Some(Mark { start: Instant::from_raw(start), end, precedence, act, object })
    }

    /// Reads the texts, which statements are read with.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn texts(&self) -> Result<Vec<&'a str>, StoreError> {
        codec::decode_part("the texts of a chunk", self.texts)
    }

    /// Returns where a statement stands.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn place(&self, at: usize) -> Result<Place, StoreError> {
        let is_dated = self.flags[at] & flag::IS_DATED != 0;
        Ok(Place {
            start: is_dated.then(|| Instant::from_raw(self.starts.get(at))),
            known_at: self.known_at(at),
            id: self.id(at)?,
        })
    }

    /// Returns the id of a statement.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn id(&self, at: usize) -> Result<AssertionId, StoreError> {
        let id = self.body(at)?.first_chunk();
        id.copied().map(AssertionId).ok_or_else(damaged)
    }

    fn body(&self, at: usize) -> Result<&'a [u8], StoreError> {
        let from = match at.checked_sub(1) {
            Some(before) => self.body_ends.get(before),
            None => match self.marks.len() / 8 {
                0 => 0,
                n_objects => self.object_ends.get(n_objects - 1),
            },
        };
        self.part(from, self.body_ends.get(at))
    }

    fn part(&self, from: i64, to: i64) -> Result<&'a [u8], StoreError> {
        let place = |at: i64| usize::try_from(at).map_err(|_| damaged());
        self.area.get(place(from)?..place(to)?).ok_or_else(damaged)
    }

    fn object(&self, place: u8) -> Result<Option<Object>, StoreError> {
        if place == NO_OBJECT {
            return Ok(None);
        }
        codec::decode_part("an object", self.object_bytes(usize::from(place))?).map(Some)
    }

    fn object_bytes(&self, place: usize) -> Result<&'a [u8], StoreError> {
        let from = place.checked_sub(1).map_or(0, |before| self.object_ends.get(before));
        self.part(from, self.object_ends.get(place))
    }

    /// Returns a statement.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn statement(&self, at: usize, texts: &[&str]) -> Result<Recorded, StoreError> {
        let body: Body = codec::decode_part("a statement", self.body(at)?)?;
        let text = |place: u32| {
            let text = usize::try_from(place).ok().and_then(|place| texts.get(place).copied());
            text.ok_or_else(damaged)
        };
        let owned = |place: u32| text(place).map(str::to_owned);
        let maybe = |place: Option<u32>| place.map(owned).transpose();
        let known_at = self.known_at(at);
        let moment = |(difference, grain): Told| {
            Moment::new(Instant::from_raw(known_at.micros().wrapping_add(difference)), grain)
        };
        let bound = |told: Option<Told>| told.map_or(Bound::Open, |told| Bound::At(moment(told)));
        let validity = match body.period {
            None => Validity::Undated,
            Some((from, to)) => Validity::Over(Period::new(bound(from), bound(to)).map_err(|_| damaged())?),
        };
        let entity =
            |(kind, name)| -> Result<_, StoreError> { Ok(EntityRef::kept(text(kind)?, text(name)?)) };
        let assertion = Assertion {
            id: body.id,
            subject: EntityRef::kept(text(0)?, text(1)?),
            predicate: owned(2)?,
            key: owned(3)?,
            object: self.object(self.places[at])?,
            polarity: body.polarity,
            validity,
            sure_until: body.sure_until.map(moment),
            modality: body.modality,
            authority: body.authority,
            confidence: body.confidence.unwrap_or(1.0),
            known_at,
            source: Source {
                document: owned(body.document)?,
                position: body.position,
                span: body.span,
                episode: body.episode.unwrap_or(EpisodeId(body.id.0)),
                context: body.context,
                asserter: body.asserter.map(entity).transpose()?,
                session: owned(body.session)?,
                agent: maybe(body.agent)?,
                user: maybe(body.user)?,
                zone: maybe(body.zone)?,
            },
            extractor: owned(body.extractor)?,
            derived_from: body.derived_from,
        };
        Ok(Recorded { assertion, seq: self.seq(at), at: Instant::from_raw(self.stamps.get(at)) })
    }

    /// Returns what is known of the chunk without reading it; `None` of one without statements.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn zone(&self) -> Result<Option<Zone>, StoreError> {
        if self.n == 0 {
            return Ok(None);
        }
        let known = (0..self.n).map(|at| self.known_at(at));
        Ok(Zone::of(self.place(0)?, known, (0..self.n).filter_map(|at| self.mark(at))))
    }

    /// Returns every statement, in order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub(crate) fn statements(&self) -> Result<Vec<Recorded>, StoreError> {
        let texts = self.texts()?;
        (0..self.n).map(|at| self.statement(at, &texts)).collect()
    }
}
