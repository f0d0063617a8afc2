//! SwiftHand's and DetReduce's state: the set of actionable widgets, each with its access path from
//! the root and its visible attribute values.

use crate::hash::StableHasher;
use crate::screen::{Screen, Window};
use crate::widget::Flags;

pub fn hash(screen: &Screen) -> u64 {
    let mut widgets = Vec::new();
    for (_, window) in screen.reachable() {
        hash_widgets(window, &mut widgets);
    }
    // The state is a set: equal widgets count once, and their order does not matter.
    widgets.sort_unstable();
    widgets.dedup();
    let mut hasher = StableHasher::new("actionable");
    hasher.str(&screen.activity);
    widgets.into_iter().for_each(|widget| {
        hasher.u64(widget);
    });
    hasher.finish()
}

/// A level of the tree above a widget: the path of its parent and the number of earlier siblings.
#[derive(Clone, Copy, Default)]
struct Level {
    parent: u64,
    siblings: u64,
}

fn hash_widgets(window: &Window, widgets: &mut Vec<u64>) {
    let mut levels: Vec<Level> = Vec::new();
    let mut hasher = StableHasher::new("");
    for widget in &window.widgets {
        // A hostile tree may skip levels. The skipped ones count as nameless.
        levels.resize(usize::from(widget.depth) + 1, Level::default());
        let level = &mut levels[usize::from(widget.depth)];
        // The path consists of classes and positions, so a widget that moves elsewhere is another
        // one.
        hasher.restart("path").u64(level.parent).u64(level.siblings).str(&widget.class);
        level.siblings += 1;
        let path = hasher.finish();
        levels.push(Level { parent: path, siblings: 0 });
        if !widget.is_actionable() {
            continue;
        }
        hasher.restart("widget").u64(window.kind as u64).u64(path);
        hasher.u64((widget.flags - Flags::TRANSIENT).bits().into());
        hasher.str(&widget.id).str(&widget.description);
        if !widget.has(Flags::EDITABLE) {
            hasher.str(&widget.text);
        }
        widgets.push(hasher.finish());
    }
}
