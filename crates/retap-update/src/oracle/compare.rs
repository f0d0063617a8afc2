//! Compares the same events on two versions, step by step. Each version ran twice, in two worlds: what differs between the
//! two runs of one version is noise and is left out.

use super::facts::{repeated_ids, stable_facts, toast_facts};
use super::knowledge::ChangeKnowledge;
use crate::targets::Targets;
use retap_model::{Event, Observation, Outcome};
use serde::Serialize;
use std::collections::BTreeSet;

/// The executions of the same events.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRuns<'a> {
    pub events: &'a [Event],
    pub old: [&'a [Observation]; 2],
    pub new: [&'a [Observation]; 2],
}

/// Whether the diff says why two screens differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Explanation {
    /// A changed resource or a new window.
    Diff(String),
    /// Nothing that people see was changed on purpose there. Changed code that ran may be the cause.
    Unexplained { changed_code: Vec<String> },
}

/// One value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScreenDifference {
    /// The number of events before the screen.
    pub step: usize,
    pub activity: String,
    /// The widget, by its id or text.
    pub fact: String,
    /// Its value in the old version; none if it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    pub explanation: Explanation,
}

/// One way in which two versions differ after the same events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum VersionDifference {
    Screen(ScreenDifference),
    /// Only the new version crashes.
    NewCrash {
        step: usize,
        exception: String,
    },
    /// Only the old version crashes.
    FixedCrash {
        step: usize,
        exception: String,
    },
    /// The same event leads to another window.
    OtherWindow {
        step: usize,
        old: String,
        new: String,
        changed_code: Vec<String>,
    },
    /// The old version has no widget for an event. What follows cannot be compared.
    OnlyInNew {
        step: usize,
        event: String,
    },
    /// The new version has no widget for an event of the old one.
    OnlyInOld {
        step: usize,
        event: String,
    },
}

impl VersionDifference {
    pub fn step(&self) -> usize {
        match self {
            VersionDifference::Screen(difference) => difference.step,
            VersionDifference::NewCrash { step, .. }
            | VersionDifference::FixedCrash { step, .. }
            | VersionDifference::OtherWindow { step, .. }
            | VersionDifference::OnlyInNew { step, .. }
            | VersionDifference::OnlyInOld { step, .. } => *step,
        }
    }

    /// Returns a text that is equal for differences that show the same thing.
    pub fn key(&self) -> String {
        match self {
            VersionDifference::Screen(it) => {
                let is_value = it.old.is_some() && it.new.is_some();
                let fact = &it.fact;
                // Values differ from screen to screen; that one differs is the finding.
                let sides = (it.old.is_some(), it.new.is_some());
                format!("screen {} {fact} {is_value} {sides:?}", it.activity)
            }
            VersionDifference::NewCrash { exception, .. } => format!("new crash {exception}"),
            VersionDifference::FixedCrash { exception, .. } => format!("fixed crash {exception}"),
            VersionDifference::OtherWindow { old, new, .. } => format!("window {old} {new}"),
            VersionDifference::OnlyInNew { event, .. } => format!("only new {event}"),
            VersionDifference::OnlyInOld { event, .. } => format!("only old {event}"),
        }
    }

    /// Returns true if somebody must look: nothing explains it.
    pub fn is_unexplained(&self) -> bool {
        match self {
            VersionDifference::Screen(it) => {
                matches!(it.explanation, Explanation::Unexplained { .. })
            }
            VersionDifference::NewCrash { .. } | VersionDifference::OnlyInOld { .. } => true,
            VersionDifference::OtherWindow { .. } => true,
            VersionDifference::FixedCrash { .. } | VersionDifference::OnlyInNew { .. } => false,
        }
    }
}

