//! Numbers and vectors for tests, the same at every run.

/// A source of numbers that look random (`SplitMix64`, Steele, Lea and Flood, OOPSLA 2014).
pub(super) struct Sample(u64);

impl Sample {
    pub(super) fn new(seed: u64) -> Sample {
        Sample(seed)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        super::mix(self.0)
    }

    /// Returns a number below another.
    pub(super) fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.number() % most as u64).unwrap()
    }

    /// Returns a vector of length 1, any direction as likely as any other.
    pub(super) fn unit(&mut self, dimension: usize) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..dimension).map(|_| self.normal()).collect();
        super::code::normalise(&mut vector);
        vector
    }

    /// Returns a vector of length 1 about as far from a centre as sentences on one matter are from each other.
    pub(super) fn near(&mut self, centre: &[f32]) -> Vec<f32> {
        let aside = self.unit(centre.len());
        let mut vector: Vec<f32> = centre.iter().zip(&aside).map(|(centre, aside)| centre + aside).collect();
        super::code::normalise(&mut vector);
        vector
    }

    /// About normal: the sum of twelve numbers between -1/2 and 1/2.
    fn normal(&mut self) -> f32 {
        let uniform = |number: u64| f32::from(u16::try_from(number >> 48).unwrap()) / 65536.0 - 0.5;
        (0..12).map(|_| uniform(self.number())).sum()
    }
}
