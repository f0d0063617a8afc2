//! Bounds what follows exploring: probing, verifying, minimising, measuring and screenshots. A user who asks for half a
//! minute does not expect three.

use retap_device::Lab;
use retap_explore::ExplorationTotals;
use retap_model::Cost;
use std::time::{Duration, Instant};

/// The checks may take half of the exploration's effort, and at least this much, so that a short run is checked too.
const SHARE: u64 = 2;
const MIN_EFFORT: u64 = 2_000;
/// A fifth of the effort is for screenshots of states.
const SCREENSHOT_SHARE: u64 = 5;
/// The checks of a run with a time limit get a quarter of it, within these bounds: enough for a few crashes, and most of
/// the time stays for exploring.
const TIME_SHARE: u32 = 4;
const MIN_TIME: Duration = Duration::from_secs(5);
const MAX_TIME: Duration = Duration::from_secs(150);

/// The effort and the time that are left for checks. The effort is exact, so that the same run has the same checks; the
/// time limits only runs that a time limit was asked for.
#[derive(Debug, Clone, Copy)]
pub struct CheckBudget {
    effort: u64,
    /// The cost of the lab before its first check.
    before: Cost,
    deadline: Option<Instant>,
}

impl CheckBudget {
    /// Begins the checks of what was explored. Their effort is a function of the recorded run alone, so that a resumed
    /// run is checked like one that was never interrupted.
    pub fn start(lab: &Lab<'_>, explored: &ExplorationTotals, deadline: Option<Instant>) -> Self {
        let restarts = explored.starts + explored.returns;
        let explored = Cost { events: explored.events, restarts, ..Cost::default() };
        Self { effort: (explored.effort() / SHARE).max(MIN_EFFORT), before: lab.cost(), deadline }
    }

    /// Returns the budget of checks that nobody waits for.
    pub fn unlimited() -> Self {
        Self { effort: u64::MAX, before: Cost::default(), deadline: None }
    }

    /// Returns the part that is not set aside for screenshots, which come last.
    pub fn before_screenshots(self) -> Self {
        Self { effort: self.effort - self.effort / SCREENSHOT_SHARE, ..self }
    }

    /// Returns the effort that is left.
    pub fn effort_left(&self, lab: &Lab<'_>) -> u64 {
        self.effort.saturating_sub((lab.cost() - self.before).effort())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub fn is_spent(&self, lab: &Lab<'_>) -> bool {
        self.is_out_of_time() || self.effort_left(lab) == 0
    }
}

/// Returns the part of a run's time limit that is for checks. The rest is for exploring.
pub fn check_time(run_limit: Duration) -> Duration {
    (run_limit / TIME_SHARE).clamp(MIN_TIME.min(run_limit / 2), MAX_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_have_a_part_of_the_time_and_exploring_has_most_of_it() {
        let seconds = |limit: u64| check_time(Duration::from_secs(limit)).as_secs_f64();
        assert_eq!([1, 10, 60, 600, 7200].map(seconds), [0.5, 5.0, 15.0, 150.0, 150.0]);
    }
}
