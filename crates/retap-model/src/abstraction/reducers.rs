//! ATUA's states: a set of attribute valuation maps over interactive widgets, each with its
//! cardinality (one or many). Five levels, each telling more widgets apart than the one before:
//! L1 all attributes but text and children; L2 + text; L3 + whether there are children; L4 = L2 with
//! the children at L1; L5 = L2 with the children at L2.

use crate::hash::StableHasher;
use crate::screen::{Screen, Window};
use crate::widget::{Flags, children};
use std::collections::BTreeMap;

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

    /// The next finer level, if there is one.
    pub fn finer(self) -> Option<Level> {
        Self::ALL.into_iter().find(|&level| level > self)
    }
}

pub fn hash(screen: &Screen, level: Level) -> u64 {
    let mut maps: BTreeMap<u64, u32> = BTreeMap::new();
    for (_, window) in screen.reachable() {
        for index in 0..window.widgets.len() {
            if window.widgets[index].is_actionable() {
                *maps.entry(valuation(window, index, level)).or_default() += 1;
            }
        }
    }
    let mut hasher = StableHasher::new("reducers");
    hasher.str(&screen.activity);
    hasher.u64(screen.front().map_or(u64::MAX, |window| window.kind as u64));
    for (map, count) in maps {
        let many = count > 1;
        hasher.u64(map).u64(many.into());
    }
    hasher.finish()
}

/// One attribute valuation map.
fn valuation(window: &Window, index: usize, level: Level) -> u64 {
    const REDUCED: Flags = Flags::PASSWORD
        .union(Flags::CLICKABLE)
        .union(Flags::LONG_CLICKABLE)
        .union(Flags::SCROLLABLE)
        .union(Flags::CHECKED)
        .union(Flags::ENABLED)
        .union(Flags::SELECTED)
        .union(Flags::EDITABLE);
    let widget = &window.widgets[index];
    let mut hasher = StableHasher::new("valuation");
    hasher.str(&widget.id).str(&widget.class).str(&widget.description);
    hasher.u64(widget.flags.intersection(REDUCED).bits().into());
    if level >= Level::L2 {
        hasher.str(&widget.text);
    }
    match level {
        Level::L1 | Level::L2 => {}
        Level::L3 => {
            hasher.u64(children(&window.widgets, index).next().is_some().into());
        }
        Level::L4 | Level::L5 => {
            let of_children = if level == Level::L4 { Level::L1 } else { Level::L2 };
            for child in children(&window.widgets, index) {
                hasher.u64(valuation(window, child, of_children));
            }
        }
    }
    hasher.finish()
}
