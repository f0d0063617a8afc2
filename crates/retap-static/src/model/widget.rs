//! A widget as the APK states it.

use std::collections::BTreeSet;

use serde::Serialize;

/// A widget as a layout, a menu, a preference screen or code states it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WindowWidget {
    /// `@id/title`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The method that `android:onClick` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_click: Option<String>,
    /// It lays its children out side by side.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub horizontal: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<WindowWidget>,
}

impl WindowWidget {
    /// Adds the ids of the widget and of everything in it, as `@id/title`.
    pub(super) fn collect_ids(&self, ids: &mut BTreeSet<String>) {
        ids.extend(self.id.clone());
        self.children.iter().for_each(|it| it.collect_ids(ids));
    }

    /// Returns the first widget of a class among this one and everything in it.
    pub(super) fn of_class(&self, class: &str) -> Option<&WindowWidget> {
        if self.class == class {
            return Some(self);
        }
        self.children.iter().find_map(|it| it.of_class(class))
    }

    pub(super) fn has_id(&self, id: &str) -> bool {
        self.id.as_deref() == Some(id) || self.children.iter().any(|it| it.has_id(id))
    }

    /// Returns the widget and everything in it, each without its children.
    pub(super) fn flattened(mut self) -> Vec<WindowWidget> {
        let children = std::mem::take(&mut self.children);
        let inner = children.into_iter().flat_map(WindowWidget::flattened);
        std::iter::once(self).chain(inner).collect()
    }
}
