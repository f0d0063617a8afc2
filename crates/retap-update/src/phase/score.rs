//! The scores that decide where to go: WS of a window and AS of a state, the sums of c_m · u_m over what they can run.

use super::PlanContext;
use crate::input::locate;
use crate::model::{InputNumber, RunWindowId};
use crate::targets::TargetNumber;
use retap_explore::DecisionRng;
use retap_model::StateId;
use std::collections::BTreeSet;

/// Returns the target inputs of a window that still have something to cover.
pub fn open_inputs(context: &PlanContext<'_>, window: RunWindowId) -> Vec<InputNumber> {
    let inputs = context.model.windows.inputs.iter().enumerate();
    let is_open = |targets: &BTreeSet<TargetNumber>| {
        targets.iter().any(|target| context.targets.uncovered(*target) > 0)
    };
    inputs
        .filter(|(_, input)| input.window == window && is_open(&input.targets))
        .map(|(number, _)| number)
        .collect()
}

/// Returns the windows with target inputs.
pub fn target_windows(context: &PlanContext<'_>) -> BTreeSet<RunWindowId> {
    let inputs = context.model.windows.inputs.iter();
    inputs.filter(|input| !input.targets.is_empty()).map(|input| input.window).collect()
}

/// The paper's WS_w.
pub fn window_score(context: &PlanContext<'_>, window: RunWindowId) -> f64 {
    let inputs = context.model.windows.inputs.iter().filter(|input| input.window == window);
    sum(context, &inputs.flat_map(|input| input.targets.iter().copied()).collect())
}

/// Returns the state of a window with the highest AS, if any state of it is known.
pub fn best_state(context: &PlanContext<'_>, window: RunWindowId) -> Option<StateId> {
    let score = |state: StateId, screens: &BTreeSet<retap_model::ScreenId>| {
        let screen = screens.iter().next().and_then(|id| context.model.screen(*id))?;
        let inputs = context
            .model
            .windows
            .inputs
            .iter()
            .filter(|input| input.window == window && locate::is_available(input, screen));
        let targets = inputs.flat_map(|input| input.targets.iter().copied()).collect();
        Some((sum(context, &targets), state))
    };
    let states = context.model.abstracted.states_of(window);
    let scored = states.filter_map(|(state, node)| score(state, &node.screens));
    scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, state)| state)
}

/// Draws an item with a probability proportional to its score. Returns `None` if no item has one.
pub fn draw_by_score<T: Copy>(scored: &[(T, f64)], rng: &mut DecisionRng) -> Option<T> {
    /// The weight of the highest score. A score below a thousandth of it is never drawn.
    const HIGHEST: f64 = 1_000.0;
    let highest = scored.iter().map(|(_, score)| *score).fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let weigh = |(item, score): &(T, f64)| (*item, (score / highest * HIGHEST) as u32);
    let weighted: Vec<(T, u32)> = scored.iter().map(weigh).collect();
    rng.weighted(&weighted).copied()
}

fn sum(context: &PlanContext<'_>, targets: &BTreeSet<TargetNumber>) -> f64 {
    let part = |target: &TargetNumber| {
        context.model.abstracted.rareness(*target) * context.targets.uncovered(*target) as f64
    };
    targets.iter().map(part).sum()
}
