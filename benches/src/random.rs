//! Numbers that look like chance and follow from a seed: splitmix64, and the distributions that workloads are made of.

use crate::workload::mixed;

/// Splitmix64 (Steele, Lea and Flood 2014) from a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns a number from 0 up to and without `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The bias is below one in 2^32 for the small ranges that workloads ask for.
        self.bits() % end
    }

    /// Returns a number from 0 up to and without 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number of the normal distribution around 0 with deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Returns a duration of the log-normal distribution, by its median and the deviation of its logarithm; at least 1.
    #[expect(clippy::cast_possible_truncation, reason = "durations of years")]
    pub fn log_normal(&mut self, median: f64, deviation: f64) -> i64 {
        ((median.ln() + deviation * self.normal()).exp() as i64).max(1)
    }

    /// Puts items in an order of chance (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).expect("an index"));
        }
    }
}

/// Picks among things of which the n-th has the weight n^-exponent.
#[derive(Clone, Debug)]
pub struct Zipf(Vec<f64>);

impl Zipf {
    /// Makes the weights of `count` things.
    #[expect(clippy::cast_precision_loss, reason = "a number of things")]
    pub fn new(count: usize, exponent: f64) -> Zipf {
        let mut sum = 0.0;
        let sums = (1..=count).map(|nth| {
            sum += (nth as f64).powf(-exponent);
            sum
        });
        Zipf(sums.collect())
    }

    /// Picks one, by its place.
    pub fn pick(&self, random: &mut Random) -> usize {
        let sum = self.0.last().copied().unwrap_or_default();
        let at = random.unit() * sum;
        self.0.partition_point(|upto| *upto <= at).min(self.0.len() - 1)
    }
}
