//! Writes binary XML.

use std::collections::BTreeMap;

use super::{Typed, chunk, halves, utf8_pool, value_bytes, words};

/// An XML element to write.
#[derive(Debug, Clone)]
pub struct XmlNode {
    name: String,
    attributes: Vec<(String, u32, Typed)>,
    children: Vec<XmlNode>,
}

impl XmlNode {
    pub fn new(name: &str) -> Self {
        XmlNode { name: name.to_owned(), attributes: Vec::new(), children: Vec::new() }
    }

    /// Adds an attribute; id 0 stands for one that the resource map does not list.
    pub fn with(mut self, name: &str, id: u32, value: Typed) -> Self {
        self.attributes.push((name.to_owned(), id, value));
        self
    }

    pub fn child(mut self, child: XmlNode) -> Self {
        self.children.push(child);
        self
    }
}

/// Returns the binary XML of a tree.
pub fn xml(root: &XmlNode) -> Vec<u8> {
    let mut writer = XmlWriter::default();
    // Attributes with an id come first in the pool: the resource map is parallel to it.
    writer.collect_ids(root);
    let ids: Vec<u8> = writer.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    writer.element(root);
    let strings: Vec<&str> = writer.strings.iter().map(String::as_str).collect();
    let mut body = utf8_pool(&strings);
    body.extend(chunk(0x0180, &[], &ids));
    body.extend(writer.body);
    chunk(0x0003, &[], &body)
}

#[derive(Default)]
struct XmlWriter {
    strings: Vec<String>,
    ids: Vec<u32>,
    by_id: BTreeMap<u32, u32>,
    body: Vec<u8>,
}

impl XmlWriter {
    fn collect_ids(&mut self, node: &XmlNode) {
        for (name, id, _) in &node.attributes {
            if *id != 0 && !self.by_id.contains_key(id) {
                self.by_id.insert(*id, self.ids.len() as u32);
                self.ids.push(*id);
                self.strings.push(name.clone());
            }
        }
        node.children.iter().for_each(|child| self.collect_ids(child));
    }

    fn string(&mut self, text: &str) -> u32 {
        let known = self.strings.iter().skip(self.ids.len()).position(|known| known == text);
        let index = known.map_or(self.strings.len(), |index| index + self.ids.len());
        if index == self.strings.len() {
            self.strings.push(text.to_owned());
        }
        index as u32
    }

    fn element(&mut self, node: &XmlNode) {
        let name = self.string(&node.name);
        let mut start = words(&[u32::MAX, name]);
        start.extend(halves(&[20, 20, node.attributes.len() as u16, 0, 0, 0]));
        for (attribute, id, value) in &node.attributes {
            let attribute = match self.by_id.get(id) {
                Some(index) => *index,
                None => self.string(attribute),
            };
            let (raw, kind, data) = match value {
                Typed::Text(text) => {
                    let index = self.string(text);
                    (index, 0x03, index)
                }
                Typed::Raw { kind, data } => (u32::MAX, *kind, *data),
            };
            start.extend(words(&[u32::MAX, attribute, raw]));
            start.extend(value_bytes(kind, data));
        }
        self.body.extend(chunk(0x0102, &words(&[1, u32::MAX]), &start));
        node.children.iter().for_each(|child| self.element(child));
        self.body.extend(chunk(0x0103, &words(&[1, u32::MAX]), &words(&[u32::MAX, name])));
    }
}
