//! At which ranks stands the evidence of a question?

use crate::dataset::Unit;

/// For each piece of evidence the ranks of the documents that hold it, `None` for those not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<Vec<Option<usize>>>);

impl Ranks {
    /// Looks the evidence up in a ranking: documents, best first, none twice.
    pub fn of(evidence: &[Unit], ranking: &[usize]) -> Ranks {
        let rank =
            |document: &usize| ranking.iter().position(|ranked| ranked == document).map(|before| before + 1);
        Ranks(evidence.iter().map(|unit| unit.documents.iter().map(rank).collect()).collect())
    }

    /// Takes the ranks that were looked up before.
    pub const fn known(ranks: Vec<Vec<Option<usize>>>) -> Ranks {
        Ranks(ranks)
    }

    /// Returns the ranks of the documents of each piece of evidence.
    pub fn units(&self) -> &[Vec<Option<usize>>] {
        &self.0
    }

    /// Returns the best rank of each piece of evidence.
    pub fn best(&self) -> impl ExactSizeIterator<Item = Option<usize>> {
        self.0.iter().map(|documents| documents.iter().flatten().min().copied())
    }

    /// Returns the ranks of all documents that hold evidence.
    pub fn documents(&self) -> impl Iterator<Item = Option<usize>> {
        self.0.iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_from_one_and_copies_are_one_piece() {
        let unit = |documents: &[usize]| Unit { label: String::new(), documents: documents.to_vec() };
        let ranks = Ranks::of(&[unit(&[7]), unit(&[4, 2]), unit(&[9])], &[2, 5, 7, 4]);
        assert_eq!(ranks.best().collect::<Vec<_>>(), [Some(3), Some(1), None]);
        assert_eq!(ranks.documents().collect::<Vec<_>>(), [Some(3), Some(4), Some(1), None]);
    }
}
