//! The facts of a stretch of time, as a view derives them, and what added statements change in them: told from a few chunks of a
//! group's history, however long it is.
//!
//! The rules of derivation say how much they need (`Semantics::facts_over`, `Semantics::added`); here chunks are read until they
//! have it. Where they do not, or the stretch grows too long, the whole group is derived elsewhere.

use std::ops::Range;

use super::history::{self, Rows};
use crate::assertion::Assertion;
use crate::backend::Reader;
use crate::error::StoreError;
use crate::fact::Fact;
use crate::history::Place;
use crate::history::chunk::Chunk;
use crate::history::zone::Zone;
use crate::key::GroupId;
use crate::mark::{Mark, Outside, Stretch};
use crate::record::Recorded;
use crate::semantics::{Added, Semantics};
use crate::time::{Instant, Period};

/// Chunks a stretch grows to at most: where that many do not tell, all of them are likely to be needed.
const LONGEST: usize = 8;

/// Which statements a view sees, where it listens to every source.
#[derive(Clone, Copy)]
pub(super) struct Visible {
    pub(super) known: Instant,
    pub(super) last_seq: u64,
}

impl Visible {
    const EVERYTHING: Visible = Visible { known: Instant::DISTANT_FUTURE, last_seq: u64::MAX };
}

/// Returns the facts of a group that overlap a period, in a view; `None` where the whole group has to be derived.
pub(super) fn facts_over(
    reader: &dyn Reader,
    semantics: &dyn Semantics,
    (group, predicate): (GroupId, &str),
    visible: Visible,
    asked: Period,
) -> Result<Option<Vec<Fact>>, StoreError> {
    let tell = |chunks: &[&[u8]], before: &Outside, after: &Outside| {
        let run = Run::of(chunks, visible)?;
        let stretch = Stretch { marks: &run.marks, before, after };
        semantics.facts_over(predicate, asked, &stretch, &mut |range| run.read(range))
    };
    let zones = match history::rows(reader, group)? {
        Rows::Alone(None) => return Ok(Some(Vec::new())),
        Rows::Alone(Some(chunk)) => return tell(&[&chunk], &Outside::NOTHING, &Outside::NOTHING),
        Rows::Zoned(zones) => zones,
    };
    // What came to be known later than the view looks is as if it were not there.
    let zones: Vec<&Zone> = zones.iter().filter(|zone| zone.known.0 <= visible.known).collect();
    if zones.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let (at, to) = (chunk_at(&zones, asked.start()), chunk_at(&zones, asked.end().previous()));
    grown(reader, group, &zones, unreached(&zones, at, asked.start())..to.max(at) + 1, tell)
}

/// Returns which chunk an instant falls into, the last one that starts with it or before.
fn chunk_at(zones: &[&Zone], instant: Instant) -> usize {
    zones.partition_point(|zone| zone.first.start <= Some(instant)).saturating_sub(1)
}

/// Returns the last chunk, up to one, before which no chunk's statements reach beyond an instant: a stretch that tells of it
/// starts there at the latest.
fn unreached(zones: &[&Zone], at: usize, instant: Instant) -> usize {
    zones[..at].iter().position(|zone| zone.reach() > instant).unwrap_or(at)
}

/// Lets something tell from a stretch of chunks, which grows at both ends until it can.
fn grown<T>(
    reader: &dyn Reader,
    group: GroupId,
    zones: &[&Zone],
    mut range: Range<usize>,
    mut tell: impl FnMut(&[&[u8]], &Outside, &Outside) -> Result<Option<T>, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut more = 1;
    while range.len() <= LONGEST {
        let chunks: Vec<Vec<u8>> = zones[range.clone()]
            .iter()
            .map(|zone| history::chunk_of(reader, group, zone))
            .collect::<Result<_, _>>()?;
        let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
        let (before, after) = (outside(&zones[..range.start]), outside(&zones[range.end..]));
        if let Some(told) = tell(&chunks, &before, &after)? {
            return Ok(Some(told));
        }
        if range == (0..zones.len()) {
            break;
        }
        range = range.start.saturating_sub(more)..(range.end + more).min(zones.len());
        more *= 2;
    }
    Ok(None)
}

fn outside(zones: &[&Zone]) -> Outside {
    let mut outside = Outside::NOTHING;
    for zone in zones {
        zone.add_to(&mut outside);
    }
    outside
}

/// The statements of chunks that lie together, as far as a view sees them and they count.
struct Run<'a> {
    chunks: Vec<Chunk<'a>>,
    marks: Vec<Mark>,
    /// Where the statement of each mark stands: its chunk, and its place there.
    at: Vec<(usize, usize)>,
}

