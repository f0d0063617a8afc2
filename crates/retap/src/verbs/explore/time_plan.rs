//! What `--time` is spent on: exploring, and then checking what was found.

use crate::cli::{ExploreArgs, OracleChoice};
use retap_engine::explore::check_budget::check_time;
use std::fmt;
use std::time::{Duration, Instant};

/// The time of a run that no limit was given for.
const DEFAULT: Duration = Duration::from_secs(600);
/// Checks that begin late have at least this long.
const LEAST: Duration = Duration::from_secs(2);

/// The parts of a run's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimePlan {
    pub exploring: Duration,
    pub checking: Duration,
}

impl TimePlan {
    /// Returns the plan of a run; none if only its events are limited.
    pub fn of(args: &ExploreArgs) -> Option<Self> {
        let limits = &args.limits;
        let all = limits.time.or(limits.max_events.is_none().then_some(DEFAULT))?;
        let probes = OracleChoice::kinds(&args.oracle).is_ok_and(|kinds| !kinds.is_empty());
        let checks = !args.no_minimize || probes || args.properties.is_some() || args.pictures > 0;
        let checking = if checks { check_time(all) } else { Duration::ZERO };
        Some(Self { exploring: all - checking, checking })
    }

    /// Returns the end of the time for checks.
    pub fn check_deadline(self, started: Instant) -> Instant {
        (started + self.exploring + self.checking).max(Instant::now() + LEAST)
    }
}

impl fmt::Display for TimePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (exploring, checking) = (describe(self.exploring), describe(self.checking));
        if self.checking.is_zero() {
            return write!(f, "{exploring} of exploring.");
        }
        write!(
            f,
            "{exploring} of exploring, then at most {checking} to show again, minimise and picture what it finds."
        )
    }
}

/// Describes a time: `45 s`, `7.5 min`.
fn describe(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = if seconds < 120.0 { (seconds, "s") } else { (seconds / 60.0, "min") };
    let text = format!("{number:.1}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_the_time_is_spent_on() {
        let seconds = Duration::from_secs;
        let plan = TimePlan { exploring: seconds(45), checking: seconds(15) };
        let words = "45 s of exploring, then at most 15 s to show again, minimise and picture what it finds.";
        assert_eq!(plan.to_string(), words);
        let plan = TimePlan { exploring: seconds(450), checking: Duration::ZERO };
        assert_eq!(plan.to_string(), "7.5 min of exploring.");
    }
}
