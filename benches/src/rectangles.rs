//! What is believed of a group at each known instant, as rectangles of valid and known time: what a database that resolves
//! nothing itself has to be given to answer the same questions.
//!
//! It is the derivation of the contract for the plain statements of [`crate::bitemporal`] and for nothing else: states, of
//! one authority, whose times are instants, and of which no two are known at once. There every open statement is a bare
//! instant that is presumed to go on, so it can be followed from one statement to the next; deriving the whole group at
//! each known instant takes hours for a group of ten thousand. The tests hold it against the derivation.

use std::collections::BTreeMap;

use crate::bitemporal::{Event, OPEN, SINGLE_VALUED};

/// A fact over the stretch of known time in which it was believed like this; [`OPEN`] where that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rectangle {
    /// Whose.
    pub subject: u32,
    /// Which predicate.
    pub predicate: u32,
    /// The first instant at which it holds.
    pub valid_from: i64,
    /// The first known instant at which it is believed.
    pub known_from: i64,
    /// The first instant at which it holds no more.
    pub valid_to: i64,
    /// The first known instant at which it is believed no more.
    pub known_to: i64,
    /// What holds.
    pub object: u32,
}

/// Returns the rectangles of all groups, in the order of subject, predicate, start and known instant.
pub fn rectangles(events: &[Event]) -> Vec<Rectangle> {
    // Objects of a predicate of many values do not bear on each other.
    let mut parts: BTreeMap<(u32, u32, Option<u32>), Vec<Event>> = BTreeMap::new();
    for event in events {
        let object = (event.predicate >= SINGLE_VALUED).then_some(event.object);
        parts.entry((event.subject, event.predicate, object)).or_default().push(*event);
    }
    let mut all: Vec<Rectangle> = parts.values().flat_map(|part| Followed::new(part).follow(part)).collect();
    all.sort_unstable();
    all
}

/// No object.
const NOTHING: u32 = u32::MAX;

/// A column: the time between two neighbouring instants at which anything starts or ends.
type Column = usize;

/// An affirmation; its place among the statements is its rank.
struct Affirm {
    rank: usize,
    object: u32,
    from: Column,
    /// The end of what it vouches for, cut where an open statement of another object starts.
    to: Column,
    uncut: Column,
    /// Of an open one: whether nothing denies it at its own start.
    is_alive: bool,
    is_open: bool,
}

struct Deny {
    rank: usize,
    from: Column,
    to: Column,
    /// Whether it is an END.
    is_end: bool,
    is_void: bool,
}

impl Deny {
    fn covers(&self, column: Column) -> bool {
        !self.is_void && self.from <= column && column < self.to
    }
}

/// A group of one value at a time, as far as its statements were followed.
struct Followed {
    /// The instant at which each column starts; the last one goes on for ever.
    starts: Vec<i64>,
    affirms: Vec<Affirm>,
    /// The open affirms by column and rank, as places in `affirms`.
    points: BTreeMap<(Column, usize), usize>,
    denies: BTreeMap<u32, Vec<Deny>>,
    /// What holds in each column.
    holds: Vec<u32>,
    /// What is believed: by its first column, the column after its last, the object and the known instant since when.
    believed: BTreeMap<Column, (Column, u32, i64)>,
}

