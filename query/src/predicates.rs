//! Whether a predicate is one that is declared or used, and which one is probably meant where it is not.

use std::collections::BTreeSet;
use std::fmt;

use bygone_engine::StoreError;
use bygone_engine::store::Snapshot;
use bygone_ontology::Ontology;

/// The slips of the pen between what was written and what is offered instead, at most. Chosen, untested.
const MOST_SLIPS: usize = 2;

/// A predicate that is neither declared nor used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPredicate {
    /// What was written.
    pub name: String,
    /// The predicate closest to it, if one is close.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownPredicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the predicate {:?} is neither declared nor used here", self.name)?;
        self.nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean {nearest}?"))
    }
}

/// Looks for a predicate; returns what is to be said of one that is neither declared nor used in the space.
///
/// A declared one costs a look; any other a walk over the groups of the space.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn unknown_predicate(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    name: &str,
) -> Result<Option<UnknownPredicate>, StoreError> {
    if ontology.definition(name).is_some() {
        return Ok(None);
    }
    let mut known = snapshot.walk_predicates().collect::<Result<BTreeSet<String>, _>>()?;
    if known.contains(name) {
        return Ok(None);
    }
    known.extend(ontology.predicates().map(|definition| definition.id.clone()));
    Ok(Some(UnknownPredicate { name: name.to_owned(), nearest: nearest(name, &known) }))
}

/// Returns the closest of some names, the first of those that are equally close.
pub(crate) fn nearest(name: &str, known: &BTreeSet<String>) -> Option<String> {
    // A name of which every character would be a slip is not close to anything.
    let most = MOST_SLIPS.min(name.chars().count().saturating_sub(1));
    let measured = known.iter().map(|other| (n_slips(name, other), other));
    measured.filter(|(slips, _)| *slips <= most).min().map(|(_, other)| other.clone())
}

/// Counts the characters that were left out, put in, exchanged for others or swapped with the next one: the optimal
/// string alignment distance (Damerau 1964, no part edited twice).
fn n_slips(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let exchanged = rows[i][j] + usize::from(a != b);
            let mut least = exchanged.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *b && other[j - 1] == *a {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (one, other, slips) in [
            ("likes", "likes", 0),
            ("livs_in", "lives_in", 1),
            ("likez", "likes", 1),
            ("lieks", "likes", 1),
            ("", "ab", 2),
            ("works_for", "works_at", 3),
        ] {
            assert_eq!((n_slips(one, other), n_slips(other, one)), (slips, slips), "{one} {other}");
        }
    }

    #[test]
    fn only_what_is_close_is_offered() {
        let known = ["age", "likes", "lives_in"].map(str::to_owned).into();
        assert_eq!(nearest("lievs_in", &known).as_deref(), Some("lives_in"));
        assert_eq!(nearest("owns", &known), None);
        assert_eq!(nearest("x", &known), None);
    }
}
