//! A vector in a byte a dimension, and how far what it says can be from the truth.
//!
//! A code `d' = scale · (c₁ … cₙ)` stands beside its vector `d`, and its slack is `|d − d'|`. For unit vectors `q` and `d`
//! (Cauchy–Schwarz):
//!
//! ```text
//! |q·d − q'·d'|  ≤  |q − q'| · |d| + |q'| · |d − d'|  ≤  slack(q) + (1 + slack(q)) · slack(d)
//! ```
//!
//! so codes alone tell which documents can be among the nearest, and the vectors of those few decide.

use pulp::{Arch, Simd, WithSimd};

use super::bytes::extend;
use crate::embed::MOST_COMPONENTS;

/// The most dimensions a vector may have: the sum of products of a query's and a document's code stays below 2³¹.
pub(super) const MOST_DIMENSIONS: usize = MOST_COMPONENTS;

/// The greatest value in a query's code. A query is coded more finely than documents, since that costs nothing: there is
/// one of it.
const QUERY_MOST: f32 = 4095.0;

/// The greatest value in a document's code.
const CODE_MOST: f32 = 127.0;

/// What the rounding of sums of 32-bit floats can amount to. With [`MOST_DIMENSIONS`] there are 160 additions in a row
/// ([`dot`]), each off by at most 2⁻²⁴ of a sum that is at most 1.
const ROUNDING: f32 = 2e-5;

/// The codes of some documents, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Codes {
    pub(super) scales: Vec<f32>,
    pub(super) slacks: Vec<f32>,
    /// `dimension` values a document.
    pub(super) values: Vec<i8>,
}

impl Codes {
    /// Adds the code of a vector that has length 1 or 0.
    pub(super) fn push(&mut self, vector: &[f32]) {
        let scale = scale(vector, CODE_MOST);
        let start = self.values.len();
        self.values.extend(vector.iter().map(|value| quantised::<i8>(*value, scale)));
        let code = self.values[start..].iter().map(|value| f32::from(*value));
        self.slacks.push(distance(vector, code, scale));
        self.scales.push(scale);
    }

    /// Adds a code of another list.
    pub(super) fn push_from(&mut self, other: &Codes, index: usize, dimension: usize) {
        let code = other.of(index, dimension);
        self.scales.push(code.scale);
        self.slacks.push(code.slack);
        self.values.extend_from_slice(code.values);
    }

    /// Returns the code of a document.
    pub(super) fn of(&self, index: usize, dimension: usize) -> Code<'_> {
        let values = &self.values[index * dimension..(index + 1) * dimension];
        Code { values, scale: self.scales[index], slack: self.slacks[index] }
    }
}

/// The code of a document.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    values: &'a [i8],
    scale: f32,
    slack: f32,
}

impl Code<'_> {
    /// Appends the code in its bytes.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        extend(to, &[self.scale, self.slack], f32::to_le_bytes);
        extend(to, self.values, i8::to_le_bytes);
    }
}

/// What documents are compared with.
pub(super) struct Query {
    values: Vec<i16>,
    scale: f32,
    slack: f32,
    arch: Arch,
}

impl Query {
    /// Codes a vector of length 1 or 0.
    pub(super) fn new(vector: &[f32]) -> Query {
        let scale = scale(vector, QUERY_MOST);
        let values: Vec<i16> = vector.iter().map(|value| quantised(*value, scale)).collect();
        let slack = distance(vector, values.iter().map(|value| f32::from(*value)), scale);
        Query { values, scale, slack, arch: Arch::new() }
    }

    /// Makes a query of a document, to compare it with others.
    pub(super) fn of_code(code: Code<'_>) -> Query {
        let values = code.values.iter().map(|value| i16::from(*value)).collect();
        Query { values, scale: code.scale, slack: code.slack, arch: Arch::new() }
    }

    /// Hands on, for each of the documents, what the codes say of the cosine, and what that may be off by.
    pub(super) fn compare<'a>(
        &self,
        documents: impl Iterator<Item = (u32, Code<'a>)>,
        take: impl FnMut(u32, Said),
    ) {
        self.arch.dispatch(Compare { query: self, documents, take });
    }

    fn margin(&self, slack: f32) -> f32 {
        self.slack + (1.0 + self.slack) * slack + ROUNDING
    }
}

/// What codes say of a cosine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) cosine: f32,
    /// The cosine itself is no farther from that.
    pub(super) margin: f32,
}

/// How many codes are asked of memory before the first is compared: they lie apart where few are allowed, and a comparison
/// that waits for each of them takes twice as long (1.7 ms against 0.7 for every tenth of 100,000; two cores, 2026-11-30).
const AT_ONCE: usize = 16;

/// Bytes that memory hands over at a time, on the machines of our time.
const LINE_BYTES: usize = 64;

/// The comparison, as what the widest instructions of the machine are chosen for once.
struct Compare<'q, I, T> {
    query: &'q Query,
    documents: I,
    take: T,
}

