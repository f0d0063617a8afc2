//! Reading an element's attributes as the types they should have, through references.

use crate::manifest::attribute::Name;
use crate::manifest::sdk;
use crate::resource::{Element, ResourceTable, Value};

pub struct Values<'a> {
    pub table: Option<&'a ResourceTable>,
}

impl Values<'_> {
    pub fn text(&self, element: &Element, name: Name) -> Option<String> {
        match self.resolved(element, name)? {
            Value::Text(text) => Some(text.to_string()),
            Value::Integer(number) => Some(number.to_string()),
            Value::Boolean(truth) => Some(truth.to_string()),
            Value::Float(number) => Some(number.to_string()),
            _ => None,
        }
    }

    pub fn integer(&self, element: &Element, name: Name) -> Option<i32> {
        match self.resolved(element, name)? {
            Value::Integer(number) => Some(number),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    pub fn boolean(&self, element: &Element, name: Name) -> Option<bool> {
        match self.resolved(element, name)? {
            Value::Boolean(truth) => Some(truth),
            Value::Integer(number) => Some(number != 0),
            Value::Text(text) => text.trim().to_ascii_lowercase().parse().ok(),
            _ => None,
        }
    }

    pub fn sdk(&self, element: &Element, name: Name) -> Option<u32> {
        match self.resolved(element, name)? {
            Value::Integer(level) => u32::try_from(level).ok(),
            Value::Text(text) => Some(text.parse().unwrap_or_else(|_| sdk::level(&text))),
            _ => None,
        }
    }

    /// A reference by its name, not followed.
    pub fn reference(&self, element: &Element, name: Name) -> Option<String> {
        let Value::Reference(id) = find(element, name)? else { return None };
        let known = self.table.and_then(|table| table.name(*id));
        Some(known.map_or_else(|| format!("@0x{id:08x}"), |name| name.to_string()))
    }

    fn resolved(&self, element: &Element, name: Name) -> Option<Value> {
        match find(element, name)? {
            Value::Reference(id) => self.table?.value(*id),
            value => Some(value.clone()),
        }
    }
}

/// By id where the attribute has one, whatever it is called; by name otherwise.
fn find(element: &Element, name: Name) -> Option<&Value> {
    let attribute = element.attributes.iter().find(|attribute| match attribute.id {
        Some(id) => id == name.id,
        None => &*attribute.name == name.text,
    });
    attribute.map(|attribute| &attribute.value)
}