impl<'a> Run<'a> {
    fn of(bytes: &[&'a [u8]], visible: Visible) -> Result<Run<'a>, StoreError> {
        let chunks: Vec<Chunk<'a>> =
            bytes.iter().map(|bytes| Chunk::read(bytes)).collect::<Result<_, _>>()?;
        let n_statements = chunks.iter().map(Chunk::len).sum();
        let (mut marks, mut at) = (Vec::with_capacity(n_statements), Vec::with_capacity(n_statements));
        for (which, chunk) in chunks.iter().enumerate() {
            for place in 0..chunk.len() {
                let sees = chunk.known_at(place) <= visible.known && chunk.seq(place) <= visible.last_seq;
                if let Some(mark) = chunk.mark(place).filter(|_| sees) {
                    marks.push(mark);
                    at.push((which, place));
                }
            }
        }
        Ok(Run { chunks, marks, at })
    }

    fn read(&self, range: Range<usize>) -> Result<Vec<Assertion>, StoreError> {
        let mut texts: Option<(usize, Vec<&str>)> = None;
        self.at[range]
            .iter()
            .map(|&(which, place)| {
                let chunk = &self.chunks[which];
                let texts = match &mut texts {
                    Some((of, texts)) if *of == which => &*texts,
                    other => &other.insert((which, chunk.texts()?)).1,
                };
                Ok(chunk.statement(place, texts)?.assertion)
            })
            .collect()
    }
}

/// Returns what statements that are added change in the facts of a group in the latest view; `None` where the whole group has
/// to be derived.
pub(super) fn added(
    reader: &dyn Reader,
    semantics: &dyn Semantics,
    (group, predicate): (GroupId, &str),
    additions: &[Recorded],
) -> Result<Option<Added>, StoreError> {
    let Rows::Zoned(zones) = history::rows(reader, group)? else { return Ok(None) };
    let zones: Vec<&Zone> = zones.iter().collect();
    let mut new: Vec<(Place, Mark, &Assertion)> = Vec::with_capacity(additions.len());
    for recorded in additions {
        let Some(mark) = Mark::of(&recorded.assertion) else { return Ok(None) };
        new.push((Place::of(recorded), mark, &recorded.assertion));
    }
    new.sort_by_key(|(place, ..)| *place);
    let (Some(first), Some(reach)) = (new.first(), new.iter().map(|(_, mark, _)| mark.end).max()) else {
        return Ok(None);
    };
    let (at, to) = (chunk_at(&zones, first.1.start), chunk_at(&zones, reach));
    let range = unreached(&zones, at, first.1.start)..to.max(at) + 1;
    grown(reader, group, &zones, range, |chunks, before, after| {
        let run = Run::of(chunks, Visible::EVERYTHING)?;
        let with = With::new(&run, &new)?;
        let stretch = Stretch { marks: &with.marks, before, after };
        semantics.added(predicate, &stretch, &with.is_new, &mut |range| with.read(range))
    })
}

/// A run, and new statements among its own.
struct With<'a> {
    run: &'a Run<'a>,
    marks: Vec<Mark>,
    is_new: Vec<bool>,
    at: Vec<Told<'a>>,
}

/// Where a statement is read.
#[derive(Clone, Copy)]
enum Told<'a> {
    Kept(usize),
    New(&'a Assertion),
}

impl<'a> With<'a> {
    fn new(run: &'a Run<'a>, new: &[(Place, Mark, &'a Assertion)]) -> Result<With<'a>, StoreError> {
        let mut all: Vec<(Place, Mark, Told<'a>)> = Vec::with_capacity(run.marks.len() + new.len());
        for (idx, (mark, &(which, place))) in run.marks.iter().zip(&run.at).enumerate() {
            all.push((run.chunks[which].place(place)?, *mark, Told::Kept(idx)));
        }
        all.extend(new.iter().map(|&(place, mark, assertion)| (place, mark, Told::New(assertion))));
        all.sort_by_key(|(place, ..)| *place);
        Ok(With {
            run,
            marks: all.iter().map(|(_, mark, _)| *mark).collect(),
            is_new: all.iter().map(|(.., told)| matches!(told, Told::New(_))).collect(),
            at: all.into_iter().map(|(.., told)| told).collect(),
        })
    }

    fn read(&self, range: Range<usize>) -> Result<Vec<Assertion>, StoreError> {
        let mut read = Vec::with_capacity(range.len());
        for told in &self.at[range] {
            match *told {
                Told::Kept(idx) => read.extend(self.run.read(idx..idx + 1)?),
                Told::New(assertion) => read.push(assertion.clone()),
            }
        }
        Ok(read)
    }
}
