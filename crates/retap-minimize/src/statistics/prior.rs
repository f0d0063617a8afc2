//! The prior: what is believed of a candidate's success rate before it has run.
//!
//! It is a discrete distribution in steps of 0.05, as in ND3MIN's figure 4. The runs of every search
//! refine it.

use super::run_counts::RunCounts;
use serde::{Deserialize, Serialize};

/// The number of points of a prior: success rates 0, 0.05, … 1.
pub const POINT_COUNT: usize = 21;

/// The number of candidates that the default prior counts for. The paper's prior came from 402, but of
/// other apps.
const DEFAULT_EVIDENCE: f64 = 100.0;

/// A distribution over success rates, and the number of candidates that it is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredPrior", into = "StoredPrior")]
pub struct Prior {
    weights: [f64; POINT_COUNT],
    evidence: f64,
}

/// One point of a prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriorPoint {
    pub success_rate: f64,
    /// The probability that a candidate has this success rate.
    pub weight: f64,
}

impl Prior {
    /// Makes a prior from weights of any scale. Returns none if they are no distribution.
    pub fn new(weights: [f64; POINT_COUNT], evidence: f64) -> Option<Self> {
        let total: f64 = weights.iter().sum();
        let is_distribution = weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite())
            && total > 0.0
            && evidence.is_finite()
            && evidence >= 0.0;
        is_distribution.then(|| Self { weights: weights.map(|weight| weight / total), evidence })
    }

    /// Returns the success rate at a point.
    pub fn success_rate(point: usize) -> f64 {
        point as f64 / (POINT_COUNT - 1) as f64
    }

    /// Returns the points, by ascending success rate.
    pub fn points(&self) -> impl Iterator<Item = PriorPoint> + '_ {
        let points = self.weights.iter().enumerate();
        points
            .map(|(point, &weight)| PriorPoint { success_rate: Self::success_rate(point), weight })
    }

    /// Returns true if the weights are equal, up to what a store may have rounded.
    pub fn agrees_with(&self, weights: &[f64; POINT_COUNT]) -> bool {
        self.weights.iter().zip(weights).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    pub fn weights(&self) -> &[f64; POINT_COUNT] {
        &self.weights
    }

    /// Returns the distribution after the runs of one candidate. Runs that are impossible at every
    /// point say nothing, so they leave the prior itself.
    pub fn posterior_given(&self, counts: &RunCounts) -> [f64; POINT_COUNT] {
        let mut posterior = [0.0; POINT_COUNT];
        for (weight, point) in posterior.iter_mut().zip(self.points()) {
            *weight = point.weight * likelihood(point.success_rate, counts);
        }
        let total: f64 = posterior.iter().sum();
        if total > 0.0 { posterior.map(|weight| weight / total) } else { self.weights }
    }

    /// Returns the prior refined by the runs of further candidates.
    ///
    /// It is the most probable mixture of the points, with this prior counting as `evidence`
    /// candidates, found by expectation maximisation. Early stopping of candidates does not bias it,
    /// because a likelihood does not depend on why a run was the last.
    pub fn refined(&self, observed: &[RunCounts]) -> Self {
        const ITERATIONS: usize = 50;
        let observed: Vec<&RunCounts> =
            observed.iter().filter(|counts| counts.runs() > 0).collect();
        let mut refined = self.clone();
        if observed.is_empty() {
            return refined;
        }
        for _ in 0..ITERATIONS {
            let mut weights = self.weights.map(|weight| weight * self.evidence);
            for counts in &observed {
                let responsibility = refined.posterior_given(counts);
                weights.iter_mut().zip(responsibility).for_each(|(weight, more)| *weight += more);
            }
            let total: f64 = weights.iter().sum();
            if total > 0.0 {
                refined.weights = weights.map(|weight| weight / total);
            }
        }
        refined.evidence = self.evidence + observed.len() as f64;
        refined
    }
}

impl Default for Prior {
    /// Returns a prior fitted to the paper's tables, because the paper shows its own only as a chart.
    /// The tables give p1 for 20, 19, 18, 17, 15 and 12 successes of 20, and p2 for lengths of 1 to 25.
    fn default() -> Self {
        let weights = [
            0.401, 0.049, 0.035, 0.018, 0.014, 0.011, 0.009, 0.009, 0.008, 0.006, 0.003, 0.002,
            0.001, 0.001, 0.009, 0.153, 0.025, 0.035, 0.014, 0.122, 0.075,
        ];
        Self { weights, evidence: DEFAULT_EVIDENCE }
    }
}

/// Returns the probability of these runs in this order, at success rate `p`.
fn likelihood(p: f64, counts: &RunCounts) -> f64 {
    p.powi(counts.successes as i32) * (1.0 - p).powi(counts.failures as i32)
}

/// The stored form of a prior, checked when it is read.
#[derive(Serialize, Deserialize)]
struct StoredPrior {
    weights: Vec<f64>,
    evidence: f64,
}

impl TryFrom<StoredPrior> for Prior {
    type Error = String;

    fn try_from(stored: StoredPrior) -> Result<Self, String> {
        <[f64; POINT_COUNT]>::try_from(stored.weights)
            .ok()
            .and_then(|weights| Self::new(weights, stored.evidence))
            .ok_or_else(|| format!("a prior has {POINT_COUNT} weights, none of them negative"))
    }
}

impl From<Prior> for StoredPrior {
    fn from(prior: Prior) -> Self {
        Self { weights: prior.weights.to_vec(), evidence: prior.evidence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_move_the_prior_and_many_runs_outweigh_it() {
        let prior = Prior::default();
        let half = |count| vec![RunCounts::new(10, 10); count];
        let mass = |prior: &Prior| prior.weights()[8..=12].iter().sum::<f64>();
        let (few, many) = (prior.refined(&half(10)), prior.refined(&half(2000)));
        assert!(mass(&prior) < mass(&few) && mass(&few) < mass(&many));
        assert!(mass(&many) > 0.9);
        assert_eq!(prior.refined(&[]).weights(), prior.weights());
    }

    #[test]
    fn a_prior_survives_its_store_and_other_json_is_refused() {
        let prior = Prior::default().refined(&[RunCounts::new(3, 1)]);
        let text = serde_json::to_string(&prior).unwrap();
        let read: Prior = serde_json::from_str(&text).unwrap();
        assert!(
            prior.points().zip(read.points()).all(|(a, b)| (a.weight - b.weight).abs() < 1e-12)
        );
        for bad in [
            r#"{"weights":[1.0],"evidence":1.0}"#,
            &text.replacen('[', "[-1.0,", 1),
            &serde_json::to_string(&vec![0.0; POINT_COUNT])
                .map(|w| format!(r#"{{"weights":{w},"evidence":1.0}}"#))
                .unwrap(),
        ] {
            assert!(serde_json::from_str::<Prior>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn runs_that_are_impossible_at_every_point_leave_the_prior() {
        let mut weights = [0.0; POINT_COUNT];
        weights[0] = 1.0;
        let prior = Prior::new(weights, 1.0).unwrap();
        assert_eq!(prior.posterior_given(&RunCounts::new(1, 0)), weights);
    }
}
