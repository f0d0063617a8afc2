//! Widgets from XML: layouts with their includes, menus, preference screens.

mod named;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use retap_apk::{Apk, Attribute, Element, ResourceValue};

use super::WindowWidget;
use crate::program::ResourceNames;

pub use named::{NamedClasses, XmlIntent};

/// Layouts include layouts. A deeper chain is a circle.
const MAX_INCLUDES: usize = 12;
/// Elements lie in elements. A layout that is deeper than this is broken.
pub const MAX_LEVELS: usize = 100;
/// A layout with more widgets than this, its includes unfolded, is a bomb.
const MAX_WIDGETS: usize = 20_000;

/// Reads XML resources by name.
pub struct LayoutReader<'a> {
    pub apk: &'a Apk,
    pub names: &'a ResourceNames,
    /// What was read before, by name: one root for each configuration.
    roots: RefCell<BTreeMap<String, Rc<Vec<Element>>>>,
    /// Elements that may still be read for the layout at hand.
    budget: Cell<usize>,
}

impl<'a> LayoutReader<'a> {
    pub fn new(apk: &'a Apk, names: &'a ResourceNames) -> Self {
        LayoutReader { apk, names, roots: RefCell::default(), budget: Cell::new(MAX_WIDGETS) }
    }

    /// Returns the widgets of `@layout/main`, `@menu/main` or `@xml/preferences`: those of the default configuration, and
    /// whatever only others have.
    pub fn widgets(&self, name: &str) -> Vec<WindowWidget> {
        self.budget.set(MAX_WIDGETS);
        let roots = self.roots(name);
        let mut widgets = roots.first().map(|root| self.read(root, 0, 0)).unwrap_or_default();
        let mut known = BTreeSet::new();
        widgets.iter().for_each(|it| it.collect_ids(&mut known));
        for root in roots.iter().skip(1) {
            for widget in self.read(root, 0, 0).into_iter().flat_map(WindowWidget::flattened) {
                if widget.id.as_ref().is_some_and(|id| known.insert(id.clone())) {
                    widgets.push(widget);
                }
            }
        }
        widgets
    }

    pub fn is_preferences(&self, name: &str) -> bool {
        self.roots(name).first().is_some_and(|it| it.name.ends_with("PreferenceScreen"))
    }

    /// Returns the roots of an XML resource, one for each configuration, the plainest first.
    pub fn roots(&self, name: &str) -> Rc<Vec<Element>> {
        if let Some(known) = self.roots.borrow().get(name) {
            return known.clone();
        }
        let files = self.names.files(name).iter();
        let roots = Rc::new(files.filter_map(|file| self.apk.xml(file).ok().flatten()).collect());
        self.roots.borrow_mut().insert(name.to_owned(), Rc::clone(&roots));
        roots
    }

    /// Returns the layouts, menus and navigation graphs that an element's attributes name.
    fn referred(&self, element: &Element) -> Vec<String> {
        let values = element.attributes.iter().filter_map(|it| match it.value {
            ResourceValue::Reference(id) => self.names.name(id),
            _ => None,
        });
        let is_xml = |name: &&str| {
            ["@layout/", "@menu/", "@navigation/"].iter().any(|kind| name.starts_with(kind))
        };
        values.filter(is_xml).map(str::to_owned).collect()
    }

    fn read(&self, element: &Element, includes: usize, level: usize) -> Vec<WindowWidget> {
        let Some(left) = self.budget.get().checked_sub(1) else { return Vec::new() };
        self.budget.set(left);
        if includes > MAX_INCLUDES || level > MAX_LEVELS {
            return Vec::new();
        }
        let referred = || {
            let names = self.referred(element).into_iter().filter(|it| !it.starts_with("@nav"));
            let roots = names.filter_map(|name| self.roots(&name).first().cloned());
            roots.flat_map(|root| self.read(&root, includes + 1, level + 1)).collect::<Vec<_>>()
        };
        let children = || {
            let own = element.children.iter().flat_map(|it| self.read(it, includes, level + 1));
            own.collect::<Vec<_>>()
        };
        match &*element.name {
            "include" | "ViewStub" => {
                let mut widgets = referred();
                // An include may give the root of what it includes another id.
                if let (Some(id), [widget]) = (self.reference(element, "id"), &mut widgets[..]) {
                    widget.id = Some(id);
                }
                widgets
            }
            "merge" | "layout" | "menu" | "group" | "PreferenceScreen" | "PreferenceCategory" => {
                children()
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
                    children: [children(), referred()].concat(),
                    class,
                }]
            }
        }
    }

    /// Returns a class with its package: a name that begins with a dot lies in the app's.
    pub fn whole_name(&self, name: &str) -> String {
        let package = if name.starts_with('.') { &*self.apk.manifest.package } else { "" };
        format!("{package}{name}")
    }

    fn attribute<'e>(element: &'e Element, name: &str) -> Option<&'e Attribute> {
        element.attributes.iter().find(|attribute| &*attribute.name == name)
    }

    pub fn text(&self, element: &Element, name: &str) -> Option<String> {
        match &Self::attribute(element, name)?.value {
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

    /// Returns the texts of `@array/…`; none if one of its items is no text.
    pub fn array(&self, id: u32) -> Vec<String> {
        let bag = self.apk.resources().and_then(|table| table.bag(id));
        let items = bag.map(|bag| bag.items).unwrap_or_default();
        let text = |value: &ResourceValue| match value {
            ResourceValue::Text(text) => Some(text.to_string()),
            ResourceValue::Reference(id) => self.string(*id),
            _ => None,
        };
        items.iter().map(|(_, value)| text(value)).collect::<Option<_>>().unwrap_or_default()
    }

    fn integer(&self, element: &Element, name: &str) -> Option<i32> {
        match Self::attribute(element, name)?.value {
            ResourceValue::Integer(number) => Some(number),
            _ => None,
        }
    }

    pub fn reference(&self, element: &Element, name: &str) -> Option<String> {
        match Self::attribute(element, name)?.value {
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