impl<'a, I: Iterator<Item = (u32, Code<'a>)>, T: FnMut(u32, Said)> WithSimd for Compare<'_, I, T> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "what is not inlined is compiled for the plainest machine")]
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let Query { values, scale, .. } = self.query;
        let nobody = (0, Code { values: &[], scale: 0.0, slack: 0.0 });
        let mut batch = [nobody; AT_ONCE];
        loop {
            let mut n = 0;
            let mut touched = 0;
            for document in self.documents.by_ref().take(AT_ONCE) {
                for line in document.1.values.iter().step_by(LINE_BYTES) {
                    touched ^= line;
                }
                batch[n] = document;
                n += 1;
            }
            std::hint::black_box(touched);
            if n == 0 {
                return;
            }
            for (position, code) in &batch[..n] {
                let cosine = as_f32(code_dot(values, code.values)) * scale * code.scale;
                (self.take)(*position, Said { cosine, margin: self.query.margin(code.slack) });
            }
        }
    }
}

#[expect(clippy::inline_always, reason = "see `Compare`")]
#[inline(always)]
fn code_dot(query: &[i16], code: &[i8]) -> i32 {
    let products =
        query.iter().zip(code).map(|(query, code)| i32::from(*query).wrapping_mul(i32::from(*code)));
    // Nothing wraps: see `MOST_DIMENSIONS`. A sum that is checked is not computed side by side.
    products.fold(0, i32::wrapping_add)
}

/// Returns the inner product. The order of additions is the same on every machine, and so is the result.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 32;
    let mut sums = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Makes the length of a vector 1, unless it is 0.
pub(super) fn normalise(vector: &mut [f32]) {
    // In 64 bits, so that no square is lost or runs over.
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length > 0.0 {
        for value in vector {
            *value = narrowed(f64::from(*value) / length);
        }
    }
}

fn scale(vector: &[f32], most: f32) -> f32 {
    vector.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / most
}

fn quantised<T: TryFrom<i32> + Default>(value: f32, scale: f32) -> T {
    if scale == 0.0 {
        return T::default();
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most what the scale was made for")]
    let rounded = (value / scale).round() as i32;
    T::try_from(rounded).unwrap_or_default()
}

fn distance(vector: &[f32], code: impl Iterator<Item = f32>, scale: f32) -> f32 {
    let squares = vector.iter().zip(code).map(|(value, code)| {
        let off = f64::from(*value) - f64::from(code) * f64::from(scale);
        off * off
    });
    narrowed(squares.sum::<f64>().sqrt())
}

#[expect(clippy::cast_possible_truncation, reason = "a component of a unit vector needs no more")]
fn narrowed(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "a part in 2^24 is less than the margin")]
fn as_f32(value: i32) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn the_cosine_is_within_the_margin_of_what_codes_say() {
        for dimension in [1, 3, 31, 32, 256, 1000] {
            let mut sample = Sample::new(u64::try_from(dimension).unwrap());
            for _ in 0..200 {
                let [a, b] = [sample.unit(dimension), sample.unit(dimension)];
                let mut codes = Codes::default();
                codes.push(&b);
                Query::new(&a).compare([(7, codes.of(0, dimension))].into_iter(), |position, said| {
                    let cosine = dot(&a, &b);
                    assert_eq!(position, 7);
                    assert!((said.cosine - cosine).abs() <= said.margin, "{said:?} for {cosine}");
                    assert!(said.margin < 0.02, "{said:?}");
                });
            }
        }
    }

    #[test]
    fn codes_of_the_most_dimensions_do_not_run_over() {
        let flat = vec![(1.0 / 4096.0_f32).sqrt(); MOST_DIMENSIONS];
        let mut codes = Codes::default();
        codes.push(&flat);
        let documents = [(0, codes.of(0, MOST_DIMENSIONS))].into_iter();
        Query::new(&flat).compare(documents, |_, said| assert!((said.cosine - 1.0).abs() < 1e-3, "{said:?}"));
    }

    #[test]
    fn nothing_has_no_direction() {
        let mut zero = [0.0; 4];
        normalise(&mut zero);
        assert_eq!(zero.map(f32::to_bits), [0; 4]);
        let mut codes = Codes::default();
        codes.push(&zero);
        let documents = [(0, codes.of(0, 4))].into_iter();
        Query::new(&[0.5; 4]).compare(documents, |_, said| assert_eq!(said.cosine.to_bits(), 0));
    }

    #[test]
    fn lengths_become_one_at_any_scale() {
        for size in [1e-30_f32, 1e-3, 1.0, 1e30] {
            let mut vector = [size, -size, size, size];
            normalise(&mut vector);
            assert_eq!(vector.map(f32::to_bits), [0.5, -0.5, 0.5, 0.5].map(f32::to_bits));
        }
    }
}
