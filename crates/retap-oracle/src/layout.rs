//! Texts that are cut and widgets that lie off the screen, as the device marks them.

use retap_model::screen::WidgetRef;
use retap_model::{Finding, FindingKind, Flags, Observation, Outcome, WindowKind};

pub fn look(seen: &Observation, package: &str) -> Vec<Finding> {
    if seen.outcome != Outcome::Running {
        return Vec::new();
    }
    let screen = &*seen.screen;
    // The keyboard takes room for a while; what does not fit beside it can be seen without it.
    if screen.windows.iter().any(|window| window.kind == WindowKind::Keyboard) {
        return Vec::new();
    }
    let own = screen
        .windows
        .iter()
        .enumerate()
        .filter(|(_, window)| window.takes_touches() && window.package == package);
    let marked = own.flat_map(|(window, w)| {
        let has = |index: &usize| w.widgets[*index].flags.intersects(MARKS);
        (0..w.widgets.len()).filter(has).map(move |index| WidgetRef { screen, window, index })
    });
    marked.map(|widget| describe(widget, &screen.activity)).collect()
}

const MARKS: Flags = Flags::TEXT_CUT.union(Flags::OFF_SCREEN);

fn describe(widget: WidgetRef<'_>, activity: &str) -> Finding {
    let name = crate::loss::name(widget);
    let (what, message) = if widget.widget().has(Flags::TEXT_CUT) {
        let text = &widget.widget().text;
        ("text cut", format!("Of {name} not all of the text can be seen: {text:?}"))
    } else {
        ("off screen", format!("{name} reaches beyond the screen, and nothing scrolls there"))
    };
    let subject = format!("{what} {}", crate::loss::key(widget));
    Finding { kind: FindingKind::Layout, activity: activity.into(), subject, message }
}
