//! Comparing resources by name and configuration: texts, values, styles, layouts and menus; assets and native libraries
//! by their checksums.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use retap_apk::{Apk, ApkError, Attribute, Element, ResourceContent, ResourceEntry, ResourceValue};

use super::{Change, ResourceDiff};
use crate::program::ResourceNames;

/// A changed layout is described by at most this many of its elements.
const MAX_DETAILS: usize = 12;

type ResourceKey = (String, String);

pub fn compare(old: &Apk, new: &Apk) -> Result<Vec<ResourceDiff>, ApkError> {
    let (before, after) = rayon::join(|| describe(old), || describe(new));
    let (before, after) = (before?, after?);
    let all: BTreeSet<&ResourceKey> = before.keys().chain(after.keys()).collect();
    let difference = |key: &ResourceKey| {
        let (change, details) = match (before.get(key), after.get(key)) {
            (Some(one), Some(other)) if one == other => return None,
            (Some(one), Some(other)) => (Change::Modified, details(one, other)),
            (Some(_), None) => (Change::Removed, Vec::new()),
            _ => (Change::New, Vec::new()),
        };
        let (name, configuration) = key.clone();
        Some(ResourceDiff { name, configuration, change, details })
    };
    Ok(all.into_iter().filter_map(difference).collect())
}

/// Returns the lines that only one of two descriptions has.
fn details(old: &[String], new: &[String]) -> Vec<String> {
    let count = |lines: &[String]| {
        let mut counts = BTreeMap::<String, i64>::new();
        for line in lines {
            *counts.entry(line.trim_start().to_owned()).or_default() += 1;
        }
        counts
    };
    let (before, after) = (count(old), count(new));
    let only =
        |lines: &[String], here: &BTreeMap<String, i64>, there: &BTreeMap<String, i64>, sign| {
            let mut seen = BTreeSet::new();
            let mut found = Vec::new();
            for line in lines.iter().map(|line| line.trim_start()) {
                let surplus = here[line] > there.get(line).copied().unwrap_or(0);
                if surplus && seen.insert(line.to_owned()) {
                    found.push(format!("{sign} {line}"));
                }
            }
            found
        };
    let mut lines = only(old, &before, &after, "-");
    lines.extend(only(new, &after, &before, "+"));
    if lines.is_empty() {
        lines.push("the order or nesting of its elements".to_owned());
    }
    let left_out = lines.len().saturating_sub(MAX_DETAILS);
    lines.truncate(MAX_DETAILS);
    if left_out > 0 {
        lines.push(format!("… and {left_out} more"));
    }
    lines
}

/// Returns each resource as lines of text.
fn describe(apk: &Apk) -> Result<BTreeMap<ResourceKey, Vec<String>>, ApkError> {
    let names = ResourceNames::new(apk.resources());
    let entries = match apk.resources() {
        Some(table) => table.entries().map_err(|source| ApkError::BadResources {
            name: apk.path.display().to_string(),
            source,
        })?,
        None => Vec::new(),
    };
    let describe = |entry: &ResourceEntry| {
        let key = (entry.name.to_string(), entry.configuration.to_string());
        Ok((key, content(apk, &entry.content, &names)?))
    };
    let mut all = entries.par_iter().map(describe).collect::<Result<BTreeMap<_, _>, ApkError>>()?;
    // Ids without a value say nothing.
    all.retain(|(name, _), _| !name.starts_with("@id/"));
    for part in &apk.parts {
        let other = part
            .archive
            .entries()
            .filter(|entry| entry.name.starts_with("assets/") || entry.name.starts_with("lib/"));
        for entry in other {
            let line = format!("{} bytes, checksum {:08x}", entry.size, entry.checksum());
            all.insert((entry.name.clone(), String::new()), vec![line]);
        }
    }
    Ok(all)
}

fn content(
    apk: &Apk,
    content: &ResourceContent,
    names: &ResourceNames,
) -> Result<Vec<String>, ApkError> {
    match content {
        ResourceContent::Value(ResourceValue::Text(path)) if path.starts_with("res/") => {
            file(apk, path, names)
        }
        ResourceContent::Value(value) => Ok(vec![value_text(value, names)]),
        ResourceContent::Bag(bag) => {
            let parent = names.name(bag.parent).map(|parent| format!("extends {parent}"));
            let item = |(key, value): &(u32, ResourceValue)| {
                let key = names.name(*key).map_or_else(|| item_key(*key), str::to_owned);
                format!("{key} = {}", value_text(value, names))
            };
            Ok(parent.into_iter().chain(bag.items.iter().map(item)).collect())
        }
    }
}

