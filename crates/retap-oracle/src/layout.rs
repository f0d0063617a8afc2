//! Cut texts and widgets off the screen, as the device marks them.

use crate::lost_state::{widget_key, widget_name};
use retap_model::screen::WidgetRef;
use retap_model::{Finding, FindingKind, Flags, Observation, Outcome, WindowKind};

/// Returns a finding for every marked widget of the app's own windows.
pub fn find_marked(observation: &Observation, package: &str) -> Vec<Finding> {
    if observation.outcome != Outcome::Running {
        return Vec::new();
    }
    let screen = &*observation.screen;
    // The keyboard takes room for a while. What does not fit beside it is visible without it.
    if screen.windows.iter().any(|window| window.kind == WindowKind::Keyboard) {
        return Vec::new();
    }
    let own_windows = screen
        .windows
        .iter()
        .enumerate()
        .filter(|(_, window)| window.takes_touches() && window.package == package);
    let marked = own_windows.flat_map(|(window, w)| {
        let is_marked = |index: &usize| w.widgets[*index].flags.intersects(MARKS);
        (0..w.widgets.len()).filter(is_marked).map(move |index| WidgetRef { screen, window, index })
    });
    marked.map(|widget| describe(widget, &screen.activity)).collect()
}

const MARKS: Flags = Flags::TEXT_CUT.union(Flags::OFF_SCREEN);

fn describe(widget: WidgetRef<'_>, activity: &str) -> Finding {
    let name = widget_name(widget);
    let (fault, message) = if widget.widget().has(Flags::TEXT_CUT) {
        let text = &widget.widget().text;
        ("text cut", format!("Of {name} not all of the text can be seen: {text:?}"))
    } else {
        ("off screen", format!("{name} reaches beyond the screen, and nothing scrolls there"))
    };
    let subject = format!("{fault} {}", widget_key(widget));
    Finding { kind: FindingKind::Layout, activity: activity.into(), subject, message }
}
