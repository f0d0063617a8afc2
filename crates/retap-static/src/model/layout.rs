//! Widgets from XML: layouts with their includes, menus, preference screens.

use retap_apk::{Apk, Attribute, Element, ResourceValue};

use super::WindowWidget;
use crate::program::ResourceNames;

/// Layouts include layouts. A deeper chain is a circle.
const MAX_INCLUDES: usize = 12;

/// Reads XML resources by name.
pub struct LayoutReader<'a> {
    pub apk: &'a Apk,
    pub names: &'a ResourceNames,
}

impl LayoutReader<'_> {
    /// Returns the widgets of `@layout/main`, `@menu/main` or `@xml/preferences`.
    pub fn widgets(&self, name: &str) -> Vec<WindowWidget> {
        self.root(name).map(|root| self.read(&root, 0)).unwrap_or_default()
    }

    pub fn root(&self, name: &str) -> Option<Element> {
        let table = self.apk.resources()?;
        let ResourceValue::Text(path) = table.value(self.names.id(name)?)? else { return None };
        self.apk.xml(&path).ok().flatten()
    }

    /// Returns the classes of the fragments that a layout, or a navigation graph, names.
    pub fn fragments(&self, element: &Element, found: &mut Vec<String>) {
        if matches!(&*element.name, "fragment" | "androidx.fragment.app.FragmentContainerView") {
            let class = self.text(element, "name").or_else(|| self.text(element, "class"));
            found.extend(class.filter(|class| class.contains('.')));
            if let Some(graph) = self.reference(element, "navGraph").and_then(|it| self.root(&it)) {
                self.fragments(&graph, found);
            }
        }
        for child in &element.children {
            self.fragments(child, found);
        }
    }

    fn read(&self, element: &Element, depth: usize) -> Vec<WindowWidget> {
        let children = |depth| {
            element.children.iter().flat_map(|child| self.read(child, depth)).collect::<Vec<_>>()
        };
        match &*element.name {
            _ if depth > MAX_INCLUDES * 8 => Vec::new(),
            "include" | "ViewStub" => {
                let Some(layout) = self.reference(element, "layout") else { return Vec::new() };
                let root = self.root(&layout);
                let mut widgets = root.map(|root| self.read(&root, depth + 8)).unwrap_or_default();
                // An include may give the root of what it includes another id.
                if let (Some(id), [widget]) = (self.reference(element, "id"), &mut widgets[..]) {
                    widget.id = Some(id);
                }
                widgets
            }
            "merge" | "layout" | "menu" | "group" | "PreferenceScreen" | "PreferenceCategory" => {
                children(depth + 1)
            }
            "data" | "requestFocus" | "intent" | "extra" | "variable" | "import" | "tag" => {
                Vec::new()
            }
            name => {
                let class = match name {
                    "view" => self.text(element, "class").unwrap_or_else(|| "View".to_owned()),
                    name => name.to_owned(),
                };
                let text =
                    ["text", "title", "hint", "label"].iter().find_map(|it| self.text(element, it));
                let is_linear = name.ends_with("LinearLayout") || name.ends_with("RadioGroup");
                vec![WindowWidget {
                    id: self.reference(element, "id").or_else(|| self.text(element, "key")),
                    text,
                    description: self.text(element, "contentDescription"),
                    on_click: self.text(element, "onClick"),
                    horizontal: (is_linear && self.integer(element, "orientation") != Some(1))
                        || name.ends_with("TableRow"),
                    children: children(depth + 1),
                    class,
                }]
            }
        }
    }

    fn attribute<'e>(&self, element: &'e Element, name: &str) -> Option<&'e Attribute> {
        element.attributes.iter().find(|attribute| &*attribute.name == name)
    }

    pub fn text(&self, element: &Element, name: &str) -> Option<String> {
        match &self.attribute(element, name)?.value {
            ResourceValue::Text(text) => Some(text.to_string()),
            ResourceValue::Reference(id) => self.string(*id),
            ResourceValue::Integer(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Returns the text of `@string/…`, or the reference itself if it is the framework's.
    pub fn string(&self, id: u32) -> Option<String> {
        match self.apk.resources()?.value(id) {
            Some(ResourceValue::Text(text)) => Some(text.to_string()),
            _ => framework_string(id).map(str::to_owned),
        }
    }

    fn integer(&self, element: &Element, name: &str) -> Option<i32> {
        match self.attribute(element, name)?.value {
            ResourceValue::Integer(number) => Some(number),
            _ => None,
        }
    }

    pub fn reference(&self, element: &Element, name: &str) -> Option<String> {
        match self.attribute(element, name)?.value {
            ResourceValue::Reference(id) => Some(self.id_name(id)),
            _ => None,
        }
    }

    pub fn id_name(&self, id: u32) -> String {
        let known = self.names.name(id).map(str::to_owned);
        known
            .or_else(|| framework_id(id).map(str::to_owned))
            .unwrap_or_else(|| format!("@{id:#010x}"))
    }
}

/// Ids of the framework that apps use most.
fn framework_id(id: u32) -> Option<&'static str> {
    Some(match id {
        0x0102_000a => "@android:id/list",
        0x0102_0004 => "@android:id/empty",
        0x0102_0002 => "@android:id/content",
        0x0102_0014 => "@android:id/text1",
        0x0102_0015 => "@android:id/text2",
        0x0102_002c => "@android:id/home",
        0x0102_0012 => "@android:id/tabhost",
        _ => return None,
    })
}

fn framework_string(id: u32) -> Option<&'static str> {
    Some(match id {
        0x0104_000a => "OK",
        0x0104_0000 => "Cancel",
        0x0104_0013 => "Yes",
        0x0104_0009 => "No",
        _ => return None,
    })
}
