//! TimeMachine's second policy: when exploration makes no progress and should go elsewhere.
//!
//! The paper looks for dead ends (the same state for too long) and loops (a window full of states that repeat or
//! that were visited far too often). `flat` is an addition that asks for new code alone. A screen that shows one
//! more line for every key creates new states for ever, and the published rule counts that as progress.

mod detector;

pub use detector::StuckDetector;

use super::settings::{PolicyError, parse_setting, split_settings};
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuckPolicy {
    pub criterion: StuckCriterion,
    /// l: the length of the window.
    pub window: usize,
    /// The number of events without progress that is still tolerated.
    pub max_no_progress: usize,
    /// α: the share of the states that counts as most visited.
    pub alpha: f64,
    /// β: the share of the window that must repeat or be among the most visited.
    pub beta: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StuckCriterion {
    /// The paper's: dead ends and loops.
    Window,
    /// Dead ends alone.
    DeadEnd,
    /// Not in the paper: no new code for too long, whatever the states are.
    Flat,
    Never,
}

impl Default for StuckPolicy {
    fn default() -> Self {
        Self {
            criterion: StuckCriterion::Window,
            window: 10,
            max_no_progress: 200,
            alpha: 0.2,
            beta: 0.8,
        }
    }
}

impl FromStr for StuckPolicy {
    type Err = PolicyError;

    /// Parses `window,l=10,max=200,alpha=0.2,beta=0.8`.
    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (name, settings) = split_settings(text);
        let criterion = match name {
            "window" => StuckCriterion::Window,
            "dead-end" => StuckCriterion::DeadEnd,
            "flat" => StuckCriterion::Flat,
            "never" => StuckCriterion::Never,
            _ => return Err(PolicyError::new("one of window, dead-end, flat, never", name)),
        };
        let mut policy = Self { criterion, ..Self::default() };
        for setting in settings {
            let is_known = parse_setting(setting, "l", &mut policy.window)?
                || parse_setting(setting, "max", &mut policy.max_no_progress)?
                || parse_setting(setting, "alpha", &mut policy.alpha)?
                || parse_setting(setting, "beta", &mut policy.beta)?;
            let is_in_range = (1..=10_000).contains(&policy.window)
                && (0.0..=1.0).contains(&policy.alpha)
                && (0.0..=1.0).contains(&policy.beta);
            if !is_known || !is_in_range {
                return Err(PolicyError::new("l=10, max=200, alpha=0.2 or beta=0.8", setting));
            }
        }
        Ok(policy)
    }
}
