//! Reads an element's attributes as the types they should have, through references.

use crate::manifest::attribute_name::AttributeName;
use crate::manifest::sdk;
use crate::resource::{Element, ResourceTable, ResourceValue};

/// Reads attributes and looks references up in the app's resource table.
pub struct AttributeReader<'a> {
    pub table: Option<&'a ResourceTable>,
}

impl AttributeReader<'_> {
    pub fn text(&self, element: &Element, name: AttributeName) -> Option<String> {
        match self.resolved(element, name)? {
            ResourceValue::Text(text) => Some(text.to_string()),
            ResourceValue::Integer(number) => Some(number.to_string()),
            ResourceValue::Boolean(truth) => Some(truth.to_string()),
            ResourceValue::Float(number) => Some(number.to_string()),
            _ => None,
        }
    }

    pub fn integer(&self, element: &Element, name: AttributeName) -> Option<i32> {
        match self.resolved(element, name)? {
            ResourceValue::Integer(number) => Some(number),
            ResourceValue::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    pub fn boolean(&self, element: &Element, name: AttributeName) -> Option<bool> {
        match self.resolved(element, name)? {
            ResourceValue::Boolean(truth) => Some(truth),
            ResourceValue::Integer(number) => Some(number != 0),
            ResourceValue::Text(text) => text.trim().to_ascii_lowercase().parse().ok(),
            _ => None,
        }
    }

    pub fn sdk(&self, element: &Element, name: AttributeName) -> Option<u32> {
        match self.resolved(element, name)? {
            ResourceValue::Integer(level) => u32::try_from(level).ok(),
            ResourceValue::Text(text) => Some(text.parse().unwrap_or_else(|_| sdk::level(&text))),
            _ => None,
        }
    }

    /// Returns the name of a reference, which is not followed.
    pub fn reference(&self, element: &Element, name: AttributeName) -> Option<String> {
        let ResourceValue::Reference(id) = find(element, name)? else { return None };
        let known = self.table.and_then(|table| table.name(*id));
        Some(known.map_or_else(|| format!("@0x{id:08x}"), |name| name.to_string()))
    }

    fn resolved(&self, element: &Element, name: AttributeName) -> Option<ResourceValue> {
        match find(element, name)? {
            ResourceValue::Reference(id) => self.table?.value(*id),
            value => Some(value.clone()),
        }
    }
}

/// Finds an attribute by its id if it has one, whatever its name, and else by its name.
fn find(element: &Element, name: AttributeName) -> Option<&ResourceValue> {
    let attribute = element.attributes.iter().find(|attribute| match attribute.id {
        Some(id) => id == name.id,
        None => &*attribute.name == name.text,
    });
    attribute.map(|attribute| &attribute.value)
}
