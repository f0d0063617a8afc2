//! A model against what a run saw: what the model missed, sorted by cause, and what the run has not confirmed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::covered::java_method;
use super::{AppModel, AppWindowKind, PREVIOUS_WINDOW};

/// What a run saw, in the model's words.
#[derive(Debug, Clone, Default)]
pub struct SeenRun {
    pub activities: BTreeSet<String>,
    /// Pairs of activities that an event led from and to. Going back is left out.
    pub transitions: BTreeSet<(String, String)>,
    /// Ids of widgets by activity: `title`, or `android:list` if the framework has given it.
    pub widgets: BTreeMap<String, BTreeSet<String>>,
    /// Where touches of widgets with an id led: from activity and id to activities, its own included.
    pub inputs: BTreeMap<(String, String), BTreeSet<String>>,
    /// Methods that ran: `com.example.Main.onClick(Landroid/view/View;)V`.
    pub methods: BTreeSet<String>,
}

/// How well a model foretold a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelCheck {
    pub activities: CheckedPart,
    pub transitions: CheckedPart,
    /// Transitions of the very inputs that the run performed.
    pub inputs: CheckedPart,
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
            inputs: self.check_inputs(seen),
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
        let known: BTreeSet<(&str, &str)> = self
            .transitions
            .iter()
            .map(|it| (self.activity_of(&it.from), self.activity_of(&it.to)))
            .filter(|(from, to)| from != to && self.is_activity(to))
            .collect();
        let mut part = CheckedPart::default();
        for (from, to) in &seen.transitions {
            let (from, to) = (from.as_str(), to.as_str());
            let shown = format!("{from} → {to}");
            if known.contains(&(from, to)) || (self.closes(from) && known.contains(&(to, from))) {
                part.confirmed += 1;
            } else if !self.is_activity(from) || !self.is_activity(to) {
                part.miss("a window that the model lacks", shown);
            } else if self.closes(from) {
                part.miss(
                    "closed, to a window that did not open it as far as the model knows",
                    shown,
                );
            } else if known.iter().any(|it| it.1 == to) {
                part.miss("opened from elsewhere as far as the model knows", shown);
            } else {
                part.miss(
                    "nothing is seen to open it: an intent that could not be resolved",
                    shown,
                );
            }
        }
        let is_seen = |from: &str, to: &str| seen.transitions.contains(&(from.into(), to.into()));
        let reached = known.iter().filter(|it| seen.activities.contains(it.0));
        part.unconfirmed = reached.filter(|it| !is_seen(it.0, it.1)).count();
        part
    }

    /// Returns the activity that a window is, or lies over.
    fn activity_of<'a>(&'a self, id: &'a str) -> &'a str {
        self.window(id).and_then(|window| window.owner.as_deref()).unwrap_or(id)
    }

    /// Returns the dialogs and menus that inputs of an activity, or of what lies over it, open. Several activities may share one.
    fn opened_over(&self, activity: &str) -> BTreeSet<&str> {
        let mut opened = BTreeSet::new();
        loop {
            let before = opened.len();
            for transition in &self.transitions {
                let from = &*transition.from;
                let is_from = self.activity_of(from) == activity || opened.contains(from);
                if is_from && self.window(&transition.to).is_some_and(|it| it.owner.is_some()) {
                    opened.insert(&*transition.to);
                }
            }
            if opened.len() == before {
                return opened;
            }
        }
    }

    fn is_activity(&self, id: &str) -> bool {
        self.window(id).is_some_and(|it| it.kind == AppWindowKind::Activity)
    }

    /// Returns true if an input of an activity may close it.
    fn closes(&self, activity: &str) -> bool {
        let mut all = self.transitions.iter();
        all.any(|it| it.to == PREVIOUS_WINDOW && self.activity_of(&it.from) == activity)
    }

    fn check_inputs(&self, seen: &SeenRun) -> CheckedPart {
        fn name(id: &str) -> &str {
            id.rsplit('/').next().unwrap_or(id)
        }
        let mut known = BTreeMap::<(&str, &str), BTreeSet<&str>>::new();
        for input in &self.inputs {
            if let Some(id) = input.widget.as_deref() {
                known.entry((self.activity_of(&input.window), name(id))).or_default();
            }
        }
        for transition in &self.transitions {
            let input = &self.inputs[transition.input];
            let to = self.activity_of(&transition.to);
            let from = self.activity_of(&transition.from);
            if let Some(id) = input.widget.as_deref()
                && from != to
                && self.is_activity(to)
            {
                known.entry((from, name(id))).or_default().insert(to);
            }
        }
        let mut part = CheckedPart::default();
        for ((from, id), led_to) in &seen.inputs {
            let Some(foretold) = known.get(&(from.as_str(), id.as_str())) else { continue };
            for to in led_to.iter().filter(|to| *to != from) {
                if foretold.contains(to.as_str()) {
                    part.confirmed += 1;
                } else if !self.closes(from) {
                    part.miss("the input leads elsewhere", format!("{from} {id} → {to}"));
                }
            }
            part.unconfirmed += foretold.iter().filter(|to| !led_to.contains(**to)).count();
        }
        part
    }

    /// A widget that the framework adds by itself, such as the frame of a window or the handles of a selection, is none of the
    /// app's: it counts only if the model names it.
    fn check_widgets(&self, seen: &SeenRun) -> CheckedPart {
        let everywhere = self.widget_ids(None);
        let mut part = CheckedPart::default();
        for (activity, ids) in &seen.widgets {
            let known = self.widget_ids(Some(activity));
            for id in ids {
                let is_frameworks = id.starts_with("android:");
                if known.contains(id) {
                    part.confirmed += 1;
                } else if !is_frameworks {
                    let cause = if everywhere.contains(id) {
                        "in a layout that only other windows use as far as the model knows"
                    } else {
                        "in no layout that a window is seen to use"
                    };
                    part.miss(cause, format!("{activity} {id}"));
                }
            }
            part.unconfirmed += known.iter().filter(|id| !ids.contains(*id)).count();
        }
        part
    }

    /// Returns the ids of an activity, of what lies over it and of what its inputs name; of all windows if none is given.
    fn widget_ids(&self, activity: Option<&str>) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        let opened: BTreeSet<&str> = match activity {
            Some(activity) => self.opened_over(activity),
            None => BTreeSet::new(),
        };
        let is_shown =
            |id: &str| activity.is_none_or(|it| self.activity_of(id) == it) || opened.contains(id);
        for window in self.windows.iter().filter(|it| is_shown(&it.id)) {
            let widgets = window.widgets.iter().chain(&window.library_widgets);
            widgets.for_each(|it| it.collect_ids(&mut ids));
        }
        let inputs = self.inputs.iter().filter(|it| is_shown(&it.window));
        ids.extend(inputs.filter_map(|it| it.widget.clone()));
        ids.iter().map(|id| short_id(id)).collect()
    }

    /// Android's own calls, such as `onCreate`, are no inputs of a user and do not count.
    fn check_handlers(&self, seen: &SeenRun) -> CheckedPart {
        let of_users = self.inputs.iter().filter(|it| it.event.is_of_users());
        let known: BTreeSet<String> =
            of_users.flat_map(|it| &it.handlers).filter_map(|it| java_method(it)).collect();
        let listeners: BTreeMap<String, &str> =
            self.listeners.iter().filter_map(|it| Some((java_method(it.0)?, *it.1))).collect();
        let mut part = CheckedPart::default();
        for method in &seen.methods {
            if known.contains(method) {
                part.confirmed += 1;
            } else if let Some(cause) = listeners.get(method) {
                part.miss(cause, method.clone());
            }
        }
        part.unconfirmed = known.iter().filter(|it| !seen.methods.contains(*it)).count();
        part
    }
}

/// Returns `title` for `@id/title` and `android:list` for `@android:id/list`.
fn short_id(id: &str) -> String {
    let name = id.rsplit('/').next().unwrap_or(id);
    if id.starts_with("@android:") { format!("android:{name}") } else { name.to_owned() }
}
