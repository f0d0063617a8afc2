//! Judges an update that finds the data of the version before. Three executions of the same events are compared: the old
//! version on its own data, the new version on its own data, and the new version on the data of the old one. Only what the
//! third alone does wrong is a fault of the update.

use retap_model::{CrashId, Flags, Observation, Outcome, WindowKind};
use serde::Serialize;
use std::collections::BTreeSet;

/// Texts that are named in one finding.
const MAX_TEXTS: usize = 5;

/// The executions, each from the launch after the data were written.
#[derive(Debug, Clone, Copy)]
pub struct UpgradeRuns<'a> {
    pub package: &'a str,
    /// The old version, installed over itself.
    pub old: &'a [Observation],
    /// The new version, installed over itself.
    pub new: &'a [Observation],
    /// The new version, installed over the old one.
    pub upgraded: &'a [Observation],
    /// Crashes that either version has on its own data.
    pub known_crashes: &'a BTreeSet<CrashId>,
}

/// Something that goes wrong only with data of the old version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum UpgradeFault {
    /// The new version crashes, or does not respond, after this many events from its launch on.
    Crash { step: usize, crash: Option<CrashId>, exception: String },
    /// Both versions show these texts on their own data.
    LostData { step: usize, activity: String, texts: Vec<String> },
}

impl UpgradeFault {
    pub fn step(&self) -> usize {
        match self {
            UpgradeFault::Crash { step, .. } | UpgradeFault::LostData { step, .. } => *step,
        }
    }

    /// Returns true if two faults are the same, though they may show after different events.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Crash { crash, exception, .. }, Self::Crash { crash: c, exception: e, .. }) => {
                (crash, exception) == (c, e)
            }
            (Self::LostData { activity, .. }, Self::LostData { activity: other, .. }) => {
                activity == other
            }
            _ => false,
        }
    }
}

/// Returns the first fault, because what follows may follow from it.
pub fn judge_upgrade(runs: UpgradeRuns<'_>) -> Option<UpgradeFault> {
    for (step, shown) in runs.upgraded.iter().enumerate() {
        match &shown.outcome {
            Outcome::Crashed(crash) => {
                let id = crash.identity(runs.package);
                let exception = crash.innermost_class().to_string();
                let fault = UpgradeFault::Crash { step, crash: Some(id), exception };
                return (!runs.known_crashes.contains(&id)).then_some(fault);
            }
            Outcome::NotResponding { .. } => {
                let responds = runs.new.get(step).is_some_and(|it| !it.outcome.is_final());
                let exception = "the app does not respond".to_string();
                return responds.then_some(UpgradeFault::Crash { step, crash: None, exception });
            }
            _ => {}
        }
        let (Some(old), Some(new)) = (runs.old.get(step), runs.new.get(step)) else { return None };
        let activity = &shown.screen.activity;
        if old.screen.activity != *activity || new.screen.activity != *activity {
            return None;
        }
        let [old, new, shown] = [old, new, shown].map(texts);
        let lost: Vec<String> =
            old.intersection(&new).filter(|it| !shown.contains(*it)).cloned().collect();
        if !lost.is_empty() {
            let texts = lost.into_iter().take(MAX_TEXTS).collect();
            return Some(UpgradeFault::LostData { step, activity: activity.clone(), texts });
        }
    }
    None
}

/// Returns the texts of a screen. A toast shows for a time, not for data.
fn texts(observation: &Observation) -> BTreeSet<String> {
    let windows = observation.screen.windows.iter().filter(|it| it.kind != WindowKind::Toast);
    let shown = windows.flat_map(|window| &window.widgets).filter(|it| it.has(Flags::VISIBLE));
    shown.map(|it| it.text.clone()).filter(|text| !text.trim().is_empty()).collect()
}
