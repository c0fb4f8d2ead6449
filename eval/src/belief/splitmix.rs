//! Random numbers that a seed determines, on every machine alike.

/// A small source of random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014, figure 17).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes a source from a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound, which must not be zero. Chosen, not quite uniform: bounds here are tiny.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound
    }

    /// Says yes in `percent` of a hundred cases.
    pub const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns one of some values.
    ///
    /// # Panics
    /// Where there are none.
    pub fn one_of<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        let bound = u64::try_from(values.len()).expect("a length fits in 64 bits");
        let place = usize::try_from(self.below(bound)).expect("below a length");
        &values[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let numbers = [random.number(), random.number(), random.number()];
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, published);
    }
}
