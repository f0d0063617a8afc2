//! The confidence in an answer: ND3MIN's p1 and p2 (sections 3 and 5).

use super::binomial::binomial;
use super::check::Check;
use super::prior::Prior;
use super::run_counts::RunCounts;

/// The success rate that p1 is about.
pub const P1_SUCCESS_RATE: f64 = 0.85;

/// Returns the probability that an answer works at least 85 % of the time.
///
/// `fresh_runs` are runs of the answer that had no part in choosing it.
pub fn p1(prior: &Prior, fresh_runs: &RunCounts) -> f64 {
    let posterior = prior.posterior_given(fresh_runs);
    let points = prior.points().zip(posterior);
    points
        .filter(|(point, _)| is_at_least(point.success_rate, P1_SUCCESS_RATE))
        .map(|(_, weight)| weight)
        .sum()
}

/// Returns Lemma 1's lower bound of the probability that no single event can be left out.
///
/// The answer has `length` events, and without any of them it failed the check `tested`. An event can be left
/// out if the success rate without it is still at least the one that the check `requested` asks for.
pub fn p2(prior: &Prior, tested: &Check, requested: &Check, length: usize) -> f64 {
    let bound = f64::from(requested.required) / f64::from(requested.runs);
    let (mut wrongly_failed, mut failed) = (0.0, 0.0);
    for point in prior.points() {
        let fails = (1.0 - probability_of_passing(point.success_rate, tested)) * point.weight;
        failed += fails;
        wrongly_failed += if is_at_least(point.success_rate, bound) { fails } else { 0.0 };
    }
    if failed > 0.0 { (1.0 - wrongly_failed / failed).powi(length as i32) } else { 1.0 }
}

/// Returns the probability of at least `required` successes: the paper's B(p).
fn probability_of_passing(p: f64, check: &Check) -> f64 {
    (check.required..=check.runs).map(|successes| binomial(check.runs, successes, p)).sum()
}

/// Compares with a margin: the points are multiples of 0.05 as binary fractions, and 0.85 must count
/// as at least 0.85.
fn is_at_least(p: f64, bound: f64) -> bool {
    p > bound - 1e-9
}

/// Cuts a probability to two decimals, as the paper prints them. Rounding could promise too much.
pub fn truncate_probability(probability: f64) -> f64 {
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
            let p1 = p1(&prior, &RunCounts::new(successes, 20 - successes));
            assert!((p1 - printed).abs() <= 0.03, "{successes} of 20: {p1}, printed {printed}");
            let truncated = truncate_probability(p1);
            assert!((truncated - printed).abs() < 0.03, "{successes} of 20: {p1} truncated");
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
            let p2 = p2(&prior, &Check::ND3MIN, &Check::ND3MIN, length);
            assert!((p2 - printed).abs() <= 0.03, "length {length}: {p2}, printed {printed}");
            let truncated = truncate_probability(p2);
            assert!((truncated - printed).abs() < 0.03, "length {length}: {p2} truncated");
        }
    }

    #[test]
    fn failing_an_easier_check_promises_more() {
        let prior = Prior::default();
        let requested = Check { runs: 20, required: 15, width: 15 };
        let same = p2(&prior, &requested, &requested, 5);
        let easier = p2(&prior, &Check { required: 10, ..requested }, &requested, 5);
        assert!(easier > same, "{easier} {same}");
    }

    #[test]
    fn probabilities_are_truncated_not_rounded() {
        assert_eq!(truncate_probability(0.999), 0.99);
        assert_eq!(truncate_probability(0.29), 0.29);
        assert_eq!(truncate_probability(1.0), 1.0);
    }
}
