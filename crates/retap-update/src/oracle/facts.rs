//! What a screen says, without places and sizes: the values of widgets with ids, and the texts of the others.

use retap_model::{Flags, Screen, WindowKind};
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a screen, by widget.
pub type ScreenFacts = BTreeMap<String, String>;

/// Returns the ids that several widgets of one of these screens share, as the rows of a list do.
pub fn repeated_ids(screens: [&Screen; 4]) -> BTreeSet<String> {
    let mut repeated = BTreeSet::new();
    for screen in screens {
        let mut seen = BTreeSet::new();
        for widget in screen.windows.iter().flat_map(|window| &window.widgets) {
            if widget.has(Flags::VISIBLE) && !seen.insert(widget.short_id()) {
                repeated.insert(widget.short_id().to_string());
            }
        }
    }
    repeated
}

/// Returns the facts of a screen. A widget without an id, or whose id others share, is known by what it shows.
pub fn facts_of(screen: &Screen, repeated: &BTreeSet<String>) -> ScreenFacts {
    let mut facts = ScreenFacts::new();
    for window in &screen.windows {
        for widget in window.widgets.iter().filter(|widget| widget.has(Flags::VISIBLE)) {
            let id = widget.short_id();
            let is_known_by_id = !id.is_empty() && !repeated.contains(id);
            if !is_known_by_id && widget.text.is_empty() && widget.description.is_empty() {
                continue;
            }
            let value = value_of(&widget.text, &widget.description, widget.flags);
            let key = match (is_known_by_id, id) {
                (true, id) => format!("@id/{id}"),
                (false, "") => format!("text {value:?}"),
                (false, id) => format!("@id/{id} {value:?}"),
            };
            facts.insert(key, value);
        }
    }
    facts
}

/// Returns the facts of toasts. How long one shows depends on how fast the app is.
pub fn toast_facts(screen: &Screen, repeated: &BTreeSet<String>) -> ScreenFacts {
    let windows = screen.windows.iter().filter(|it| it.kind == WindowKind::Toast).cloned();
    facts_of(&Screen { windows: windows.collect(), ..Screen::default() }, repeated)
}

/// Returns the facts that two runs of one version agree on. What differs between them is noise.
pub fn stable_facts(
    one: &Screen,
    other: &Screen,
    repeated: &BTreeSet<String>,
) -> (ScreenFacts, Vec<String>) {
    let (one, other) = (facts_of(one, repeated), facts_of(other, repeated));
    let noise = one.iter().filter(|(key, value)| other.get(*key) != Some(value));
    let noise: Vec<String> = noise
        .map(|(key, _)| key)
        .chain(other.keys().filter(|key| !one.contains_key(*key)))
        .cloned()
        .collect();
    let stable = one.into_iter().filter(|(key, _)| !noise.contains(key)).collect();
    (stable, noise)
}

fn value_of(text: &str, description: &str, flags: Flags) -> String {
    let mut value = text.to_string();
    if !description.is_empty() && description != text {
        value.push_str(&format!(" [{description}]"));
    }
    if flags.contains(Flags::CHECKED) {
        value.push_str(" (checked)");
    }
    if !flags.contains(Flags::ENABLED) {
        value.push_str(" (disabled)");
    }
    value
}
