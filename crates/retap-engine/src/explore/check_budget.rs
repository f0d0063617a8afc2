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
/// The shortest time that the checks of a run with a time limit may take.
const MIN_TIME: Duration = Duration::from_secs(10);

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
    pub fn start(lab: &Lab<'_>, explored: &ExplorationTotals, run_limit: Option<Duration>) -> Self {
        let restarts = explored.starts + explored.returns;
        let explored = Cost { events: explored.events, restarts, ..Cost::default() };
        Self {
            effort: (explored.effort() / SHARE).max(MIN_EFFORT),
            before: lab.cost(),
            deadline: run_limit.map(|limit| Instant::now() + longest_time(limit)),
        }
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

/// Returns how long the checks may take after a run with this time limit: half as long again.
pub fn longest_time(run_limit: Duration) -> Duration {
    (run_limit / SHARE as u32).max(MIN_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_take_half_as_long_again_but_have_time_after_a_short_run() {
        assert_eq!(longest_time(Duration::from_secs(60)), Duration::from_secs(30));
        assert_eq!(longest_time(Duration::from_secs(1)), MIN_TIME);
    }
}
