//! How sure an answer is (ND3MIN, sections 3 and 5): p1 and p2.

use crate::check::{Check, Tally};
use crate::prior::Prior;

/// The success rate that p1 speaks of.
pub const FLOOR: f64 = 0.85;

/// Probability that an answer works at least 85 % of the time, after `fresh` runs of it that had no
/// part in choosing it.
pub fn p1(prior: &Prior, fresh: &Tally) -> f64 {
    let posterior = prior.given(fresh);
    let points = prior.iter().zip(posterior);
    points.filter(|((p, _), _)| at_least(*p, FLOOR)).map(|(_, weight)| weight).sum()
}

/// Lemma 1: a lower bound of the probability that no single one of `length` events can be left out
/// with a success probability of at least required/runs remaining.
pub fn p2(prior: &Prior, check: &Check, length: usize) -> f64 {
    let bound = f64::from(check.required) / f64::from(check.runs);
    let (mut missed, mut failed) = (0.0, 0.0);
    for (p, weight) in prior.iter() {
        let fails = (1.0 - probability_of_passing(p, check)) * weight;
        failed += fails;
        missed += if at_least(p, bound) { fails } else { 0.0 };
    }
    if failed > 0.0 { (1.0 - missed / failed).powi(length as i32) } else { 1.0 }
}

/// B(p): at least `required` successes in `runs`.
fn probability_of_passing(p: f64, check: &Check) -> f64 {
    (check.required..=check.runs).map(|successes| binomial(check.runs, successes, p)).sum()
}

/// Probability of exactly `successes` in `runs`.
pub(crate) fn binomial(runs: u32, successes: u32, p: f64) -> f64 {
    let fewer = successes.min(runs - successes);
    let ways = (0..fewer).fold(1.0, |ways, k| ways * f64::from(runs - k) / f64::from(k + 1));
    ways * p.powi(successes as i32) * (1.0 - p).powi((runs - successes) as i32)
}

/// The points are multiples of 0.05 as binary fractions: 0.85 must count as at least 0.85.
fn at_least(p: f64, bound: f64) -> bool {
    p > bound - 1e-9
}

/// Two decimals as the paper prints them: truncated, never promising more than there is.
pub fn truncated(probability: f64) -> f64 {
    (probability * 100.0 + 1e-9).floor() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p1_is_within_3_hundredths_of_the_papers_tables() {
        let prior = Prior::default();
        for (successes, printed) in
            [(20, 0.99), (19, 0.94), (18, 0.69), (17, 0.43), (15, 0.11), (12, 0.00)]
        {
            let p1 = p1(&prior, &Tally::new(successes, 20 - successes));
            assert!((p1 - printed).abs() <= 0.03, "{successes} of 20: {p1}, printed {printed}");
            assert!((truncated(p1) - printed).abs() < 0.03, "{successes} of 20: {p1} truncated");
        }
    }

    #[test]
    fn p2_is_within_3_hundredths_of_the_papers_tables() {
        let prior = Prior::default();
        for (length, printed) in [
            (1, 0.98),
            (2, 0.96),
            (5, 0.91),
            (8, 0.87),
            (11, 0.82),
            (15, 0.77),
            (19, 0.72),
            (25, 0.65),
        ] {
            let p2 = p2(&prior, &Check::ND3MIN, length);
            assert!((p2 - printed).abs() <= 0.03, "length {length}: {p2}, printed {printed}");
            assert!((truncated(p2) - printed).abs() < 0.03, "length {length}: {p2} truncated");
        }
    }

    #[test]
    fn probabilities_are_truncated_not_rounded() {
        assert_eq!(truncated(0.999), 0.99);
        assert_eq!(truncated(0.29), 0.29);
        assert_eq!(truncated(1.0), 1.0);
    }
}
