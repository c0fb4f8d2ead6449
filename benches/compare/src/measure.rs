//! How two things are measured side by side: in turns, A B A B, so that what else the machine does meets both.

use std::time::Instant;

use bygone_benches::cpu;

/// What one side took over the rounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// The median of each round, in microseconds of the wall clock.
    pub(crate) p50: Vec<f64>,
    /// Of 100 questions the slowest but one, likewise.
    pub(crate) p99: Vec<f64>,
    /// The mean of each round, in microseconds of processor time.
    pub(crate) cpu: Vec<f64>,
}

/// Returns the value in the middle.
pub(crate) fn median(values: &[f64]) -> f64 {
    at_share(values, 50)
}

/// Returns the value that so many in a hundred do not exceed.
pub(crate) fn at_share(values: &[f64], share: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) * share / 100).copied().unwrap_or(f64::NAN)
}

/// Asks both sides all questions, round after round, and returns what they took. A first round, which warms caches, does
/// not count.
pub(crate) fn side_by_side<Q>(
    questions: &[Q],
    rounds: usize,
    mut ours: impl FnMut(&Q),
    mut theirs: impl FnMut(&Q),
) -> (Side, Side) {
    let mut sides = (Side::default(), Side::default());
    for round in 0..=rounds {
        let a = one_round(questions, &mut ours);
        let b = one_round(questions, &mut theirs);
        if round > 0 {
            sides.0.note(a);
            sides.1.note(b);
        }
    }
    sides
}

fn one_round<Q>(questions: &[Q], ask: &mut impl FnMut(&Q)) -> (Vec<f64>, f64) {
    let mut walls = Vec::with_capacity(questions.len());
    let start = cpu::of_thread();
    for question in questions {
        let start = Instant::now();
        ask(question);
        walls.push(start.elapsed().as_secs_f64() * 1e6);
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of questions")]
    let mean = (cpu::of_thread() - start) / questions.len().max(1) as f64;
    (walls, mean)
}

impl Side {
    fn note(&mut self, (walls, cpu): (Vec<f64>, f64)) {
        self.p50.push(median(&walls));
        self.p99.push(at_share(&walls, 99));
        self.cpu.push(cpu);
    }
}

/// Processor time and wall-clock time of an act, in seconds; the processor time of all threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
}

/// Does something once, and says what it took.
pub(crate) fn once<T>(act: impl FnOnce() -> T) -> (T, Took) {
    let (cpu, wall) = (cpu::of_process(), Instant::now());
    let done = act();
    let took = Took { cpu: (cpu::of_process() - cpu) / 1e6, wall: wall.elapsed().as_secs_f64() };
    (done, took)
}
