//! What one person tells of one topic over the sessions they take part in: in order, late, corrected, taken back, bounded.
//!
//! Each shape is a short history of a life and of how it came to be told. A name is used for one spell only, so that a
//! premise that fell does not stand again by another statement.

use super::calendar::{Date, day_within};
use super::names::Pool;
use super::telling::{Form, Topic};
use crate::belief::splitmix::Random;

/// 1 January 2012: nothing that is told is older.
const FIRST_DAY: i64 = 15_340;

/// How a topic is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As it happens.
    InOrder,
    /// The past and what lay between are told afterwards.
    Late,
    /// A name was wrong.
    Corrected,
    /// What was told never happened.
    Retracted,
    /// Something bounded lies in between, and what was before goes on after it.
    Interrupted,
    /// The date of an end is told anew.
    EndMoved,
}

/// Every shape.
pub(super) const SHAPES: [Shape; 6] =
    [Shape::InOrder, Shape::Late, Shape::Corrected, Shape::Retracted, Shape::Interrupted, Shape::EndMoved];

/// Returns what is told of a topic, each with the place of the session among `days`, on which the sessions are.
///
/// # Panics
/// Where there are fewer than four sessions, or less than four weeks between two of them.
pub(super) fn story(
    topic: Topic,
    shape: Shape,
    days: &[i64],
    names: &mut Pool,
    random: &mut Random,
) -> Vec<(usize, Form)> {
    match topic {
        Topic::Employment | Topic::Residence => one_at_a_time(shape, days, names, random),
        Topic::Project => several(shape, days, names, random),
    }
}

/// Where one object takes the place of another.
fn one_at_a_time(shape: Shape, days: &[i64], names: &mut Pool, random: &mut Random) -> Vec<(usize, Form)> {
    let (a, b, c, d) = (names.next(), names.next(), names.next(), names.next());
    let [s0, s1, s2, s3] = four(days.len(), random);
    let (d0, d1, d2, d3) = (days[s0], days[s1], days[s2], days[s3]);
    let long_ago = Date::within(random, FIRST_DAY + 1500, d0 - 30);
    match shape {
        Shape::InOrder => {
            let first = if random.chance(50) { Form::Now(a.clone()) } else { Form::Since(a, long_ago) };
            let third = if random.chance(50) { Form::Now(b.clone()) } else { end(&b, d1 + 1, d2, random) };
            vec![
                (s0, first),
                (s1, start(b, d0 + 1, d1, random)),
                (s2, third),
                (s3, start(c, d2 + 1, d3, random)),
            ]
        }
        Shape::Late => {
            let (from, to) = Date::pair_within(random, FIRST_DAY, long_ago.first_day());
            vec![
                (s0, Form::Since(a, long_ago)),
                (s1, start(b, d0 + 14, d1, random)),
                (s2, Form::Bounded(c, from, to)),
                (s3, start(d, d0 + 1, d0 + 14, random)),
            ]
        }
        Shape::Corrected => vec![
            (s0, Form::Since(a.clone(), long_ago)),
            (s1, Form::Correction { wrong: a, right: b.clone() }),
            (s2, Form::Now(b)),
            (s3, start(c, d2 + 1, d3, random)),
        ],
        Shape::Retracted => {
            let mut told = vec![
                (s0, Form::Since(a, long_ago)),
                (s1, start(b.clone(), d0 + 1, d1, random)),
                (s2, Form::Retraction(b)),
            ];
            if random.chance(60) {
                told.push((s3, start(c, d2 + 1, d3, random)));
            }
            told
        }
        Shape::Interrupted => {
            let (from, to) = Date::pair_within(random, d0 + 1, d1);
            vec![
                (s0, Form::Since(a.clone(), long_ago)),
                (s1, Form::Bounded(b, from, to)),
                (s2, Form::Now(a)),
                (s3, start(c, d2 + 1, d3, random)),
            ]
        }
        Shape::EndMoved => vec![
            (s0, Form::Since(a.clone(), long_ago)),
            (s1, end(&a, d0 + 1, d1, random)),
            (s2, end(&a, d0 + 1, d1, random)),
            (s3, start(b, d2 + 1, d3, random)),
        ],
    }
}

/// Where several objects hold side by side.
fn several(shape: Shape, days: &[i64], names: &mut Pool, random: &mut Random) -> Vec<(usize, Form)> {
    let (a, b, c) = (names.next(), names.next(), names.next());
    let [s0, s1, s2, s3] = four(days.len(), random);
    let (d0, d1, d2, d3) = (days[s0], days[s1], days[s2], days[s3]);
    let long_ago = Date::within(random, FIRST_DAY + 1500, d0 - 30);
    match shape {
        Shape::InOrder | Shape::Interrupted => vec![
            (s0, Form::Since(a.clone(), long_ago)),
            (s1, start(b, d0 + 1, d1, random)),
            (s2, end(&a, d1 + 1, d2, random)),
            (s3, Form::Now(c)),
        ],
        Shape::Late => {
            let (from, to) = Date::pair_within(random, FIRST_DAY, d0);
            vec![
                (s0, Form::Now(a.clone())),
                (s1, Form::Since(b, long_ago)),
                (s2, Form::Bounded(c, from, to)),
                (s3, end(&a, d0 + 1, d3, random)),
            ]
        }
        Shape::Corrected => vec![
            (s0, Form::Now(a.clone())),
            (s1, Form::Correction { wrong: a, right: b.clone() }),
            (s2, start(c, d1 + 1, d2, random)),
            (s3, end(&b, d2 + 1, d3, random)),
        ],
        Shape::Retracted => vec![
            (s0, Form::Since(a, long_ago)),
            (s1, start(b.clone(), d0 + 1, d1, random)),
            (s2, Form::Retraction(b)),
            (s3, start(c, d2 + 1, d3, random)),
        ],
        Shape::EndMoved => vec![
            (s0, Form::Since(a.clone(), long_ago)),
            (s1, end(&a, d0 + 1, d1, random)),
            (s2, end(&a, d0 + 1, d1, random)),
            (s3, start(b, d2 + 1, d3, random)),
        ],
    }
}

fn start(object: String, from: i64, to: i64, random: &mut Random) -> Form {
    Form::Start(object, Date::within(random, from, to))
}

fn end(object: &str, from: i64, to: i64, random: &mut Random) -> Form {
    Form::End(object.to_owned(), Date::within(random, from, to))
}

/// Returns four places below a number, in order, none twice.
fn four(n: usize, random: &mut Random) -> [usize; 4] {
    let mut left: Vec<usize> = (0..n).collect();
    while left.len() > 4 {
        let place = day_within(random, 0, i64::try_from(left.len()).expect("few sessions"));
        left.remove(usize::try_from(place).expect("below a number of sessions"));
    }
    left.try_into().expect("a person has four sessions and more")
}
