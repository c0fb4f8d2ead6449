//! Lists of words in tables by their hash, made when the program is: whether a word of a text is in one of them is asked of
//! nearly every word.

/// Words of small ASCII letters.
pub(super) struct KnownWords<const SLOTS: usize> {
    words: &'static [&'static str],
    /// By its hash or the next free slot behind it, the position of each word counted from 1; 0 is free.
    slots: [u16; SLOTS],
}

impl<const SLOTS: usize> KnownWords<SLOTS> {
    /// Makes a table of so many slots, a power of two and at least twice as many as there are words.
    pub(super) const fn of(words: &'static [&'static str]) -> KnownWords<SLOTS> {
        assert!(SLOTS.is_power_of_two() && words.len() * 2 <= SLOTS && SLOTS <= 1 << 15);
        let mut slots = [0; SLOTS];
        let mut at = 0;
        while at < words.len() {
            let mut slot = hash(words[at].as_bytes()) & (SLOTS - 1);
            while slots[slot] != 0 {
                slot = (slot + 1) & (SLOTS - 1);
            }
            at += 1;
            #[expect(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
            {
                slots[slot] = at as u16;
            }
        }
        KnownWords { words, slots }
    }

    /// Says whether a word, in letters of either size, is one of them.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        let mut slot = hash(word) & (SLOTS - 1);
        while let Some(known) = usize::from(self.slots[slot]).checked_sub(1) {
            if self.words[known].as_bytes().eq_ignore_ascii_case(word) {
                return true;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        false
    }

    #[cfg(test)]
    pub(super) fn is_in_order(&self) -> bool {
        self.words.windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// FNV-1a of 32 bits (Fowler, Noll and Vo, <http://www.isthe.com/chongo/tech/comp/fnv/>), over small letters.
const fn hash(word: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < word.len() {
        // Large ASCII letters become small ones; what other bytes become makes no difference.
        hash = (hash ^ (word[at] | 0x20) as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    // The low bits alone depend on the low bits of the letters.
    (hash ^ (hash >> 15)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    static FEW: KnownWords<8> = KnownWords::of(&["day", "may", "st"]);

    #[test]
    fn words_are_found_in_letters_of_either_size_and_others_are_not() {
        for word in ["day", "May", "ST"] {
            assert!(FEW.has(word.as_bytes()), "{word}");
        }
        for word in ["", "d", "days", "da", "sta", "m\u{e4}y", "!!"] {
            assert!(!FEW.has(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn words_that_meet_in_a_slot_are_all_found() {
        static FULL: KnownWords<16> = KnownWords::of(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        let found: Vec<char> = ('a'..='z').filter(|letter| FULL.has(letter.to_string().as_bytes())).collect();
        assert_eq!(found, ('a'..='h').collect::<Vec<_>>());
    }
}
