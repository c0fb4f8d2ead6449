//! Which words of the vocabulary mean much the same as a given one, by the table that is built in.
//!
//! Only whole words of Latin letters are handed out; a word that the vocabulary does not have is compared by the sum of
//! its pieces. Likeness is the cosine of vectors, rounded as those of bytes are: what is near a limit may fall on either
//! side of it, on every machine on the same one.

use super::table::StaticEmbedder;
use super::wordpiece;

/// A word and how like another it is, from 0 to 1.
pub type Similar = (&'static str, f32);

/// A piece that is a whole word.
pub(super) struct Whole {
    word: &'static str,
    piece: u32,
    /// The length of its row.
    length: f32,
}

impl StaticEmbedder {
    /// Returns the words whose likeness to a word is at least `from`, the most like first, at most `most` of them, the
    /// word itself not among them. Ties are in the order of the vocabulary. Costs a pass over the vocabulary, about
    /// half a millisecond.
    pub fn similar(&self, word: &str, from: f32, most: usize) -> Vec<Similar> {
        let word = word.to_lowercase();
        let vector = bytes(&self.document(&word));
        let vector_length = length(dot(&vector, &vector));
        if vector_length == 0.0 {
            return Vec::new();
        }
        let mut found: Vec<Similar> = Vec::new();
        for whole in self.wholes.get_or_init(|| self.whole_words()) {
            #[expect(clippy::cast_precision_loss, reason = "256 products of bytes fit into 23 bits")]
            let likeness = dot(&vector, self.row(whole.piece)) as f32 / (vector_length * whole.length);
            if likeness >= from && whole.word != word {
                found.push((whole.word, likeness.min(1.0)));
            }
        }
        found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        found.truncate(most);
        found
    }

    fn whole_words(&self) -> Vec<Whole> {
        let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let words = (0..).zip(wordpiece::vocabulary()).filter(|(_, word)| is_word(word));
        let whole = |(piece, word)| {
            let row = self.row(piece);
            Whole { word, piece, length: length(dot(row, row)) }
        };
        words.map(whole).filter(|whole| whole.length > 0.0).collect()
    }
}

/// Brings a vector to signed bytes, its greatest part to 127.
fn bytes(vector: &[f32]) -> Vec<u8> {
    let greatest = vector.iter().fold(0.0_f32, |greatest, part| greatest.max(part.abs()));
    #[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
    let byte = |part: &f32| ((part / greatest * 127.0).round() as i8).cast_unsigned();
    vector.iter().map(|part| if greatest > 0.0 { byte(part) } else { 0 }).collect()
}

/// The dot product of two lists of signed bytes.
fn dot(one: &[u8], other: &[u8]) -> i32 {
    // Without checks for overflow, which cannot be, the compiler makes several products at a time of it.
    let product = |(one, other): (&u8, &u8)| {
        i32::from(i16::from(one.cast_signed()).wrapping_mul(i16::from(other.cast_signed())))
    };
    one.iter().zip(other).map(product).fold(0, i32::wrapping_add)
}

fn length(square: i32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a length needs no more than 24 bits")]
    (square as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_alike_are_found_the_most_like_first() {
        let embedder = StaticEmbedder::built_in().expect("is built in");
        let similar = embedder.similar("Painting", 0.4, 100);
        assert!(similar.is_sorted_by(|one, other| one.1 >= other.1));
        let words: Vec<&str> = similar.iter().map(|(word, _)| *word).collect();
        assert!(words.contains(&"paintings") && words.contains(&"artwork"), "{words:?}");
        assert!(!words.contains(&"painting") && !words.contains(&"the"), "{words:?}");
        assert_eq!(embedder.similar("painting", 0.4, 3), similar[..3]);
    }

    #[test]
    fn a_word_in_pieces_is_compared_by_their_sum_and_an_unknown_one_with_nothing() {
        let embedder = StaticEmbedder::built_in().expect("is built in");
        assert!(
            embedder
                .similar("snowboarding", 0.4, 5)
                .iter()
                .any(|(word, _)| word.contains("snow") || word.contains("ski"))
        );
        assert_eq!(embedder.similar("\u{1f980}", 0.4, 5), []);
        assert_eq!(embedder.similar("", 0.4, 5), []);
    }
}
