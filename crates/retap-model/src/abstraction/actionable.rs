//! SwiftHand's and DetReduce's state: the set of actionable widgets, each with its access path from
//! the root and the attribute values that can be seen.

use crate::hash::StableHasher;
use crate::screen::{Screen, WidgetRef};
use crate::widget::Flags;
use std::collections::BTreeSet;

pub fn hash(screen: &Screen) -> u64 {
    // A set: equal widgets count once and their order does not matter.
    let widgets: BTreeSet<u64> = screen.actionable().map(|widget| hash_widget(&widget)).collect();
    let mut hasher = StableHasher::new("actionable");
    hasher.str(&screen.activity);
    for widget in widgets {
        hasher.u64(widget);
    }
    hasher.finish()
}

fn hash_widget(widget: &WidgetRef<'_>) -> u64 {
    let mut hasher = StableHasher::new("widget");
    hasher.u64(widget.window().kind as u64);
    // The path by classes and positions: moving a widget elsewhere makes it another.
    let widgets = &widget.window().widgets;
    let mut index = widget.index;
    loop {
        let depth = widgets[index].depth;
        let siblings = widgets[..index]
            .iter()
            .rev()
            .take_while(|w| w.depth >= depth)
            .filter(|w| w.depth == depth)
            .count();
        hasher.str(&widgets[index].class).u64(siblings as u64);
        match widgets[..index].iter().rposition(|w| w.depth < depth) {
            Some(parent) => index = parent,
            None => break,
        }
    }
    let widget = widget.widget();
    hasher.u64((widget.flags - Flags::FOCUSED).bits().into());
    hasher.str(&widget.id).str(&widget.description);
    if !widget.has(Flags::EDITABLE) {
        hasher.str(&widget.text);
    }
    hasher.finish()
}
