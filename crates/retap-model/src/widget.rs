//! One node of a window's widget tree. Trees are stored flat, in pre-order with depths. Devices
//! send them in this form, hashes and files use it, and nothing has to recurse.

use crate::geometry::Rect;
use serde::{Deserialize, Serialize};

bitflags::bitflags! {
    /// The properties of a widget, as accessibility describes them. The bit positions are part of
    /// the agent's protocol and of state ids: append, never reorder.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Flags: u32 {
        const CLICKABLE = 1 << 0;
        const LONG_CLICKABLE = 1 << 1;
        const SCROLLABLE = 1 << 2;
        const CHECKABLE = 1 << 3;
        const CHECKED = 1 << 4;
        const ENABLED = 1 << 5;
        const SELECTED = 1 << 6;
        const FOCUSABLE = 1 << 7;
        const FOCUSED = 1 << 8;
        const PASSWORD = 1 << 9;
        const EDITABLE = 1 << 10;
        const VISIBLE = 1 << 11;
        /// Part of the text is invisible, and nothing says that this is intended.
        const TEXT_CUT = 1 << 12;
        /// Part of the widget or its content lies where nobody can see it or scroll to it.
        const OFF_SCREEN = 1 << 13;
        /// Some children are left out, because the device cannot tell so many.
        const CHILDREN_CUT = 1 << 14;
    }
}

impl Flags {
    /// Flags that belong to the moment or to the display and not to the app's state. Focus moves
    /// with every touch, and the size of the screen decides what fits.
    pub const TRANSIENT: Flags = Flags::FOCUSED.union(Flags::TEXT_CUT).union(Flags::OFF_SCREEN);
}

/// The names that files use, in bit order.
pub const FLAG_NAMES: [(&str, Flags); 15] = [
    ("clickable", Flags::CLICKABLE),
    ("long-clickable", Flags::LONG_CLICKABLE),
    ("scrollable", Flags::SCROLLABLE),
    ("checkable", Flags::CHECKABLE),
    ("checked", Flags::CHECKED),
    ("enabled", Flags::ENABLED),
    ("selected", Flags::SELECTED),
    ("focusable", Flags::FOCUSABLE),
    ("focused", Flags::FOCUSED),
    ("password", Flags::PASSWORD),
    ("editable", Flags::EDITABLE),
    ("visible", Flags::VISIBLE),
    ("text-cut", Flags::TEXT_CUT),
    ("off-screen", Flags::OFF_SCREEN),
    ("children-cut", Flags::CHILDREN_CUT),
];

/// Writes the names of the set flags, in bit order: `"clickable enabled visible"`.
impl Serialize for Flags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<&str> =
            FLAG_NAMES.iter().filter(|(_, flag)| self.contains(*flag)).map(|(n, _)| *n).collect();
        serializer.serialize_str(&names.join(" "))
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let mut flags = Flags::empty();
        for name in text.split_whitespace() {
            match FLAG_NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, flag)) => flags |= *flag,
                None => return Err(serde::de::Error::custom(format!("unknown flag {name:?}"))),
            }
        }
        Ok(flags)
    }
}

/// One node of a window's widget tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Widget {
    /// Zero for the root of a window.
    pub depth: u16,
    pub class: String,
    /// `package:id/name`, or empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The visible part, in pixels of the screen.
    pub bounds: Rect,
    pub flags: Flags,
}

impl Widget {
    /// Returns true if all these flags are set.
    pub fn has(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }

    /// Returns true if the widget is visible, enabled, and has an area on the screen to touch.
    pub fn is_live(&self) -> bool {
        self.has(Flags::VISIBLE | Flags::ENABLED) && !self.bounds.is_empty()
    }

    /// Returns true if the widget is live and an event on it may have an effect.
    pub fn is_actionable(&self) -> bool {
        const WAYS: Flags = Flags::CLICKABLE
            .union(Flags::LONG_CLICKABLE)
            .union(Flags::SCROLLABLE)
            .union(Flags::CHECKABLE)
            .union(Flags::EDITABLE);
        self.is_live() && self.flags.intersects(WAYS)
    }

    /// Returns the part of the resource id after `id/`, which survives a renamed package.
    pub fn short_id(&self) -> &str {
        self.id.rsplit_once('/').map_or(self.id.as_str(), |(_, name)| name)
    }

    /// Returns the class without its package.
    pub fn short_class(&self) -> &str {
        self.class.rsplit(['.', '$']).next().unwrap_or(&self.class)
    }
}

/// Returns the indices of the children of `parent` in a pre-order list.
pub fn children(widgets: &[Widget], parent: usize) -> impl Iterator<Item = usize> + '_ {
    let depth = widgets[parent].depth;
    (parent + 1..widgets.len())
        .take_while(move |&i| widgets[i].depth > depth)
        .filter(move |&i| widgets[i].depth == depth + 1)
}

/// Returns the indices of the widgets around a widget in a pre-order list, the innermost first.
pub fn ancestors(widgets: &[Widget], index: usize) -> impl Iterator<Item = usize> + '_ {
    let mut depth = widgets[index].depth;
    (0..index).rev().filter(move |&i| {
        let is_around = widgets[i].depth < depth;
        depth = depth.min(widgets[i].depth);
        is_around
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(depth: u16) -> Widget {
        Widget { depth, ..Widget::default() }
    }

    #[test]
    fn children_are_one_level_down_and_inside_the_subtree() {
        let tree = [at(0), at(1), at(2), at(1), at(2), at(2)];
        assert_eq!(children(&tree, 0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(children(&tree, 3).collect::<Vec<_>>(), [4, 5]);
        assert_eq!(children(&tree, 5).count(), 0);
    }

    #[test]
    fn ancestors_lead_from_the_inside_out() {
        let tree = [at(0), at(1), at(2), at(1), at(2), at(2)];
        assert_eq!(ancestors(&tree, 5).collect::<Vec<_>>(), [3, 0]);
        assert_eq!(ancestors(&tree, 2).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(ancestors(&tree, 0).count(), 0);
    }

    #[test]
    fn flags_read_what_they_write_and_refuse_the_rest() {
        let flags = Flags::CLICKABLE | Flags::VISIBLE;
        let text = serde_json::to_string(&flags).unwrap();
        assert_eq!(text, r#""clickable visible""#);
        assert_eq!(serde_json::from_str::<Flags>(&text).unwrap(), flags);
        assert!(serde_json::from_str::<Flags>(r#""shiny""#).is_err());
    }
}
