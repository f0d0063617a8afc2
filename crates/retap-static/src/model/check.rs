//! A model against what a run saw: what the model missed, sorted by cause, and what the run has not confirmed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{AppModel, AppWindowKind, PREVIOUS_WINDOW};
use crate::program::java_name;

/// What a run saw, in the model's words.
#[derive(Debug, Clone, Default)]
pub struct SeenRun {
    pub activities: BTreeSet<String>,
    /// Pairs of activities that an event led from and to. Going back is left out.
    pub transitions: BTreeSet<(String, String)>,
    /// Ids of widgets by activity, without their package: `title`.
    pub widgets: BTreeMap<String, BTreeSet<String>>,
    /// Methods that ran: `com.example.Main.onClick(Landroid/view/View;)V`.
    pub methods: BTreeSet<String>,
}

/// How well a model foretold a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelCheck {
    pub activities: CheckedPart,
    pub transitions: CheckedPart,
    pub widgets: CheckedPart,
    pub handlers: CheckedPart,
}

/// One part of a model against a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CheckedPart {
    /// Seen and foretold.
    pub confirmed: usize,
    /// Foretold and not seen: wrong, or not reached yet.
    pub unconfirmed: usize,
    /// Seen and not foretold, by cause.
    pub missed: BTreeMap<String, Vec<String>>,
}

impl CheckedPart {
    /// Returns the share of what was seen that the model has; none if nothing was seen.
    pub fn recall(&self) -> Option<f64> {
        let missed: usize = self.missed.values().map(Vec::len).sum();
        share(self.confirmed, missed)
    }

    /// Returns the share of the model that was seen: a lower bound, because a run does not see everything.
    pub fn precision(&self) -> Option<f64> {
        share(self.confirmed, self.unconfirmed)
    }

    fn miss(&mut self, cause: &str, what: String) {
        self.missed.entry(cause.to_owned()).or_default().push(what);
    }
}

fn share(part: usize, rest: usize) -> Option<f64> {
    (part + rest > 0).then(|| part as f64 / (part + rest) as f64)
}

impl AppModel {
    /// Compares the model with what a run saw.
    pub fn check(&self, seen: &SeenRun) -> ModelCheck {
        ModelCheck {
            activities: self.check_activities(seen),
            transitions: self.check_transitions(seen),
            widgets: self.check_widgets(seen),
            handlers: self.check_handlers(seen),
        }
    }

    fn check_activities(&self, seen: &SeenRun) -> CheckedPart {
        let known: BTreeSet<&String> = self
            .windows
            .iter()
            .filter(|it| it.kind == AppWindowKind::Activity)
            .map(|it| &it.id)
            .collect();
        let mut part = CheckedPart::default();
        for activity in &seen.activities {
            if known.contains(activity) {
                part.confirmed += 1;
            } else {
                part.miss("not declared in the manifest, or of a library", activity.clone());
            }
        }
        part.unconfirmed = known.iter().filter(|it| !seen.activities.contains(**it)).count();
        part
    }

    fn check_transitions(&self, seen: &SeenRun) -> CheckedPart {
        let activity_of = |id: &str| match self.window(id) {
            Some(window) => window.owner.clone().unwrap_or_else(|| window.id.clone()),
            None => id.to_owned(),
        };
        let is_activity =
            |id: &String| self.window(id).is_some_and(|it| it.kind == AppWindowKind::Activity);
        let known: BTreeSet<(String, String)> = self
            .transitions
            .iter()
            .map(|it| (activity_of(&it.from), activity_of(&it.to)))
            .filter(|(from, to)| from != to && is_activity(to))
            .collect();
        let closes = |id: &String| {
            let mut all = self.transitions.iter();
            all.any(|it| it.to == PREVIOUS_WINDOW && activity_of(&it.from) == *id)
        };
        let mut part = CheckedPart::default();
        for (from, to) in &seen.transitions {
            let pair = (from.clone(), to.clone());
            let shown = format!("{from} → {to}");
            if known.contains(&pair)
                || (closes(from) && known.contains(&(to.clone(), from.clone())))
            {
                part.confirmed += 1;
            } else if !is_activity(from) || !is_activity(to) {
                part.miss("a window that the model lacks", shown);
            } else if closes(from) {
                part.miss(
                    "closed, to a window that did not open it as far as the model knows",
                    shown,
                );
            } else if known.iter().any(|it| it.1 == *to) {
                part.miss("opened from elsewhere as far as the model knows", shown);
            } else {
                part.miss(
                    "nothing is seen to open it: an intent that could not be resolved",
                    shown,
                );
            }
        }
        let reached = |it: &&(String, String)| seen.activities.contains(&it.0);
        part.unconfirmed =
            known.iter().filter(reached).filter(|it| !seen.transitions.contains(*it)).count();
        part
    }

    fn check_widgets(&self, seen: &SeenRun) -> CheckedPart {
        let mut part = CheckedPart::default();
        for (activity, ids) in &seen.widgets {
            let mut known = BTreeSet::new();
            let shown = self
                .windows
                .iter()
                .filter(|it| it.id == *activity || it.owner.as_ref() == Some(activity));
            for window in shown {
                window.widgets.iter().for_each(|it| it.collect_ids(&mut known));
            }
            for id in ids {
                if known.contains(id) {
                    part.confirmed += 1;
                } else {
                    part.miss(
                        "in no layout that the window's code mentions",
                        format!("{activity} {id}"),
                    );
                }
            }
            part.unconfirmed += known.iter().filter(|id| !ids.contains(*id)).count();
        }
        part
    }

    fn check_handlers(&self, seen: &SeenRun) -> CheckedPart {
        let java = |signature: &String| {
            signature
                .split_once("->")
                .map(|(class, method)| format!("{}.{method}", java_name(class)))
        };
        let known: BTreeSet<String> =
            self.inputs.iter().flat_map(|it| &it.handlers).filter_map(java).collect();
        let mut part = CheckedPart::default();
        for method in &seen.methods {
            if known.contains(method) {
                part.confirmed += 1;
            } else if let Some(cause) = handler_cause(method) {
                part.miss(cause, method.clone());
            }
        }
        part.unconfirmed = known.iter().filter(|it| !seen.methods.contains(*it)).count();
        part
    }
}

/// Returns why a method that ran should have been a handler, if it should.
fn handler_cause(method: &str) -> Option<&'static str> {
    let (path, _) = method.split_once('(')?;
    let name = path.rsplit('.').next()?;
    // A compiler's class only passes the call on to the handler that a person wrote.
    let is_made = path.contains("$$") || path.contains("$lambda$");
    let handles = [
        "onClick",
        "onLongClick",
        "onItemClick",
        "onItemLongClick",
        "onCheckedChanged",
        "onMenuItemClick",
    ]
    .contains(&name)
        || ["onOptionsItemSelected", "onContextItemSelected", "onItemSelected", "onTouch"]
            .contains(&name);
    (handles && !is_made).then_some("its registration was not found in a window's code")
}

impl super::WindowWidget {
    fn collect_ids(&self, ids: &mut BTreeSet<String>) {
        if let Some(id) = &self.id {
            ids.insert(id.rsplit('/').next().unwrap_or(id).to_owned());
        }
        self.children.iter().for_each(|it| it.collect_ids(ids));
    }
}
