//! Gain for cost: the measure of the greedy choices in all phases.

use std::cmp::Ordering;

/// The number of requirements that a choice adds, and its cost. Choices are ordered by gain per cost, exactly and
/// without division.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GainRatio {
    pub gain: u64,
    pub cost: u64,
}

impl GainRatio {
    /// Larger than any real ratio. A queue returns such an entry first, so that its ratio is computed.
    pub const UNKNOWN: GainRatio = GainRatio { gain: u64::MAX, cost: 1 };
}

impl Ord for GainRatio {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |gain: u64, cost: u64| u128::from(gain) * u128::from(cost);
        product(self.gain, other.cost).cmp(&product(other.gain, self.cost))
    }
}

impl PartialOrd for GainRatio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for GainRatio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for GainRatio {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_compare_by_gain_per_cost_without_rounding() {
        let ratio = |gain, cost| GainRatio { gain, cost };
        assert!(ratio(2, 3) > ratio(3, 5));
        assert_eq!(ratio(2, 4), ratio(1, 2));
        assert!(ratio(u64::MAX - 1, 2) < GainRatio::UNKNOWN);
    }
}
