//! The states that Q-testing remembers, one for each functional scenario, and the comparison of states. The paper
//! compares by a neural network; this compares the kinds of widgets that two screens have in common.

use retap_model::Screen;
use retap_model::hash::StableHasher;
use std::collections::BTreeSet;

/// Two screens are of one scenario if they share at least this part of their kinds of widgets.
const SIMILARITY: f64 = 0.7;
/// The largest number of scenarios. Those met first are kept.
const MAX_SCENARIOS: usize = 2_000;

#[derive(Debug, Clone, Default)]
pub struct ScenarioMemory {
    scenarios: Vec<BTreeSet<u64>>,
}

impl ScenarioMemory {
    /// Remembers a screen if it is unlike all in the memory. Returns true if it is.
    pub fn remember(&mut self, screen: &Screen) -> bool {
        let kinds = kinds_of(screen);
        let is_known = self.scenarios.iter().any(|known| similarity(known, &kinds) >= SIMILARITY);
        if !is_known && self.scenarios.len() < MAX_SCENARIOS {
            self.scenarios.push(kinds);
        }
        !is_known
    }
}

/// Returns hashes of the classes and ids of the widgets that a person could touch. Texts and the number of rows do not count.
fn kinds_of(screen: &Screen) -> BTreeSet<u64> {
    let windows = screen.windows.iter().filter(|window| window.takes_touches());
    let widgets = windows.flat_map(|window| &window.widgets);
    let kind = |widget: &retap_model::Widget| {
        let mut hasher = StableHasher::new("scenario");
        hasher.str(&screen.activity).str(&widget.class).str(widget.short_id());
        hasher.finish()
    };
    widgets.map(kind).collect()
}

/// Returns the part of all kinds that both have (Jaccard's index).
fn similarity(a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Flags, Rect, Widget, Window, WindowKind};

    fn screen(activity: &str, ids: &[&str], text: &str) -> Screen {
        let widget = |id: &&str| Widget {
            class: "Button".into(),
            id: format!("app:id/{id}"),
            text: text.into(),
            flags: Flags::CLICKABLE | Flags::VISIBLE | Flags::ENABLED,
            bounds: Rect { left: 0, top: 0, right: 10, bottom: 10 },
            ..Widget::default()
        };
        let window = Window {
            kind: WindowKind::Activity,
            package: "app".into(),
            title: String::new(),
            bounds: Rect { left: 0, top: 0, right: 100, bottom: 100 },
            focused: true,
            widgets: ids.iter().map(widget).collect(),
        };
        Screen { activity: activity.into(), windows: vec![window], ..Screen::default() }
    }

    #[test]
    fn a_screen_with_other_texts_or_one_more_kind_of_widget_is_of_the_same_scenario() {
        let mut memory = ScenarioMemory::default();
        assert!(memory.remember(&screen("List", &["a", "b", "c", "d"], "1")));
        assert!(!memory.remember(&screen("List", &["a", "b", "c", "d"], "2")));
        assert!(!memory.remember(&screen("List", &["a", "b", "c", "d", "e"], "2")));
        assert!(memory.remember(&screen("List", &["x", "y"], "1")));
        assert!(memory.remember(&screen("Form", &["a", "b", "c", "d"], "1")));
    }
}
