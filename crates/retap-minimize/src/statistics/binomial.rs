//! The binomial distribution.

/// Returns the probability of exactly `successes` in `runs` runs that succeed with probability `p`.
pub(crate) fn binomial(runs: u32, successes: u32, p: f64) -> f64 {
    let fewer = successes.min(runs - successes);
    let arrangements =
        (0..fewer).fold(1.0, |product, k| product * f64::from(runs - k) / f64::from(k + 1));
    arrangements * p.powi(successes as i32) * (1.0 - p).powi((runs - successes) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_of_all_counts_add_up_to_one() {
        for p in [0.0, 0.3, 1.0] {
            let total: f64 = (0..=20).map(|successes| binomial(20, successes, p)).sum();
            assert!((total - 1.0).abs() < 1e-9, "p = {p}: {total}");
        }
    }
}
