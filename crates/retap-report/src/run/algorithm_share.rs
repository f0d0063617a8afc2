//! The share that each algorithm has in a minimisation.

use retap_model::format::run::minimize_summary::{MinimizeSummary, TrailPoint};

/// The improvements that one algorithm found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlgorithmShare<'a> {
    pub algorithm: &'a str,
    pub improvements: u64,
    pub events_removed: u64,
}

/// Adds up the improvements of each algorithm, in the order in which the algorithms first improved the trace.
pub fn count_algorithm_shares(summary: &MinimizeSummary) -> Vec<AlgorithmShare<'_>> {
    let mut shares: Vec<AlgorithmShare<'_>> = Vec::new();
    let mut size = summary.events_before;
    for TrailPoint { events, algorithm, .. } in &summary.trail {
        let events_removed = size.saturating_sub(*events);
        size = size.min(*events);
        if events_removed == 0 {
            continue;
        }
        match shares.iter_mut().find(|share| share.algorithm == algorithm) {
            Some(share) => {
                share.improvements += 1;
                share.events_removed += events_removed;
            }
            None => shares.push(AlgorithmShare { algorithm, improvements: 1, events_removed }),
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::format::run::minimize_summary::MinimizeEnded;
    use retap_model::{Cost, Rate};

    fn summary(events_before: u64, trail: Vec<TrailPoint>) -> MinimizeSummary {
        MinimizeSummary {
            verb: MinimizeSummary::VERB.into(),
            app: String::new(),
            oracle: String::new(),
            algorithm: String::new(),
            ended: MinimizeEnded::Complete,
            events_before,
            events_after: 0,
            simplified: 0,
            launched_at: None,
            oracle_calls: 0,
            rounds: 0,
            events_executed: 0,
            events_saved: 0,
            success: Rate::default().into(),
            p1: 0.0,
            p2: None,
            steps: Vec::new(),
            minimized: String::new(),
            trail,
            cost: Cost::default(),
            seconds: 0.0,
        }
    }

    #[test]
    fn each_algorithm_is_credited_with_the_events_that_it_removed() {
        let point = |events, algorithm: &str| TrailPoint {
            oracle_calls: 0,
            events,
            algorithm: algorithm.into(),
        };
        let trail = vec![point(30, "dd"), point(20, "lhdd"), point(12, "lhdd"), point(11, "dd")];
        let summary = summary(30, trail);
        let shares: Vec<_> = count_algorithm_shares(&summary)
            .iter()
            .map(|s| (s.algorithm, s.improvements, s.events_removed))
            .collect();
        assert_eq!(shares, [("lhdd", 2, 18), ("dd", 1, 1)]);
    }
}
