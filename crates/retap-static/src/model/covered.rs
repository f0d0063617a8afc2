//! What a run covered of a model: the windows that it met, and the inputs whose handlers ran.

use std::collections::BTreeSet;

use super::{AppModel, AppWindow, AppWindowKind, SeenRun};
use crate::program::java_name;

/// The parts of a model that a run covered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredModel {
    /// Ids of windows.
    pub windows: BTreeSet<String>,
    /// Positions in [`AppModel::inputs`].
    pub inputs: BTreeSet<usize>,
}

impl AppModel {
    pub fn covered_by(&self, seen: &SeenRun) -> CoveredModel {
        let has_run =
            |handler: &String| java_method(handler).is_some_and(|it| seen.methods.contains(&it));
        let inputs: BTreeSet<usize> = (0..self.inputs.len())
            .filter(|&number| self.inputs[number].handlers.iter().any(has_run))
            .collect();
        let of_inputs: BTreeSet<&str> = inputs.iter().map(|&it| &*self.inputs[it].window).collect();
        let met = self.windows.iter().filter(|window| match window.kind {
            AppWindowKind::Activity => seen.activities.contains(&window.id),
            _ => of_inputs.contains(&*window.id) || shows_widgets(window, seen),
        });
        CoveredModel { windows: met.map(|it| it.id.clone()).collect(), inputs }
    }
}

/// Returns true if a widget of a menu or dialog was on a screen of its activity. An item of the options menu may be a
/// button of the window itself.
fn shows_widgets(window: &AppWindow, seen: &SeenRun) -> bool {
    let Some(shown) = window.owner.as_ref().and_then(|owner| seen.widgets.get(owner)) else {
        return false;
    };
    let mut ids = BTreeSet::new();
    window.widgets.iter().for_each(|it| it.collect_ids(&mut ids));
    ids.iter().any(|id| id.rsplit('/').next().is_some_and(|name| shown.contains(name)))
}

/// Returns `com.example.Main.run()V` for `Lcom/example/Main;->run()V`.
pub fn java_method(signature: &str) -> Option<String> {
    let (class, method) = signature.split_once("->")?;
    Some(format!("{}.{method}", java_name(class)))
}
