//! What XML names besides widgets: classes, methods, intents.

use std::collections::BTreeSet;

use retap_apk::Element;

use super::{LayoutReader, MAX_LEVELS};

/// Classes that XML names, as `com.example.Chart`.
#[derive(Debug, Default)]
pub struct NamedClasses {
    pub fragments: BTreeSet<String>,
    /// Views, preferences, and what shows the items of menus.
    pub widgets: BTreeSet<String>,
    /// Navigation graphs, as `@navigation/main`.
    pub graphs: BTreeSet<String>,
}

/// An intent that a preference sends by itself.
#[derive(Debug)]
pub struct XmlIntent {
    /// The preference's key.
    pub widget: Option<String>,
    pub class: Option<String>,
    pub action: Option<String>,
}

impl LayoutReader<'_> {
    /// Adds the classes that a layout, menu, preference screen or navigation graph names, and those of what it refers to.
    pub fn classes(&self, name: &str, found: &mut NamedClasses) {
        self.classes_of(name, found, &mut BTreeSet::new());
    }

    fn classes_of(&self, name: &str, found: &mut NamedClasses, seen: &mut BTreeSet<String>) {
        if !seen.insert(name.to_owned()) {
            return;
        }
        if name.starts_with("@navigation/") {
            found.graphs.insert(name.to_owned());
        }
        for root in self.roots(name).iter() {
            self.classes_in(root, found, seen, 0);
        }
    }

    fn classes_in(
        &self,
        element: &Element,
        found: &mut NamedClasses,
        seen: &mut BTreeSet<String>,
        level: usize,
    ) {
        if level > MAX_LEVELS {
            return;
        }
        let is_fragment =
            element.name.ends_with("fragment") || element.name.ends_with("FragmentContainerView");
        let attribute = |names: &[&str]| names.iter().find_map(|it| self.text(element, it));
        if is_fragment {
            let name = attribute(&["name", "class"]);
            found.fragments.extend(name.map(|it| self.whole_name(&it)));
        } else if element.name.contains('.') {
            found.widgets.insert(element.name.to_string());
        } else if &*element.name == "view" {
            found.widgets.extend(attribute(&["class"]));
        }
        found.widgets.extend(attribute(&["actionViewClass", "actionProviderClass"]));
        // A preference may open a fragment.
        found.fragments.extend(attribute(&["fragment"]));
        for name in self.referred(element) {
            self.classes_of(&name, found, seen);
        }
        for child in &element.children {
            self.classes_in(child, found, seen, level + 1);
        }
    }

    /// Returns the methods that `android:onClick` names in any layout or menu.
    pub fn named_handlers(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for kind in ["@layout/", "@menu/"] {
            for name in self.names.beginning(kind) {
                self.roots(name).iter().for_each(|root| self.handlers_in(root, 0, &mut found));
            }
        }
        found
    }

    fn handlers_in(&self, element: &Element, level: usize, found: &mut BTreeSet<String>) {
        found.extend(self.text(element, "onClick"));
        for child in element.children.iter().filter(|_| level < MAX_LEVELS) {
            self.handlers_in(child, level + 1, found);
        }
    }

    /// Returns the intents that preferences of a screen send by themselves.
    pub fn intents(&self, name: &str) -> Vec<XmlIntent> {
        let mut found = Vec::new();
        for root in self.roots(name).iter() {
            self.intents_in(root, 0, &mut found);
        }
        found
    }

    fn intents_in(&self, element: &Element, level: usize, found: &mut Vec<XmlIntent>) {
        for child in element.children.iter().filter(|_| level < MAX_LEVELS) {
            if &*child.name == "intent" {
                found.push(XmlIntent {
                    widget: self.text(element, "key"),
                    class: self.text(child, "targetClass"),
                    action: self.text(child, "action"),
                });
            }
            self.intents_in(child, level + 1, found);
        }
    }
}