/// Returns the name of an item that no resource names: its place in an array, or the quantity of a plural.
fn item_key(key: u32) -> String {
    const QUANTITIES: [&str; 6] = ["other", "zero", "one", "two", "few", "many"];
    let quantity = key.checked_sub(0x0100_0004).and_then(|it| QUANTITIES.get(it as usize));
    match (key >> 16, quantity) {
        (0x0200, _) => format!("item {}", key & 0xffff),
        (_, Some(quantity)) => (*quantity).to_owned(),
        _ => format!("{key:#010x}"),
    }
}

/// Describes a file: XML by its elements, anything else by its checksum.
fn file(apk: &Apk, path: &str, names: &ResourceNames) -> Result<Vec<String>, ApkError> {
    let entry = apk.parts.iter().find_map(|part| part.archive.entry(path));
    let Some(entry) = entry else { return Ok(vec!["a file that is not there".to_owned()]) };
    if path.ends_with(".xml")
        && let Ok(Some(root)) = apk.xml(path)
    {
        let mut lines = Vec::new();
        element(&root, 0, names, &mut lines);
        return Ok(lines);
    }
    Ok(vec![format!("{} bytes, checksum {:08x}", entry.size, entry.checksum())])
}

fn element(element: &Element, depth: usize, names: &ResourceNames, lines: &mut Vec<String>) {
    let attribute = |attribute: &Attribute| {
        format!("{}={}", attribute.name, value_text(&attribute.value, names))
    };
    let mut attributes: Vec<String> = element.attributes.iter().map(attribute).collect();
    // The id says most, so it comes first.
    attributes.sort_by_key(|text| (!text.starts_with("id="), text.clone()));
    let line = format!("{}{} {}", "  ".repeat(depth), element.name, attributes.join(" "));
    lines.push(line.trim_end().to_owned());
    for child in &element.children {
        self::element(child, depth + 1, names, lines);
    }
}

fn value_text(value: &ResourceValue, names: &ResourceNames) -> String {
    let named = |id: &u32| names.name(*id).map_or_else(|| format!("@{id:#010x}"), str::to_owned);
    match value {
        ResourceValue::Null => "null".to_owned(),
        ResourceValue::Reference(id) => named(id),
        ResourceValue::ThemeAttribute(id) => named(id).replacen('@', "?", 1),
        ResourceValue::Text(text) => format!("{text:?}"),
        ResourceValue::Integer(number) => number.to_string(),
        ResourceValue::Boolean(truth) => truth.to_string(),
        ResourceValue::Float(number) => number.to_string(),
        ResourceValue::Packed { kind: 0x1c..=0x1f, data } => format!("#{data:08x}"),
        ResourceValue::Packed { kind: 0x05, data } => dimension(*data),
        ResourceValue::Packed { kind, data } => format!("{kind:#x}:{data:#x}"),
    }
}

/// Returns a packed dimension as layouts state it: `16dp`.
fn dimension(data: u32) -> String {
    const UNITS: [&str; 6] = ["px", "dp", "sp", "pt", "in", "mm"];
    const SCALES: [f64; 4] = [1.0, 1.0 / 128.0, 1.0 / 32768.0, 1.0 / 8_388_608.0];
    let mantissa = f64::from(data.cast_signed() >> 8);
    let value = mantissa * SCALES[(data >> 4 & 3) as usize];
    format!("{value}{}", UNITS.get((data & 15) as usize).unwrap_or(&"?"))
}

#[cfg(test)]
mod tests {
    use super::item_key;

    #[test]
    fn items_of_arrays_and_plurals_are_named_as_people_name_them() {
        assert_eq!(item_key(0x0200_0004), "item 4");
        assert_eq!(item_key(0x0100_0006), "one");
        assert_eq!(item_key(0x0101_0095), "0x01010095");
    }
}