impl Followed {
    fn new(events: &[Event]) -> Followed {
        let mut starts: Vec<i64> = Vec::new();
        for event in events {
            starts.push(event.from);
            match event.to {
                OPEN if event.denies => {}
                OPEN => starts.push(event.from + 1),
                to => starts.push(to),
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let holds = vec![NOTHING; starts.len()];
        Followed {
            starts,
            affirms: Vec::new(),
            points: BTreeMap::new(),
            denies: BTreeMap::new(),
            holds,
            believed: BTreeMap::new(),
        }
    }

    fn column(&self, instant: i64) -> Column {
        self.starts.partition_point(|start| *start < instant)
    }

    fn end(&self, column: Column) -> i64 {
        self.starts.get(column).copied().unwrap_or(OPEN)
    }

    fn follow(mut self, events: &[Event]) -> Vec<Rectangle> {
        let mut closed = Vec::new();
        for (rank, event) in events.iter().enumerate() {
            let (from, to) = if event.denies { self.deny(rank, event) } else { self.affirm(rank, event) };
            self.repaint(from, to, event, &mut closed);
        }
        let last = events.last().copied();
        let open = self.believed.iter().filter_map(|(&from, &(to, object, known))| {
            let Event { subject, predicate, .. } = last?;
            let [valid_from, valid_to] = [self.starts[from], self.end(to)];
            Some(Rectangle {
                subject,
                predicate,
                valid_from,
                known_from: known,
                valid_to,
                known_to: OPEN,
                object,
            })
        });
        closed.extend(open);
        closed
    }

    /// Takes note of an affirmation; returns the columns in which it can change what holds.
    fn affirm(&mut self, rank: usize, event: &Event) -> (Column, Column) {
        let is_open = event.to == OPEN;
        let from = self.column(event.from);
        let to = if is_open { from + 1 } else { self.column(event.to) };
        let object = event.object;
        let is_alive = is_open;
        self.affirms.push(Affirm { rank, object, from, to, uncut: to, is_alive, is_open });
        let mut upto = to;
        if is_open {
            for other in &mut self.affirms {
                if !other.is_open && other.object != object && other.from <= from && from < other.to {
                    upto = upto.max(other.to);
                    other.to = from;
                }
            }
            upto = upto.max(self.next_alive(from));
            self.points.insert((from, rank), self.affirms.len() - 1);
        }
        // An END may be void because nothing was affirmed between it and another one.
        let n_ends = self.denies.get(&object).map_or(0, |of| of.iter().filter(|deny| deny.is_end).count());
        if n_ends > 1 {
            self.judge_ends(object);
            self.cut_again(object);
            return (0, self.starts.len());
        }
        (from, upto)
    }

    /// Returns the column of the next open affirm after a column that is alive.
    fn next_alive(&self, after: Column) -> Column {
        let later = self.points.range((after + 1, 0)..);
        later
            .filter(|(_, at)| self.affirms[**at].is_alive)
            .map(|((column, _), _)| *column)
            .next()
            .unwrap_or(self.starts.len())
    }

    fn deny(&mut self, rank: usize, event: &Event) -> (Column, Column) {
        let from = self.column(event.from);
        let to = if event.to == OPEN { self.starts.len() } else { self.column(event.to) };
        let is_end = event.to == OPEN;
        let of = self.denies.entry(event.object).or_default();
        of.push(Deny { rank, from, to, is_end, is_void: false });
        let first_end = of.iter().filter(|deny| deny.is_end).map(|deny| deny.from).min();
        self.judge_ends(event.object);
        self.cut_again(event.object);
        (from.min(first_end.unwrap_or(from)), self.starts.len())
    }

    /// Of two ENDs of an object without an affirm of it that starts between, the earlier one is void.
    fn judge_ends(&mut self, object: u32) {
        let Some(of) = self.denies.get_mut(&object) else { return };
        let starts: Vec<Column> =
            self.affirms.iter().filter(|affirm| affirm.object == object).map(|affirm| affirm.from).collect();
        let ends: Vec<(usize, Column)> = of.iter().filter(|d| d.is_end).map(|d| (d.rank, d.from)).collect();
        for deny in of.iter_mut().filter(|deny| deny.is_end) {
            deny.is_void = ends.iter().any(|&(rank, from)| {
                let [smaller, greater] = [from.min(deny.from), from.max(deny.from)];
                rank > deny.rank && !starts.iter().any(|start| smaller < *start && *start <= greater)
            });
        }
    }

    fn is_denied(&self, affirm: &Affirm, column: Column) -> bool {
        let of = self.denies.get(&affirm.object);
        of.is_some_and(|of| of.iter().any(|deny| deny.rank > affirm.rank && deny.covers(column)))
    }

    /// Judges anew which open affirms of an object are alive, and what those that changed cut.
    fn cut_again(&mut self, object: u32) {
        let mut changed = Vec::new();
        for at in 0..self.affirms.len() {
            let affirm = &self.affirms[at];
            if affirm.is_open && affirm.object == object {
                let is_alive = !self.is_denied(affirm, affirm.from);
                if is_alive != affirm.is_alive {
                    changed.push(affirm.from);
                    self.affirms[at].is_alive = is_alive;
                }
            }
        }
        changed.sort_unstable();
        for at in 0..self.affirms.len() {
            let affirm = &self.affirms[at];
            let first = changed.partition_point(|column| *column < affirm.from);
            if affirm.is_open || changed.get(first).is_none_or(|column| *column >= affirm.uncut) {
                continue;
            }
            let inside = self.points.range((affirm.from, 0)..(affirm.uncut, 0));
            let cut = inside
                .filter(|(_, point)| {
                    let point = &self.affirms[**point];
                    point.is_alive && point.rank > affirm.rank && point.object != affirm.object
                })
                .map(|((column, _), _)| *column)
                .next();
            self.affirms[at].to = cut.unwrap_or(affirm.uncut);
        }
    }

    /// Says what holds in some columns: first what is presumed, over it what is stated.
    fn held(&self, from: Column, to: Column) -> Vec<u32> {
        let mut held = vec![NOTHING; to - from];
        let alive = |point: &Affirm| point.is_alive;
        let before = self.points.range(..=(from, usize::MAX)).rev();
        let before = before.map(|(_, at)| &self.affirms[*at]).find(|point| alive(point));
        let inside = self.points.range((from + 1, 0)..(to, 0)).map(|(_, at)| &self.affirms[*at]);
        let mut points = before.into_iter().chain(inside.filter(|point| alive(point))).peekable();
        while let Some(point) = points.next() {
            let until = points.peek().map_or(to, |next| next.from);
            let denies = self.denies.get(&point.object).map_or(&[][..], Vec::as_slice);
            for column in point.from.max(from)..until {
                let is_over = denies
                    .iter()
                    .any(|deny| deny.covers(column) && (deny.rank > point.rank || deny.from > point.from));
                held[column - from] = if is_over { NOTHING } else { point.object };
            }
        }
        for affirm in &self.affirms {
            let [start, end] = [affirm.from.max(from), affirm.to.min(to)];
            if start >= end {
                continue;
            }
            let later: Vec<&Deny> = self.denies.get(&affirm.object).map_or_else(Vec::new, |denies| {
                denies.iter().filter(|deny| deny.rank > affirm.rank && !deny.is_void).collect()
            });
            if later.is_empty() {
                held[start - from..end - from].fill(affirm.object);
                continue;
            }
            for column in start..end {
                if !later.iter().any(|deny| deny.covers(column)) {
                    held[column - from] = affirm.object;
                }
            }
        }
        held
    }

    /// Says anew what holds in some columns, and what is believed of them from the event on.
    fn repaint(&mut self, from: Column, to: Column, event: &Event, closed: &mut Vec<Rectangle>) {
        let held = self.held(from, to);
        let Some(first) = held.iter().zip(&self.holds[from..to]).position(|(new, old)| new != old) else {
            return;
        };
        let last = held.iter().zip(&self.holds[from..to]).rposition(|(new, old)| new != old);
        let (mut first, mut last) = (from + first, from + last.unwrap_or(first) + 1);
        self.holds[from..to].copy_from_slice(&held);
        // What is believed of the neighbours may grow or shrink with it.
        if let Some((start, (end, ..))) = self.believed.range(..first).next_back()
            && *end >= first
        {
            first = *start;
        }
        let beyond = self.believed.range(..=last).next_back().map(|(_, (end, ..))| *end);
        last = last.max(beyond.unwrap_or(last));
        let mut before: BTreeMap<Column, (Column, u32, i64)> = BTreeMap::new();
        while let Some((&start, _)) = self.believed.range(first..last).next() {
            before.extend(self.believed.remove_entry(&start));
        }
        let mut column = first;
        while column < last {
            let object = self.holds[column];
            let end = column + self.holds[column..last].iter().take_while(|held| **held == object).count();
            if object != NOTHING {
                let same = before.get(&column).is_some_and(|&(to, of, _)| (to, of) == (end, object));
                let known =
                    same.then(|| before.remove(&column)).flatten().map_or(event.known, |(.., since)| since);
                self.believed.insert(column, (end, object, known));
            }
            column = end;
        }
        for (start, (end, object, known_from)) in before {
            closed.push(Rectangle {
                subject: event.subject,
                predicate: event.predicate,
                valid_from: self.starts[start],
                known_from,
                valid_to: self.end(end),
                known_to: event.known,
                object,
            });
        }
    }
}
