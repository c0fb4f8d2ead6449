//! Single writes: at the end of short and long groups, into the middle of a long one, and against one `fdatasync`.

use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use bygone_benches::bitemporal::{Event, OPEN, in_order, statement};
use bygone_benches::cpu;

use crate::bygone::Bygone;
use crate::measure::median;
use crate::options::Options;
use crate::table;

/// Statements of the short and of the long group.
const SHORT: usize = 100;
const LONG: usize = 100_000;
/// Writes of each kind in a round.
const WRITES: usize = 50;

/// Compares single writes.
pub(crate) fn compare(options: &Options, folder: &Path) {
    table::section("Single writes, each durable");
    let path = folder.join("writes");
    let store = Bygone::open(&path);
    let mut nth = 0;
    let mut said = |event: &Event| {
        nth += 1;
        statement(event, nth)
    };
    for (subject, count) in [(1, SHORT), (2, LONG)] {
        let events = in_order(count, subject);
        store.load(events.iter().map(&mut said).collect(), options.batch);
    }
    let last = in_order(LONG, 2).last().map_or(0, |event| event.known);
    let mut file = std::fs::File::create(folder.join("synced")).expect("a file is made");
    let (mut short, mut long, mut sync, mut wall) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let mut of_round: [Vec<f64>; 4] = Default::default();
        for write in 0..WRITES {
            let known = last + 1_000_000 * i64::try_from(1 + round * WRITES + write).expect("a count");
            for (subject, at) in [(1, 0), (2, 1)] {
                let object = 900_000 + u32::try_from(write).expect("a count");
                let event =
                    Event { denies: false, subject, predicate: 0, object, from: known, to: OPEN, known };
                let statement = said(&event);
                let (before, start) = (cpu::of_thread(), Instant::now());
                store.load(vec![statement], 1);
                of_round[at].push(cpu::of_thread() - before);
                if subject == 1 {
                    of_round[2].push(start.elapsed().as_secs_f64() * 1e6);
                }
            }
            let start = Instant::now();
            file.write_all(&[0; 512]).and_then(|()| file.sync_data()).expect("the file is synced");
            of_round[3].push(start.elapsed().as_secs_f64() * 1e6);
        }
        for (all, of) in [&mut short, &mut long, &mut wall, &mut sync].into_iter().zip(&of_round) {
            all.push(median(of));
        }
    }
    table::row("in order, a group of 100,000 : one of 100, CPU µs", &long, &short);
    table::row("one statement : write and fdatasync, wall µs", &wall, &sync);
    let middle = in_order(LONG, 2)[LONG / 2].known;
    let late: Vec<f64> = (0..options.rounds)
        .map(|round| {
            let known = middle + 1 + i64::try_from(round).expect("a count");
            let event =
                Event { denies: false, subject: 2, predicate: 0, object: 7, from: known, to: OPEN, known };
            let statement = said(&event);
            let before = cpu::of_process();
            store.load(vec![statement], 1);
            (cpu::of_process() - before) / 1e3
        })
        .collect();
    table::alone("into the middle of a group of 100,000", median(&late), "ms CPU");
}
