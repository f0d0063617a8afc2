//! Tests whether one sample is larger than another, and measures by how much.

/// Vargha and Delaney's A12: how often a value of `ours` is larger than one of `theirs`, equals counting half.
pub fn a12(ours: &[f64], theirs: &[f64]) -> f64 {
    if ours.is_empty() || theirs.is_empty() {
        return 0.5;
    }
    let score = |a: f64, b: f64| {
        if a > b {
            1.0
        } else if a < b {
            0.0
        } else {
            0.5
        }
    };
    let pairs = ours.iter().flat_map(|a| theirs.iter().map(move |b| score(*a, *b)));
    pairs.sum::<f64>() / (ours.len() * theirs.len()) as f64
}

/// The Mann-Whitney U statistic relative to its expectation, so that tests of several apps can be added up.
#[derive(Debug, Clone, Copy, Default)]
pub struct RankTest {
    /// U minus its expectation.
    excess: f64,
    variance: f64,
}

impl RankTest {
    pub fn of(ours: &[f64], theirs: &[f64]) -> Self {
        let (n, m) = (ours.len() as f64, theirs.len() as f64);
        let all = n + m;
        if n == 0.0 || m == 0.0 || all < 2.0 {
            return Self::default();
        }
        let mut values: Vec<f64> = ours.iter().chain(theirs).copied().collect();
        values.sort_by(f64::total_cmp);
        let ties: f64 =
            values.chunk_by(|a, b| a == b).map(|tie| tie.len() as f64).map(|t| t.powi(3) - t).sum();
        let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
        Self { excess: (a12(ours, theirs) - 0.5) * n * m, variance }
    }

    /// Adds the test of another app (van Elteren's stratified test with equal weights).
    pub fn add(self, other: Self) -> Self {
        Self { excess: self.excess + other.excess, variance: self.variance + other.variance }
    }

    /// Returns the two-sided p-value, by the normal approximation with a continuity correction.
    pub fn p(self) -> f64 {
        if self.variance <= 0.0 {
            return 1.0;
        }
        let z = (self.excess.abs() - 0.5).max(0.0) / self.variance.sqrt();
        libm::erfc(z / std::f64::consts::SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_is_one_when_all_are_larger_and_a_half_when_all_are_equal() {
        assert_eq!(a12(&[3.0, 4.0], &[1.0, 2.0]), 1.0);
        assert_eq!(a12(&[1.0, 1.0], &[1.0, 1.0]), 0.5);
        assert_eq!(a12(&[1.0, 3.0], &[2.0]), 0.5);
    }

    #[test]
    fn p_is_what_r_says() {
        // wilcox.test(1:10, 6:15, exact = FALSE): U = 12.5 with ties, p = 0.00503.
        let ours: Vec<f64> = (1..=10).map(f64::from).collect();
        let theirs: Vec<f64> = (6..=15).map(f64::from).collect();
        let p = RankTest::of(&ours, &theirs).p();
        assert!((p - 0.005_03).abs() < 2e-4, "{p}");
        assert_eq!(RankTest::of(&ours, &ours).p(), 1.0);
    }

    #[test]
    fn the_same_small_difference_in_many_apps_is_significant() {
        let (ours, theirs) = ([2.0, 3.0, 4.0], [1.0, 2.0, 3.0]);
        let one = RankTest::of(&ours, &theirs);
        let many = (0..9).fold(one, |sum, _| sum.add(one));
        assert!(one.p() > 0.2 && many.p() < 0.01, "{} {}", one.p(), many.p());
    }
}
