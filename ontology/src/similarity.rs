//! How alike two texts are, letter by letter.

/// How many letters at the front count for more.
const PREFIX: usize = 4;
/// How much each of them is worth.
const PREFIX_WEIGHT: f64 = 0.1;

/// Returns the Jaro–Winkler similarity of two texts, from 0 (nothing in common) to 1 (the same).
///
/// After M. Jaro (1989), "Advances in record-linkage methodology", and W. Winkler (1990), "String comparator metrics and
/// enhanced decision rules in the Fellegi–Sunter model of record linkage".
#[expect(clippy::cast_precision_loss, reason = "names have few letters")]
pub fn jaro_winkler(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let jaro = jaro(&one, &other);
    let prefix = one.iter().zip(&other).take(PREFIX).take_while(|(a, b)| a == b).count();
    jaro + prefix as f64 * PREFIX_WEIGHT * (1.0 - jaro)
}

#[expect(clippy::cast_precision_loss, reason = "names have few letters")]
fn jaro(one: &[char], other: &[char]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return if one.len() == other.len() { 1.0 } else { 0.0 };
    }
    let window = (one.len().max(other.len()) / 2).saturating_sub(1);
    let mut taken = vec![false; other.len()];
    let mut matched = Vec::new();
    for (at, letter) in one.iter().enumerate() {
        let end = (at + window + 1).min(other.len());
        let found = (at.saturating_sub(window)..end).find(|&idx| !taken[idx] && other[idx] == *letter);
        if let Some(idx) = found {
            taken[idx] = true;
            matched.push(letter);
        }
    }
    if matched.is_empty() {
        return 0.0;
    }
    let in_other = other.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(letter, _)| letter);
    let crossed = matched.iter().zip(in_other).filter(|(a, b)| **a != *b).count() as f64 / 2.0;
    let n_matched = matched.len() as f64;
    (n_matched / one.len() as f64 + n_matched / other.len() as f64 + (n_matched - crossed) / n_matched) / 3.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_published_examples_come_out() {
        // The pairs of Winkler (1990), table 1, rounded to three places.
        for (one, other, expected) in [
            ("martha", "marhta", 0.961),
            ("dwayne", "duane", 0.840),
            ("dixon", "dicksonx", 0.813),
            ("abc", "xyz", 0.0),
            ("", "", 1.0),
            ("a", "", 0.0),
            ("same", "same", 1.0),
        ] {
            let found = jaro_winkler(one, other);
            assert!((found - expected).abs() < 0.0006, "{one} {other}: {found}");
        }
    }

    proptest! {
        #[test]
        fn it_lies_between_0_and_1_and_is_1_for_the_same(one in "[a-d]{0,8}", other in "[a-d]{0,8}") {
            prop_assert!((0.0..=1.0).contains(&jaro_winkler(&one, &other)));
            prop_assert!((jaro_winkler(&one, &one) - 1.0).abs() < 1e-9);
        }
    }
}
