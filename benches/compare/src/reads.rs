//! Asking both the same, and comparing every answer.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::bygone::Bygone;
use crate::measure::side_by_side;
use crate::options::Options;
use crate::question::{Around, Held, Point, Spread, Times, around, of_hubs, points};
use crate::sqlite::Sqlite;
use crate::yardstick::{Raw, Seeks};
use crate::{Corpus, LONG_GROUPS, table};

/// Subjects that count as hubs.
const HUBS: usize = 10;
/// How long a round of questions of one kind may take, and how many questions it has even so.
const LONGEST_ROUND: Duration = Duration::from_secs(2);
const FEWEST_QUESTIONS: usize = 50;

/// Compares what holds at a point.
pub(crate) fn compare_points(corpus: &Corpus, options: &Options, store: &Path, database: &Path) {
    let (ours, theirs) = (Bygone::open(store), Sqlite::open(database));
    let long = LONG_GROUPS.iter().zip(&corpus.long);
    let long = long.map(|(count, long)| (format!("a group of {count} statements"), long));
    for (what, rectangles) in long.chain([("any group".to_owned(), &corpus.usual)]) {
        let is_one = rectangles.first().map(|r| r.subject) == rectangles.last().map(|r| r.subject);
        let start = rectangles.iter().map(|r| r.known_from).min().unwrap_or_default();
        let spread = if is_one { Spread::Since(start) } else { Spread::Within };
        table::section_of_questions(&format!("What holds at a point: {what}"));
        for times in Times::ALL {
            let questions = points(rectangles, (times, spread), corpus.now, options.questions, options.seed);
            let ours = |question: &Point, held: &mut Vec<Held>| ours.point(question, held);
            compared(times.name(), options, &questions, ours, |question, held| theirs.point(question, held));
        }
    }
}

/// Compares all that holds of a subject.
pub(crate) fn compare_subjects(corpus: &Corpus, options: &Options, store: &Path, database: &Path) {
    let (ours, theirs) = (Bygone::open(store), Sqlite::open(database));
    let hubs = of_hubs(&corpus.usual, HUBS);
    for (what, rectangles) in [("any", &corpus.usual), ("the ten greatest hubs", &hubs)] {
        table::section_of_questions(&format!("All that holds of a subject: {what}"));
        for times in Times::ALL {
            let questions = around(rectangles, times, corpus.now, options.questions, options.seed);
            let ours = |question: &Around, held: &mut Vec<Held>| ours.around(question, held);
            compared(times.name(), options, &questions, ours, |question, held| theirs.around(question, held));
        }
    }
}

/// Compares the present with one seek of RocksDB in the same rows.
pub(crate) fn compare_seek(corpus: &Corpus, options: &Options, store: &Path, raw: &Raw) {
    table::section_of_questions("A seek of RocksDB in its rows beside");
    let (ours, theirs) = (Bygone::open(store), Seeks::open(raw));
    let mut questions =
        points(&corpus.usual, (Times::Now, Spread::Within), corpus.now, options.questions * 2, options.seed);
    questions.retain(Point::is_single);
    let keyed: Vec<(Point, &[u8])> = questions.into_iter().zip(raw.some_facts()).collect();
    let mut held = Vec::new();
    let sides = side_by_side(
        &keyed,
        options.rounds,
        |(point, _)| {
            held.clear();
            ours.point(point, &mut held);
        },
        |(_, key)| {
            black_box(theirs.seek(key));
        },
    );
    table::questions("now/now, one value at a time", 1.0, &sides.0, &sides.1);
}

fn compared<Q: std::fmt::Debug>(
    what: &str,
    options: &Options,
    questions: &[Q],
    ours: impl Fn(&Q, &mut Vec<Held>),
    theirs: impl Fn(&Q, &mut Vec<Held>),
) {
    let mut n_rows = 0;
    let mut n_asked = 0;
    let start = Instant::now();
    for question in questions {
        // What takes long is asked less often.
        if n_asked >= FEWEST_QUESTIONS && start.elapsed() > LONGEST_ROUND {
            break;
        }
        n_asked += 1;
        let mut answers = [Vec::new(), Vec::new()];
        ours(question, &mut answers[0]);
        theirs(question, &mut answers[1]);
        for rows in &mut answers {
            rows.sort_unstable();
        }
        assert_eq!(answers[0], answers[1], "to {question:?} one answers the left and the other the right");
        n_rows += answers[0].len();
    }
    let questions = &questions[..n_asked];
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let (ours, theirs) = side_by_side(
        questions,
        options.rounds,
        |question| {
            a.clear();
            ours(question, &mut a);
        },
        |question| {
            b.clear();
            theirs(question, &mut b);
        },
    );
    #[expect(clippy::cast_precision_loss, reason = "a number of rows")]
    let rows = n_rows as f64 / n_asked.max(1) as f64;
    table::questions(what, rows, &ours, &theirs);
}