/// Returns all differences up to where the versions part.
pub fn compare_versions(
    runs: ComparedRuns<'_>,
    knowledge: &ChangeKnowledge,
    targets: &Targets,
) -> Vec<VersionDifference> {
    let mut differences = Vec::new();
    let mut ran: BTreeSet<usize> = BTreeSet::new();
    let lengths = [runs.old[0], runs.old[1], runs.new[0], runs.new[1]].map(<[Observation]>::len);
    for step in 0..lengths.into_iter().min().unwrap_or_default() {
        let (old, new) = (&runs.old[0][step], &runs.new[0][step]);
        let (old_again, new_again) = (&runs.old[1][step], &runs.new[1][step]);
        ran.extend(targets.among(&new.coverage));
        let changed_code =
            || ran.iter().map(|target| targets.get(*target).signature.clone()).collect::<Vec<_>>();
        // An outcome that one version does not repeat says nothing about the other.
        let is_repeated = kind(old) == kind(old_again) && kind(new) == kind(new_again);
        if !is_repeated {
            break;
        }
        if kind(old) != kind(new) {
            let event = step.checked_sub(1).and_then(|it| runs.events.get(it));
            differences.extend(part(step, event, old, new, changed_code()));
            break;
        }
        if old.outcome.is_final() {
            break;
        }
        if old.screen.activity != new.screen.activity {
            let (old, new) = (old.screen.activity.clone(), new.screen.activity.clone());
            differences.push(VersionDifference::OtherWindow {
                step,
                old,
                new,
                changed_code: changed_code(),
            });
            break;
        }
        let screens = [&*old.screen, &*old_again.screen, &*new.screen, &*new_again.screen];
        let repeated = repeated_ids(screens);
        let (old_facts, old_noise) = stable_facts(&old.screen, &old_again.screen, &repeated);
        let (new_facts, new_noise) = stable_facts(&new.screen, &new_again.screen, &repeated);
        let all: BTreeSet<&String> = old_facts.keys().chain(new_facts.keys()).collect();
        let toasts = [old, new].map(|it| toast_facts(&it.screen, &repeated));
        for fact in all {
            let (before, after) = (old_facts.get(fact), new_facts.get(fact));
            if before == after || old_noise.contains(fact) || new_noise.contains(fact) {
                continue;
            }
            let is_of_toast = toasts.iter().any(|it| it.contains_key(fact));
            if is_of_toast && (before.is_none() || after.is_none()) {
                continue;
            }
            let values = [before.map(String::as_str), after.map(String::as_str)];
            let activity = new.screen.activity.clone();
            let explanation = match knowledge.explain(fact, values, &activity) {
                Some(why) => Explanation::Diff(why),
                None => Explanation::Unexplained { changed_code: changed_code() },
            };
            differences.push(VersionDifference::Screen(ScreenDifference {
                step,
                activity,
                fact: fact.clone(),
                old: before.cloned(),
                new: after.cloned(),
                explanation,
            }));
        }
    }
    differences
}

/// Returns the difference between two outcomes that differ.
fn part(
    step: usize,
    event: Option<&Event>,
    old: &Observation,
    new: &Observation,
    changed_code: Vec<String>,
) -> Option<VersionDifference> {
    let crash = |observation: &Observation| {
        observation.outcome.crash().map(|crash| crash.innermost_class().to_string())
    };
    let event = event.map(ToString::to_string).unwrap_or_default();
    Some(match (crash(old), crash(new)) {
        (None, Some(exception)) => VersionDifference::NewCrash { step, exception },
        (Some(exception), None) => VersionDifference::FixedCrash { step, exception },
        (Some(_), Some(exception)) => VersionDifference::NewCrash { step, exception },
        (None, None) if old.outcome == Outcome::Missed => {
            VersionDifference::OnlyInNew { step, event }
        }
        (None, None) if new.outcome == Outcome::Missed => {
            VersionDifference::OnlyInOld { step, event }
        }
        // The device lacked something: that says nothing about the versions.
        (None, None) if !(old.host_limitations.is_empty() && new.host_limitations.is_empty()) => {
            return None;
        }
        (None, None) => VersionDifference::OtherWindow {
            step,
            old: describe(&old.outcome),
            new: describe(&new.outcome),
            changed_code,
        },
    })
}

fn describe(outcome: &Outcome) -> String {
    outcome.recorded("").to_string()
}

/// Returns what must be equal for two outcomes to be the same.
fn kind(observation: &Observation) -> String {
    match &observation.outcome {
        Outcome::Crashed(crash) => format!("crashed {}", crash.innermost_class()),
        Outcome::Left { package } => format!("left {package}"),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}
