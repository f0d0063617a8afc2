//! What is believed of a candidate's success probability before it has run: a discrete distribution
//! in steps of 0.05, as in ND3MIN's figure 4, refined by what is seen in use.

use crate::check::Tally;
use serde::{Deserialize, Serialize};

/// Success probabilities 0, 0.05, … 1.
pub const POINTS: usize = 21;

/// How many candidates the default prior is worth against what is seen; the paper's came from 402,
/// but of other apps.
const DEFAULT_EVIDENCE: f64 = 100.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Prior {
    weights: [f64; POINTS],
    evidence: f64,
}

impl Prior {
    /// From weights of any scale; none if they are no distribution.
    pub fn new(weights: [f64; POINTS], evidence: f64) -> Option<Self> {
        let total: f64 = weights.iter().sum();
        let fine = weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite())
            && total > 0.0
            && evidence.is_finite()
            && evidence >= 0.0;
        fine.then(|| Self { weights: weights.map(|weight| weight / total), evidence })
    }

    /// The success probability at a point.
    pub fn probability(point: usize) -> f64 {
        point as f64 / (POINTS - 1) as f64
    }

    /// The points with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.weights.iter().enumerate().map(|(point, &weight)| (Self::probability(point), weight))
    }

    /// Whether both believe the same, but for what a store may have rounded.
    pub fn agrees_with(&self, weights: &[f64; POINTS]) -> bool {
        self.weights.iter().zip(weights).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    pub fn weights(&self) -> &[f64; POINTS] {
        &self.weights
    }

    /// The distribution after seeing the runs of one candidate. Runs that no point explains say
    /// nothing: the prior itself.
    pub fn given(&self, tally: &Tally) -> [f64; POINTS] {
        let mut posterior = [0.0; POINTS];
        for (point, (p, weight)) in self.iter().enumerate() {
            posterior[point] = weight * likelihood(p, tally);
        }
        let total: f64 = posterior.iter().sum();
        if total > 0.0 { posterior.map(|weight| weight / total) } else { self.weights }
    }

    /// The prior with what was seen: the most probable mixture of the points, this prior counting
    /// as `evidence` candidates. That candidates stop early does not bias it, likelihoods do not
    /// ask why a run was the last.
    pub fn refined(&self, observed: &[Tally]) -> Self {
        const ITERATIONS: usize = 50;
        let observed: Vec<&Tally> = observed.iter().filter(|tally| tally.runs() > 0).collect();
        let mut refined = self.clone();
        if observed.is_empty() {
            return refined;
        }
        for _ in 0..ITERATIONS {
            let mut weights = self.weights.map(|weight| weight * self.evidence);
            for tally in &observed {
                let responsibility = refined.given(tally);
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
    /// Fitted to what the paper prints, since it shows its own prior only as a chart: p1 for 20, 19,
    /// 18, 17, 15 and 12 successes of 20, and p2 for lengths of 1 to 25.
    fn default() -> Self {
        let weights = [
            0.401, 0.049, 0.035, 0.018, 0.014, 0.011, 0.009, 0.009, 0.008, 0.006, 0.003, 0.002,
            0.001, 0.001, 0.009, 0.153, 0.025, 0.035, 0.014, 0.122, 0.075,
        ];
        Self { weights, evidence: DEFAULT_EVIDENCE }
    }
}

fn likelihood(p: f64, tally: &Tally) -> f64 {
    p.powi(tally.successes as i32) * (1.0 - p).powi(tally.failures as i32)
}

/// A prior on its way to or from a store.
#[derive(Serialize, Deserialize)]
struct Stored {
    weights: Vec<f64>,
    evidence: f64,
}

impl TryFrom<Stored> for Prior {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        <[f64; POINTS]>::try_from(stored.weights)
            .ok()
            .and_then(|weights| Self::new(weights, stored.evidence))
            .ok_or_else(|| format!("a prior has {POINTS} weights, none of them negative"))
    }
}

impl From<Prior> for Stored {
    fn from(prior: Prior) -> Self {
        Self { weights: prior.weights.to_vec(), evidence: prior.evidence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_moves_the_prior_and_outweighs_it_in_the_end() {
        let prior = Prior::default();
        let half = |count| vec![Tally::new(10, 10); count];
        let mass = |prior: &Prior| prior.weights()[8..=12].iter().sum::<f64>();
        let (few, many) = (prior.refined(&half(10)), prior.refined(&half(2000)));
        assert!(mass(&prior) < mass(&few) && mass(&few) < mass(&many));
        assert!(mass(&many) > 0.9);
        assert_eq!(prior.refined(&[]).weights(), prior.weights());
    }

    #[test]
    fn a_prior_survives_its_store_and_refuses_what_is_none() {
        let prior = Prior::default().refined(&[Tally::new(3, 1)]);
        let text = serde_json::to_string(&prior).unwrap();
        let read: Prior = serde_json::from_str(&text).unwrap();
        assert!(prior.iter().zip(read.iter()).all(|(a, b)| (a.1 - b.1).abs() < 1e-12));
        for bad in [
            r#"{"weights":[1.0],"evidence":1.0}"#,
            &text.replacen('[', "[-1.0,", 1),
            &serde_json::to_string(&vec![0.0; POINTS])
                .map(|w| format!(r#"{{"weights":{w},"evidence":1.0}}"#))
                .unwrap(),
        ] {
            assert!(serde_json::from_str::<Prior>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn runs_no_point_explains_say_nothing() {
        let mut weights = [0.0; POINTS];
        weights[0] = 1.0;
        let prior = Prior::new(weights, 1.0).unwrap();
        assert_eq!(prior.given(&Tally::new(1, 0)), weights);
    }
}
