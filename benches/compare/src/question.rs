//! What is asked of every store, and how an answer is compared.

use bygone_benches::bitemporal::{DAY, OPEN, SINGLE_VALUED};
use bygone_benches::random::Random;
use bygone_benches::rectangles::Rectangle;

/// The known instant of a question that wants all that is known.
pub(crate) const LATEST: i64 = OPEN;

/// What holds: the object, from when, and until when.
pub(crate) type Held = (u32, i64, i64);

/// What holds of a subject and predicate at an instant, as known then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) subject: u32,
    pub(crate) predicate: u32,
    pub(crate) valid: i64,
    pub(crate) known: i64,
}

impl Point {
    pub(crate) fn is_single(&self) -> bool {
        self.predicate < SINGLE_VALUED
    }
}

/// All that holds of a subject at an instant, as known then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub(crate) subject: u32,
    pub(crate) valid: i64,
    pub(crate) known: i64,
}

/// Which of the two times of a question lie in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Now,
    ValidPast,
    KnownPast,
    BothPast,
    ValidFuture,
}

impl Times {
    pub(crate) const ALL: [Times; 5] =
        [Times::Now, Times::ValidPast, Times::KnownPast, Times::BothPast, Times::ValidFuture];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Times::Now => "now/now",
            Times::ValidPast => "past valid",
            Times::KnownPast => "past known",
            Times::BothPast => "both past",
            Times::ValidFuture => "future valid",
        }
    }

    /// Chooses the two times of a question about what a rectangle says.
    fn of(self, rectangle: &Rectangle, spread: Spread, now: i64, random: &mut Random) -> (i64, i64) {
        let mut within = |from: i64, to: i64| {
            let length = to.min(now).saturating_sub(from).max(1);
            from + i64::try_from(random.below(length.unsigned_abs())).expect("a few years")
        };
        let (valid, known) = match spread {
            Spread::Within => (
                within(rectangle.valid_from, rectangle.valid_to.min(rectangle.valid_from + 200 * DAY)),
                within(rectangle.known_from, rectangle.known_to),
            ),
            Spread::Since(start) => (within(start, now), within(start, now)),
        };
        match self {
            Times::Now => (now, LATEST),
            Times::ValidPast => (valid, LATEST),
            Times::KnownPast => (now, known),
            Times::BothPast => (valid, known),
            Times::ValidFuture => (now + within(0, 365 * DAY), LATEST),
        }
    }
}

/// Where times of the past lie.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spread {
    /// Where the rectangle that is asked about holds and is believed.
    Within,
    /// Anywhere between an instant and the present.
    Since(i64),
}

/// Picks questions: half of them by rectangle, so that who has many is asked about often, half by subject.
pub(crate) fn points(
    rectangles: &[Rectangle],
    (times, spread): (Times, Spread),
    now: i64,
    count: usize,
    seed: u64,
) -> Vec<Point> {
    let mut random = Random::new(seed);
    let groups = starts_of(rectangles, |r| (r.subject, r.predicate));
    (0..count)
        .map(|nth| {
            let rectangle = pick(rectangles, &groups, nth % 2 == 0, &mut random);
            let (valid, known) = times.of(rectangle, spread, now, &mut random);
            Point { subject: rectangle.subject, predicate: rectangle.predicate, valid, known }
        })
        .collect()
}

/// Picks questions about all of a subject, as [`points`] does.
pub(crate) fn around(
    rectangles: &[Rectangle],
    times: Times,
    now: i64,
    count: usize,
    seed: u64,
) -> Vec<Around> {
    let mut random = Random::new(seed);
    let subjects = starts_of(rectangles, |r| r.subject);
    (0..count)
        .map(|nth| {
            let rectangle = pick(rectangles, &subjects, nth % 2 == 0, &mut random);
            let (valid, known) = times.of(rectangle, Spread::Within, now, &mut random);
            Around { subject: rectangle.subject, valid, known }
        })
        .collect()
}

/// Returns the rectangles of the subjects that have most of them.
pub(crate) fn of_hubs(rectangles: &[Rectangle], n_hubs: usize) -> Vec<Rectangle> {
    let starts = starts_of(rectangles, |r| r.subject);
    let ends = starts.iter().skip(1).copied().chain([rectangles.len()]);
    let mut runs: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
    runs.sort_by_key(|(start, end)| std::cmp::Reverse(end - start));
    runs.truncate(n_hubs);
    runs.sort_unstable();
    runs.into_iter().flat_map(|(start, end)| rectangles[start..end].iter().copied()).collect()
}

fn starts_of<K: PartialEq>(rectangles: &[Rectangle], key: impl Fn(&Rectangle) -> K) -> Vec<usize> {
    let is_start = |at: &usize| *at == 0 || key(&rectangles[*at]) != key(&rectangles[*at - 1]);
    (0..rectangles.len()).filter(is_start).collect()
}

fn pick<'a>(
    rectangles: &'a [Rectangle],
    starts: &[usize],
    by_rectangle: bool,
    random: &mut Random,
) -> &'a Rectangle {
    let index =
        |below: usize, random: &mut Random| usize::try_from(random.below(below as u64)).expect("an index");
    if by_rectangle {
        return &rectangles[index(rectangles.len(), random)];
    }
    let at = index(starts.len(), random);
    let end = starts.get(at + 1).copied().unwrap_or(rectangles.len());
    &rectangles[starts[at] + index(end - starts[at], random)]
}
