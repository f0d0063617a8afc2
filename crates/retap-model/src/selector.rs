//! Selectors: how an event names its widget, and how the widget is found again when the layout has
//! moved.
//!
//! The rules, in order; the first that leaves exactly one widget decides:
//!   1. same id, class, text, description and path: nothing has changed;
//!   2. same id and class: among those, the same text and description, else the same path, else the
//!      only one there is;
//!   3. without an id: same class with the same text or description, else the same path;
//!   4. with an id that is gone: same class, same non-empty text or description, if that is unique.
//!
//! The path decides between several equal candidates. If it does not, the widget is gone. Only
//! widgets that can be touched now are candidates.

use crate::screen::{Screen, WidgetRef};
use crate::widget::Widget;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The properties by which an event names its widget. Empty ones do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Selector {
    /// Resource id without its package: `add_note`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Child positions from the window's root; see [`WidgetRef::path`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The widget that a selector finds.
#[derive(Debug, Clone, Copy)]
pub struct FoundWidget<'a> {
    pub widget: WidgetRef<'a>,
    /// True if the widget has another path than the selector.
    pub moved: bool,
}

impl Selector {
    /// The longest text that a selector keeps: enough to tell widgets apart, and bounded on disk.
    pub const TEXT_LIMIT: usize = 80;

    /// Returns the selector that names this widget.
    pub fn of(widget: WidgetRef<'_>) -> Self {
        let Widget { class, description, flags, .. } = widget.widget();
        // A typed text does not identify the field.
        let editable = flags.contains(crate::widget::Flags::EDITABLE);
        Self {
            id: widget.widget().short_id().to_string(),
            class: class.clone(),
            text: if editable { String::new() } else { shorten(widget.label()).to_string() },
            description: shorten(description).to_string(),
            path: Some(widget.path()),
        }
    }

    /// Finds the widget on a screen by the rules above.
    pub fn find<'a>(&self, screen: &'a Screen) -> Option<FoundWidget<'a>> {
        let live: Vec<WidgetRef<'a>> = screen
            .reachable()
            .flat_map(|(window, w)| {
                (0..w.widgets.len()).map(move |index| WidgetRef { screen, window, index })
            })
            .filter(|w| w.widget().is_live() && self.class_matches(w.widget()))
            .collect();
        let widget = if self.id.is_empty() {
            self.find_without_id(&live)
        } else {
            let same_id: Vec<_> =
                live.iter().copied().filter(|w| w.widget().short_id() == self.id).collect();
            match same_id.len() {
                0 => self.only_by_label(&live),
                1 => Some(same_id[0]),
                _ => self.tell_apart(&same_id),
            }
        }?;
        let moved = self.path.as_ref().is_some_and(|path| *path != widget.path());
        Some(FoundWidget { widget, moved })
    }

    fn find_without_id<'a>(&self, live: &[WidgetRef<'a>]) -> Option<WidgetRef<'a>> {
        if self.has_label() {
            let labelled = self.labelled(live);
            match labelled.len() {
                0 => None,
                1 => Some(labelled[0]),
                _ => self.by_path(&labelled),
            }
        } else if self.path.is_some() {
            self.by_path(live)
        } else {
            only(live)
        }
    }

    /// Decides between widgets that share the id, as rows of a list do.
    fn tell_apart<'a>(&self, same_id: &[WidgetRef<'a>]) -> Option<WidgetRef<'a>> {
        let labelled = self.labelled(same_id);
        match labelled.len() {
            0 if self.has_label() => None,
            0 => self.by_path(same_id),
            1 => Some(labelled[0]),
            _ => self.by_path(&labelled),
        }
    }

    fn only_by_label<'a>(&self, live: &[WidgetRef<'a>]) -> Option<WidgetRef<'a>> {
        if !self.has_label() {
            return None;
        }
        only(&self.labelled(live))
    }

    fn by_path<'a>(&self, candidates: &[WidgetRef<'a>]) -> Option<WidgetRef<'a>> {
        let path = self.path.as_ref()?;
        let here: Vec<_> = candidates.iter().copied().filter(|w| w.path() == *path).collect();
        only(&here)
    }

    fn class_matches(&self, widget: &Widget) -> bool {
        self.class.is_empty() || widget.class == self.class || widget.short_class() == self.class
    }

    fn has_label(&self) -> bool {
        !self.text.is_empty() || !self.description.is_empty()
    }

    /// Returns the candidates that have the label themselves or, if there are none, those whose
    /// content has it.
    fn labelled<'a>(&self, candidates: &[WidgetRef<'a>]) -> Vec<WidgetRef<'a>> {
        let described = |w: &&WidgetRef<'a>| {
            self.description.is_empty() || shorten(&w.widget().description) == self.description
        };
        let has_text = |text: &str| self.text.is_empty() || shorten(text) == self.text;
        let candidates = candidates.iter().filter(described);
        let own = candidates.clone().filter(|w| has_text(&w.widget().text)).copied();
        let own: Vec<_> = own.collect();
        if own.is_empty() {
            candidates.filter(|w| has_text(w.label())).copied().collect()
        } else {
            own
        }
    }
}

fn only<'a>(candidates: &[WidgetRef<'a>]) -> Option<WidgetRef<'a>> {
    match candidates {
        [one] => Some(*one),
        _ => None,
    }
}

fn shorten(text: &str) -> &str {
    match text.char_indices().nth(Selector::TEXT_LIMIT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

impl Selector {
    /// Returns true if there is a label or an id to call the widget by.
    pub(crate) fn has_name(&self) -> bool {
        self.has_label() || !self.id.is_empty()
    }

    /// Returns the class without its package, or `widget` if there is none.
    pub(crate) fn short_class(&self) -> &str {
        match self.class.rsplit(['.', '$']).next() {
            None | Some("") => "widget",
            Some(class) => class,
        }
    }

    /// Returns the name that [`Event::stable_name`](crate::Event::stable_name) uses.
    pub(crate) fn stable_name(&self) -> String {
        if self.has_name() {
            return self.to_string();
        }
        let class = self.class.rsplit(['.', '$']).next().unwrap_or_default();
        format!("{class} at {}", self.path.as_deref().unwrap_or("?"))
    }
}

/// Writes what a person would call the widget: its label, or else its id, or else its class.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.text.as_str(), self.description.as_str(), self.id.as_str()) {
            ("", "", "") => write!(f, "the {} without a label", self.short_class()),
            ("", "", id) => f.write_str(id),
            ("", description, _) => write!(f, "{description:?}"),
            (text, _, _) => write!(f, "{text:?}"),
        }
    }
}

#[cfg(test)]
mod tests;
