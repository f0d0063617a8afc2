//! ATUA's states: a set of attribute valuation maps over interactive widgets, each with its
//! cardinality (one or many). There are five levels, and each distinguishes more widgets than the
//! one before: L1 all attributes but text and children; L2 + text; L3 + whether there are children;
//! L4 = L2 with the children at L1; L5 = L2 with the children at L2.

use crate::hash::StableHasher;
use crate::screen::{Screen, Window};
use crate::widget::{Flags, children};

/// The granularity with which ATUA distinguishes widgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    L1,
    L2,
    L3,
    L4,
    L5,
}

impl Level {
    pub const ALL: [Level; 5] = [Level::L1, Level::L2, Level::L3, Level::L4, Level::L5];

    /// Returns the next finer level, if there is one.
    pub fn finer(self) -> Option<Level> {
        Self::ALL.into_iter().find(|&level| level > self)
    }
}

pub fn hash(screen: &Screen, level: Level) -> u64 {
    let mut hasher = StableHasher::new("");
    let mut maps = Vec::new();
    for (_, window) in screen.reachable() {
        for index in 0..window.widgets.len() {
            if window.widgets[index].is_actionable() {
                maps.push(valuation(window, index, level, &mut hasher));
            }
        }
    }
    maps.sort_unstable();
    hasher.restart("reducers").str(&screen.activity);
    hasher.u64(screen.front().map_or(u64::MAX, |window| window.kind as u64));
    for equal in maps.chunk_by(|a, b| a == b) {
        let many = equal.len() > 1;
        hasher.u64(equal[0]).u64(many.into());
    }
    hasher.finish()
}

/// Returns the hash of a widget's attribute valuation map: equal for widgets that the level does not tell apart.
pub fn valuation_of(window: &Window, index: usize, level: Level) -> u64 {
    valuation(window, index, level, &mut StableHasher::new(""))
}

fn valuation(window: &Window, index: usize, level: Level, hasher: &mut StableHasher) -> u64 {
    const REDUCED: Flags = Flags::PASSWORD
        .union(Flags::CLICKABLE)
        .union(Flags::LONG_CLICKABLE)
        .union(Flags::SCROLLABLE)
        .union(Flags::CHECKED)
        .union(Flags::ENABLED)
        .union(Flags::SELECTED)
        .union(Flags::EDITABLE);
    let of_children = match level {
        Level::L1 | Level::L2 | Level::L3 => None,
        Level::L4 => Some(Level::L1),
        Level::L5 => Some(Level::L2),
    };
    let below: Vec<u64> = of_children.map_or_else(Vec::new, |level| {
        let children = children(&window.widgets, index);
        children.map(|child| valuation(window, child, level, hasher)).collect()
    });
    let widget = &window.widgets[index];
    hasher.restart("valuation").str(&widget.id).str(&widget.class).str(&widget.description);
    hasher.u64(widget.flags.intersection(REDUCED).bits().into());
    if level >= Level::L2 {
        hasher.str(&widget.text);
    }
    if level == Level::L3 {
        hasher.u64(children(&window.widgets, index).next().is_some().into());
    }
    for child in below {
        hasher.u64(child);
    }
    hasher.finish()
}
