//! What minimising traces has taught of events: those of one kind on one widget that were left out of one trace
//! can mostly be left out of the next. It is what ProbDD first believes of each.

use retap_model::{Event, Selector, Target, Trace};
use std::collections::BTreeMap;

/// An event that left the screen as it was is seldom needed, but it may have typed something.
const STAYS: f64 = 0.1;
const MOVES: f64 = 0.25;
/// Nothing is certain.
const LEAST: f64 = 0.01;
const MOST: f64 = 0.9;
/// What is believed of a whole kind weighs as much as this many events of one widget.
const WEIGHT: f64 = 2.0;

#[derive(Debug, Default)]
pub(crate) struct Lore {
    kinds: BTreeMap<Kind, Record>,
    widgets: BTreeMap<(Kind, String), Record>,
}

/// What was done, and whether the state stayed the same.
type Kind = (&'static str, bool);

#[derive(Debug, Default, Clone, Copy)]
struct Record {
    needed: f64,
    seen: f64,
}

impl Record {
    fn add(&mut self, needed: bool, weight: f64) {
        self.seen += weight;
        self.needed += if needed { weight } else { 0.0 };
    }

    fn believe(self, before: f64) -> f64 {
        (self.needed + WEIGHT * before) / (self.seen + WEIGHT)
    }
}

impl Lore {
    /// How likely each event of a trace is needed; `needed` steps are those that cover something.
    pub fn beliefs(&self, trace: &Trace, needed: &[usize]) -> Vec<f64> {
        let belief = |step: usize| {
            if needed.contains(&(step + 1)) {
                return MOST;
            }
            let (kind, widget) = what(trace, step);
            let prior = if kind.1 { STAYS } else { MOVES };
            let kinds = self.kinds.get(&kind).copied().unwrap_or_default();
            let widgets = self.widgets.get(&(kind, widget)).copied().unwrap_or_default();
            widgets.believe(kinds.believe(prior)).clamp(LEAST, MOST)
        };
        (0..trace.steps.len()).map(belief).collect()
    }

    /// These events of a trace are left, the others were not needed. `weight`: how sure it is that the
    /// rest is.
    pub fn learn(&mut self, trace: &Trace, left: &[u32], weight: f64) {
        for step in 0..trace.steps.len() {
            let is_left = left.binary_search(&(step as u32)).is_ok();
            let weight = if is_left { weight } else { 1.0 };
            let (kind, widget) = what(trace, step);
            self.kinds.entry(kind).or_default().add(is_left, weight);
            self.widgets.entry((kind, widget)).or_default().add(is_left, weight);
        }
    }
}

fn what(trace: &Trace, step: usize) -> (Kind, String) {
    let stays = trace.result_after(step).state == trace.result_after(step + 1).state;
    let (name, widget) = match &trace.steps[step].event {
        Event::Tap(on) => ("tap", widget(on)),
        Event::LongPress(on) => ("long-press", widget(on)),
        Event::Drag { from, .. } => ("drag", widget(from)),
        Event::Pinch { on, .. } => ("pinch", widget(on)),
        Event::Text { on, .. } => ("text", widget(on)),
        Event::Key(key) => ("key", key.name().into()),
        Event::Rotate(_) => ("rotate", String::new()),
        Event::Intent(intent) => ("intent", intent.action.clone()),
        Event::System(event) => ("system", event.to_string()),
        Event::Wait(_) => ("wait", String::new()),
        Event::Launch => ("launch", String::new()),
        Event::Close => ("close", String::new()),
    };
    ((name, stays), widget)
}

/// By what stays the same from screen to screen.
fn widget(target: &Target) -> String {
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

    /// Taps on these widgets, each of which leads to its state.
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
    fn what_was_left_out_of_one_trace_is_left_out_of_the_next_first() {
        let mut lore = Lore::default();
        let taps = trace(&[("a", 0), ("b", 0), ("open", 1), ("a", 1)]);
        let [a, b, open, _] = lore.beliefs(&taps, &[])[..] else { panic!() };
        assert_eq!((a, b, open), (STAYS, STAYS, MOVES), "nothing is known yet");
        for _ in 0..5 {
            lore.learn(&taps, &[1, 2], 1.0);
        }
        let [a, b, open, again] = lore.beliefs(&taps, &[])[..] else { panic!() };
        assert!(a < STAYS && again < STAYS, "{a} {again}");
        assert!(b > 0.5 && open > 0.5, "{b} {open}");
        // Of a widget that was never seen, what is known of its kind.
        let new = lore.beliefs(&trace(&[("new", 0)]), &[])[0];
        assert!(a < new && new < b, "{a} {new} {b}");
    }

    #[test]
    fn a_step_that_covers_something_is_most_likely_needed_but_nothing_is_certain() {
        let mut lore = Lore::default();
        let taps = trace(&[("a", 0), ("b", 0)]);
        for _ in 0..1000 {
            lore.learn(&taps, &[], 1.0);
        }
        assert_eq!(lore.beliefs(&taps, &[2]), [LEAST, MOST]);
    }
}
