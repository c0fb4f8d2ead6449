//! Bringing the scores of a channel to what can be added to another's: at least 0, and 1 for the best.

/// Divides by the greatest. Nothing positive becomes all zeros.
pub(super) fn by_greatest(scores: &mut [f32]) {
    let greatest = scores.iter().copied().fold(0.0, f32::max);
    for score in scores {
        *score = if greatest > 0.0 { score.max(0.0) / greatest } else { 0.0 };
    }
}

/// Keeps what stands out above a level, measured from there, divided by the greatest. Every text is a little like every
/// other, and what they all have tells none from another.
pub(super) fn standing_out(scores: &mut [f32], level: f32) {
    for score in scores.iter_mut() {
        *score = (*score - level).max(0.0);
    }
    by_greatest(scores);
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_becomes_one() {
        let mut scores = [2.0, -1.0, 4.0];
        by_greatest(&mut scores);
        assert_eq!(scores, [0.5, 0.0, 1.0]);
        let mut nothing = [0.0, -1.0];
        by_greatest(&mut nothing);
        assert_eq!(nothing, [0.0, 0.0]);
        by_greatest(&mut []);
    }

    #[test]
    fn what_all_have_counts_for_none() {
        let mut scores = [0.1, 0.5, 0.3, 0.1, 0.6];
        standing_out(&mut scores, 0.4);
        assert!(scores[1] > 0.49 && scores[1] < 0.51, "{scores:?}");
        assert_eq!([scores[0], scores[2], scores[3], scores[4]], [0.0, 0.0, 0.0, 1.0]);
        let mut alike = [0.5; 4];
        standing_out(&mut alike, 0.5);
        assert_eq!(alike, [0.0; 4]);
        standing_out(&mut [], 0.0);
    }
}
