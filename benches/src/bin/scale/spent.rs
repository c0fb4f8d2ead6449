//! What something takes: processor time, the clock, memory, bytes on disk.

use std::path::Path;
use std::time::Instant;

use bygone_benches::cpu;
use serde_json::{Value, json};

/// Time that was spent on the parts that count, and not on what was made for them.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    cpu: f64,
    wall: f64,
}

impl Spent {
    /// Does something that counts.
    pub(crate) fn on<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let (cpu, wall) = (cpu::of_process(), Instant::now());
        let done = act();
        self.cpu += (cpu::of_process() - cpu) / 1e6;
        self.wall += wall.elapsed().as_secs_f64();
        done
    }

    /// Returns how many things that makes a second, by processor time and by the clock.
    #[expect(clippy::cast_precision_loss, reason = "a number of things")]
    pub(crate) fn rate(&self, count: u64) -> Value {
        json!({ "a_cpu_second": rounded(count as f64 / self.cpu), "a_second": rounded(count as f64 / self.wall) })
    }

    /// Returns the processor time in milliseconds.
    pub(crate) fn cpu_ms(&self) -> f64 {
        self.cpu * 1e3
    }

    /// Returns the time by the clock in milliseconds.
    pub(crate) fn wall_ms(&self) -> f64 {
        self.wall * 1e3
    }

    /// Returns both times in milliseconds.
    pub(crate) fn millis(&self) -> Value {
        json!({ "cpu_ms": rounded(self.cpu * 1e3), "ms": rounded(self.wall * 1e3) })
    }
}

/// Asks each question twice and returns what the second time took, by the clock, in microseconds: the median, and what
/// one in a hundred exceeds.
pub(crate) fn asked<Q>(questions: &[Q], mut ask: impl FnMut(&Q)) -> Value {
    let mut times = Vec::new();
    for counts in [false, true] {
        for question in questions {
            let start = Instant::now();
            ask(question);
            if counts {
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(times.len().saturating_sub(1) * share / 100).copied().map(rounded);
    json!({ "p50_us": at(50), "p99_us": at(99) })
}

/// Returns of some numbers the median, what one in a hundred exceeds, and the greatest.
pub(crate) fn quantiles(mut numbers: Vec<f64>) -> Value {
    numbers.sort_by(f64::total_cmp);
    let at = |share: usize| numbers.get(numbers.len().saturating_sub(1) * share / 100).copied().map(rounded);
    json!({ "p50": at(50), "p99": at(99), "max": at(100) })
}

/// Returns a number to three digits or so.
pub(crate) fn rounded(value: f64) -> f64 {
    match value {
        value if value >= 1_000.0 => value.round(),
        value if value >= 10.0 => (value * 10.0).round() / 10.0,
        value => (value * 100.0).round() / 100.0,
    }
}

/// Returns the resident memory of this process, in megabytes.
pub(crate) fn resident_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(rounded(kilobytes / 1e3))
}

/// Returns the bytes of all files in a folder, by the so many things that they hold.
#[expect(clippy::cast_precision_loss, reason = "a number of bytes")]
pub(crate) fn bytes_each(folder: &Path, count: u64) -> f64 {
    rounded(bytes_in(folder) as f64 / count.max(1) as f64)
}

fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .filter_map(Result::ok)
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => bytes_in(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
