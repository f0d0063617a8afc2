//! What a screen says, without places and sizes: the values of widgets with ids, and the texts of the others.

use retap_model::{Flags, Screen};
use std::collections::BTreeMap;

/// The facts of a screen, by widget. Rows of a list share an id and are numbered.
pub type ScreenFacts = BTreeMap<String, String>;

/// Returns the facts of a screen.
pub fn facts_of(screen: &Screen) -> ScreenFacts {
    let mut facts = ScreenFacts::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for window in &screen.windows {
        for widget in window.widgets.iter().filter(|widget| widget.has(Flags::VISIBLE)) {
            let value = value_of(&widget.text, &widget.description, widget.flags);
            let key = match widget.short_id() {
                "" if widget.text.is_empty() && widget.description.is_empty() => continue,
                // A widget without an id is known by its text alone.
                "" => format!("text {value:?}"),
                id => format!("@id/{id}"),
            };
            let number = numbers.entry(key.clone()).or_default();
            *number += 1;
            let key = if *number == 1 { key } else { format!("{key} ({number})") };
            facts.insert(key, value);
        }
    }
    facts
}

/// Returns the facts that two runs of one version agree on. What differs between them is noise.
pub fn stable_facts(one: &Screen, other: &Screen) -> (ScreenFacts, Vec<String>) {
    let (one, other) = (facts_of(one), facts_of(other));
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
