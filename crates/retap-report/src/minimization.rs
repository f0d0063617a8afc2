//! `result.json` of `retap minimize`. Every field has a default: what a version did not write is not shown.

use retap_model::{Cost, Rate};
use serde::Deserialize;

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Minimization {
    pub oracle: String,
    pub algorithm: String,
    pub ended: String,
    pub events_before: u64,
    pub events_after: u64,
    pub simplified: u64,
    pub oracle_calls: u64,
    pub rounds: u64,
    pub events_executed: u64,
    pub events_saved: u64,
    pub success: Rate,
    pub p1: f64,
    pub p2: f64,
    pub trail: Vec<TrailPoint>,
    pub cost: Cost,
    pub seconds: f64,
}

/// A verified answer on the way, and which algorithm found it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TrailPoint {
    pub oracle_calls: u64,
    pub events: u64,
    pub algorithm: String,
}

/// What one algorithm contributed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share<'a> {
    pub algorithm: &'a str,
    pub answers: u64,
    pub events_removed: u64,
}

impl Minimization {
    /// In the order in which the algorithms first found something.
    pub fn shares(&self) -> Vec<Share<'_>> {
        let mut shares: Vec<Share<'_>> = Vec::new();
        let mut size = self.events_before;
        for TrailPoint { events, algorithm, .. } in &self.trail {
            let events_removed = size.saturating_sub(*events);
            size = size.min(*events);
            if events_removed == 0 {
                continue;
            }
            match shares.iter_mut().find(|share| share.algorithm == algorithm) {
                Some(share) => {
                    share.answers += 1;
                    share.events_removed += events_removed;
                }
                None => shares.push(Share { algorithm, answers: 1, events_removed }),
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_algorithm_is_given_what_it_removed() {
        let point = |events, algorithm: &str| TrailPoint {
            events,
            algorithm: algorithm.into(),
            ..TrailPoint::default()
        };
        let trail = vec![point(30, "dd"), point(20, "lhdd"), point(12, "lhdd"), point(11, "dd")];
        let minimization = Minimization { events_before: 30, trail, ..Minimization::default() };
        let shares = minimization.shares();
        let told: Vec<_> =
            shares.iter().map(|s| (s.algorithm, s.answers, s.events_removed)).collect();
        assert_eq!(told, [("lhdd", 2, 18), ("dd", 1, 1)]);
    }
}
