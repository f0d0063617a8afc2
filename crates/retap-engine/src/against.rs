//! One trace on two devices, compared step by step in what every device can tell: how each event ended, the activity, the
//! window in front and its widgets. Bounds, windows behind and invisible widgets are the display's or the device's own.

use retap_device::Execution;
use retap_model::observation::RecordedOutcome;
use retap_model::{Flags, Observation, Trace, Widget, WindowKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most widgets that a difference names.
const NAMED: usize = 5;

/// Where two devices differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceDifference {
    /// The number of events so far; zero is the launch.
    pub step: usize,
    pub event: String,
    /// `outcome`, `activity`, `window`, `widgets` or `length`.
    pub what: &'static str,
    pub first: String,
    pub second: String,
}

/// Compares two executions of a trace.
pub fn compare(
    trace: &Trace,
    first: &Execution,
    second: &Execution,
    package: &str,
) -> Vec<DeviceDifference> {
    let mut differences = Vec::new();
    let event = |step: usize| match step.checked_sub(1).and_then(|at| trace.steps.get(at)) {
        Some(step) => step.event.to_string(),
        None => "launch".to_string(),
    };
    let pairs = first.observations.iter().zip(&second.observations);
    for (step, (one, other)) in pairs.enumerate() {
        for (what, first, second) in compare_step(one, other, package) {
            differences.push(DeviceDifference { step, event: event(step), what, first, second });
        }
    }
    if first.events() != second.events() {
        let step = first.events().min(second.events()) + 1;
        let show = |execution: &Execution| format!("{} events", execution.events());
        let (first, second) = (show(first), show(second));
        differences.push(DeviceDifference {
            step,
            event: event(step),
            what: "length",
            first,
            second,
        });
    }
    differences
}

fn compare_step(
    one: &Observation,
    other: &Observation,
    package: &str,
) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    let mut add = |what: &'static str, first: String, second: String| {
        if first != second {
            found.push((what, first, second));
        }
    };
    let outcome = |seen: &Observation| match seen.outcome.recorded(package) {
        // Each phone has another home screen.
        RecordedOutcome::Left(_) => "left the app".to_string(),
        outcome => outcome.to_string(),
    };
    add("outcome", outcome(one), outcome(other));
    let shows = |seen: &Observation| {
        matches!(seen.outcome.recorded(package), RecordedOutcome::Running | RecordedOutcome::Missed)
    };
    // What lies on the screen of an app that is gone is the phone's.
    if !(shows(one) && shows(other)) {
        return found;
    }
    add("activity", one.screen.activity.clone(), other.screen.activity.clone());
    add("window", front(one).into(), front(other).into());
    let (here, there) = (widgets(one), widgets(other));
    let missing = |these: &BTreeMap<String, usize>, those: &BTreeMap<String, usize>| {
        let lacks =
            |(name, count): &(&String, &usize)| those.get(*name).copied().unwrap_or(0) < **count;
        let names: Vec<&str> = these.iter().filter(lacks).map(|(name, _)| name.as_str()).collect();
        let more = names.len().saturating_sub(NAMED);
        let shown = names[..names.len().min(NAMED)].join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    };
    add("widgets", missing(&here, &there), missing(&there, &here));
    found
}

/// Menus and popups are dialogs to a phone's window manager.
fn front(seen: &Observation) -> &'static str {
    match seen.screen.front().map(|window| window.kind) {
        Some(WindowKind::Activity) => "an activity",
        Some(WindowKind::Dialog | WindowKind::Menu | WindowKind::Popup) => "a window over it",
        Some(_) => "a window of the system",
        None => "no window",
    }
}

/// Returns the widgets of the window in front that can be told by an id or a text, and how often each is there.
fn widgets(seen: &Observation) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    let shown = |widget: &&Widget| {
        widget.has(Flags::VISIBLE)
            && !widget.bounds.is_empty()
            && !(widget.id.is_empty() && widget.text.is_empty())
    };
    for widget in seen.screen.front().into_iter().flat_map(|it| &it.widgets).filter(shown) {
        let text =
            if widget.text.is_empty() { String::new() } else { format!(" {:?}", widget.text) };
        let name = format!("{} {}{text}", widget.short_class(), widget.short_id());
        *names.entry(name.trim().to_string()).or_insert(0) += 1;
    }
    names
}
