//! Processor time, which other work on the machine moves less than the clock on the wall.

use nix::time::{ClockId, clock_gettime};

/// Returns the processor time of this thread so far, in microseconds.
pub fn of_thread() -> f64 {
    micros(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

/// Returns the processor time of this process so far, all its threads together, in microseconds.
pub fn of_process() -> f64 {
    micros(ClockId::CLOCK_PROCESS_CPUTIME_ID)
}

fn micros(clock: ClockId) -> f64 {
    let time = clock_gettime(clock).expect("the clock is there");
    #[expect(clippy::cast_precision_loss, reason = "processor time of minutes")]
    let [seconds, nanos] = [time.tv_sec() as f64, time.tv_nsec() as f64];
    seconds * 1e6 + nanos / 1e3
}
