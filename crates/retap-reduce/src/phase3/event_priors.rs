//! Priors for ProbDD, learnt from minimising earlier traces. If events of one kind on one widget were removed from one
//! trace, they can mostly be removed from the next.

use retap_model::{Event, Selector, Target, Trace};
use std::collections::BTreeMap;

/// The first prior of an event that left the state as it was. It is seldom needed, but it may have typed something.
const PRIOR_SAME_STATE: f64 = 0.1;
/// The first prior of an event that changed the state.
const PRIOR_OTHER_STATE: f64 = 0.25;
/// Nothing is certain, so estimates stay between these.
const LOWEST_ESTIMATE: f64 = 0.01;
const HIGHEST_ESTIMATE: f64 = 0.9;
/// The prior of a whole kind weighs as much as this many events on one widget.
const PRIOR_WEIGHT: f64 = 2.0;

/// Estimates how likely an event is needed.
#[derive(Debug, Default)]
pub(crate) struct EventPriors {
    kinds: BTreeMap<EventKind, NeedCounts>,
    widgets: BTreeMap<(EventKind, String), NeedCounts>,
}

/// The kind of an event, and whether the state stayed the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EventKind {
    name: &'static str,
    keeps_state: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct NeedCounts {
    needed: f64,
    seen: f64,
}

impl NeedCounts {
    fn add(&mut self, is_needed: bool, weight: f64) {
        self.seen += weight;
        self.needed += if is_needed { weight } else { 0.0 };
    }

    fn estimate(self, prior: f64) -> f64 {
        (self.needed + PRIOR_WEIGHT * prior) / (self.seen + PRIOR_WEIGHT)
    }
}

impl EventPriors {
    /// Estimates how likely each event of a trace is needed. `covering_steps` are those that cover something needed.
    pub fn estimate(&self, trace: &Trace, covering_steps: &[usize]) -> Vec<f64> {
        let estimate = |step: usize| {
            if covering_steps.contains(&(step + 1)) {
                return HIGHEST_ESTIMATE;
            }
            let (kind, widget) = kind_and_widget(trace, step);
            let first = if kind.keeps_state { PRIOR_SAME_STATE } else { PRIOR_OTHER_STATE };
            let of_kind = self.kinds.get(&kind).copied().unwrap_or_default();
            let of_widget = self.widgets.get(&(kind, widget)).copied().unwrap_or_default();
            let estimate = of_widget.estimate(of_kind.estimate(first));
            estimate.clamp(LOWEST_ESTIMATE, HIGHEST_ESTIMATE)
        };
        (0..trace.steps.len()).map(estimate).collect()
    }

    /// Learns that a minimised trace kept the events at positions `remaining` and did not need the others. `weight` says
    /// how certain it is that the remaining events are needed.
    pub fn learn(&mut self, trace: &Trace, remaining: &[u32], weight: f64) {
        for step in 0..trace.steps.len() {
            let is_remaining = remaining.binary_search(&(step as u32)).is_ok();
            let weight = if is_remaining { weight } else { 1.0 };
            let (kind, widget) = kind_and_widget(trace, step);
            self.kinds.entry(kind).or_default().add(is_remaining, weight);
            self.widgets.entry((kind, widget)).or_default().add(is_remaining, weight);
        }
    }
}

fn kind_and_widget(trace: &Trace, step: usize) -> (EventKind, String) {
    let keeps_state = trace.result_after(step).state == trace.result_after(step + 1).state;
    let (name, widget) = match &trace.steps[step].event {
        Event::Tap(on) => ("tap", widget_name(on)),
        Event::LongPress(on) => ("long-press", widget_name(on)),
        Event::Drag { from, .. } => ("drag", widget_name(from)),
        Event::Pinch { on, .. } => ("pinch", widget_name(on)),
        Event::Text { on, .. } => ("text", widget_name(on)),
        Event::Key(key) => ("key", key.name().into()),
        Event::Rotate(_) => ("rotate", String::new()),
        Event::Intent(intent) => ("intent", intent.action.clone()),
        Event::System(event) => ("system", event.to_string()),
        Event::Wait(_) => ("wait", String::new()),
        Event::Launch => ("launch", String::new()),
        Event::Close => ("close", String::new()),
        Event::Hasty(_) => ("hasty", trace.steps[step].event.stable_name()),
    };
    (EventKind { name, keeps_state }, widget)
}

/// Names a widget by what stays the same from screen to screen.
fn widget_name(target: &Target) -> String {
    match &target.on {
        Some(Selector { id, .. }) if !id.is_empty() => id.clone(),
        Some(Selector { class, description, text, .. }) => format!("{class} {description}{text}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::trace::StepResult;
    use retap_model::{StateId, Step};

    /// Returns a trace of taps on these widgets, each of which leads to its state.
    fn trace(taps: &[(&str, u64)]) -> Trace {
        let result =
            |state: u64| StepResult { state: Some(StateId(state)), ..StepResult::default() };
        let step = |(id, state): &(&str, u64)| {
            let on = Some(Selector { id: (*id).into(), ..Selector::default() });
            Step { event: Event::Tap(Target { on, at: None }), result: result(*state) }
        };
        Trace { world_seed: 0, start: result(0), steps: taps.iter().map(step).collect() }
    }

    #[test]
    fn events_that_were_removed_from_one_trace_are_estimated_as_less_needed_in_the_next() {
        let mut priors = EventPriors::default();
        let taps = trace(&[("a", 0), ("b", 0), ("open", 1), ("a", 1)]);
        let [a, b, open, _] = priors.estimate(&taps, &[])[..] else { panic!() };
        let first = (PRIOR_SAME_STATE, PRIOR_SAME_STATE, PRIOR_OTHER_STATE);
        assert_eq!((a, b, open), first, "nothing is known yet");
        for _ in 0..5 {
            priors.learn(&taps, &[1, 2], 1.0);
        }
        let [a, b, open, again] = priors.estimate(&taps, &[])[..] else { panic!() };
        assert!(a < PRIOR_SAME_STATE && again < PRIOR_SAME_STATE, "{a} {again}");
        assert!(b > 0.5 && open > 0.5, "{b} {open}");
        // A widget that was never seen is estimated by its kind.
        let new = priors.estimate(&trace(&[("new", 0)]), &[])[0];
        assert!(a < new && new < b, "{a} {new} {b}");
    }

    #[test]
    fn a_step_that_covers_something_is_most_likely_needed_but_no_estimate_is_certain() {
        let mut priors = EventPriors::default();
        let taps = trace(&[("a", 0), ("b", 0)]);
        for _ in 0..1000 {
            priors.learn(&taps, &[], 1.0);
        }
        assert_eq!(priors.estimate(&taps, &[2]), [LOWEST_ESTIMATE, HIGHEST_ESTIMATE]);
    }
}
