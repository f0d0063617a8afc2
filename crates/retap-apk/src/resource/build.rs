//! Hand-made chunks for the tests of this crate: a small writer of pools, XML and tables.

use std::collections::BTreeMap;

/// An attribute's value before its text has a place in the pool.
#[derive(Clone)]
pub enum Typed {
    Text(String),
    Raw { kind: u8, data: u32 },
}

pub fn text(text: &str) -> Typed {
    Typed::Text(text.to_owned())
}

pub fn reference(id: u32) -> Typed {
    Typed::Raw { kind: 0x01, data: id }
}

pub fn integer(value: u32) -> Typed {
    Typed::Raw { kind: 0x10, data: value }
}

pub fn boolean(value: bool) -> Typed {
    Typed::Raw { kind: 0x12, data: if value { u32::MAX } else { 0 } }
}

#[derive(Clone)]
pub struct Node {
    name: String,
    attributes: Vec<(String, u32, Typed)>,
    children: Vec<Node>,
}

impl Node {
    pub fn new(name: &str) -> Self {
        Node { name: name.to_owned(), attributes: Vec::new(), children: Vec::new() }
    }

    /// An attribute; id 0 for one the resource map does not know.
    pub fn with(mut self, name: &str, id: u32, value: Typed) -> Self {
        self.attributes.push((name.to_owned(), id, value));
        self
    }

    pub fn child(mut self, child: Node) -> Self {
        self.children.push(child);
        self
    }
}

pub fn xml(root: &Node) -> Vec<u8> {
    let mut writer = Writer::default();
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
struct Writer {
    strings: Vec<String>,
    ids: Vec<u32>,
    by_id: BTreeMap<u32, u32>,
    body: Vec<u8>,
}

impl Writer {
    fn collect_ids(&mut self, node: &Node) {
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

    fn element(&mut self, node: &Node) {
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

/// One resource of a table: its entry in the default configuration and, if given, in another.
pub struct Resource {
    pub key: &'static str,
    pub default: Typed,
    pub french: Option<Typed>,
}

/// A table of package 0x7f with one type, `string` (id 1), in up to two configurations.
/// `old_header` leaves out the package's type-id offset, as old versions of aapt do.
pub fn table(resources: &[Resource], old_header: bool) -> Vec<u8> {
    let mut strings = Vec::new();
    let mut typed = |value: &Typed| match value {
        Typed::Text(text) => {
            strings.push(text.clone());
            value_bytes(0x03, strings.len() as u32 - 1)
        }
        Typed::Raw { kind, data } => value_bytes(*kind, *data),
    };
    let mut default = Vec::new();
    let mut french = Vec::new();
    for resource in resources {
        default.push(Some(typed(&resource.default)));
        french.push(resource.french.as_ref().map(&mut typed));
    }
    let mut locale = [0; 12];
    locale[8..10].copy_from_slice(b"fr");
    let keys: Vec<&str> = resources.iter().map(|resource| resource.key).collect();

    let type_pool = utf16_pool(&["string"]);
    let key_pool = utf8_pool(&keys);
    let header_len = if old_header { 284 } else { 288 };
    let mut header = words(&[0x7f]);
    header.extend("app".encode_utf16().chain([0; 125]).flat_map(u16::to_le_bytes));
    header.extend(words(&[header_len, 1, header_len + type_pool.len() as u32, 1]));
    if !old_header {
        header.extend(words(&[0]));
    }
    let mut body = [type_pool, key_pool].concat();
    body.extend(type_chunk(&french, &locale));
    body.extend(type_chunk(&default, &[0; 12]));
    let package = chunk(0x0200, &header, &body);
    let pool: Vec<&str> = strings.iter().map(String::as_str).collect();
    chunk(0x0002, &words(&[1]), &[utf8_pool(&pool), package].concat())
}

fn type_chunk(values: &[Option<Vec<u8>>], config: &[u8; 12]) -> Vec<u8> {
    let header_len = 8 + 12 + 4 + config.len();
    let mut header = vec![1, 0, 0, 0];
    header.extend(words(&[values.len() as u32, (header_len + 4 * values.len()) as u32]));
    header.extend(words(&[4 + config.len() as u32]));
    header.extend(config);
    let mut offsets = Vec::new();
    let mut entries = Vec::new();
    for (key, value) in values.iter().enumerate() {
        offsets.push(if value.is_some() { entries.len() as u32 } else { u32::MAX });
        if let Some(value) = value {
            entries.extend(halves(&[8, 0]));
            entries.extend(words(&[key as u32]));
            entries.extend(value);
        }
    }
    chunk(0x0201, &header, &[words(&offsets), entries].concat())
}

pub fn utf8_pool(strings: &[&str]) -> Vec<u8> {
    pool(strings, 1 << 8, |text| {
        let length = |len: usize| {
            if len < 0x80 { vec![len as u8] } else { vec![(len >> 8) as u8 | 0x80, len as u8] }
        };
        let units = text.encode_utf16().count();
        [length(units), length(text.len()), text.as_bytes().to_vec(), vec![0]].concat()
    })
}

pub fn utf16_pool(strings: &[&str]) -> Vec<u8> {
    pool(strings, 0, |text| {
        let units: Vec<u16> = text.encode_utf16().collect();
        [halves(&[units.len() as u16]), halves(&units), halves(&[0])].concat()
    })
}

fn pool(strings: &[&str], flags: u32, encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let mut offsets = Vec::new();
    let mut data = Vec::new();
    for text in strings {
        offsets.push(data.len() as u32);
        data.extend(encode(text));
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let start = 28 + 4 * strings.len() as u32;
    let header = words(&[strings.len() as u32, 0, flags, start, 0]);
    chunk(0x0001, &header, &[words(&offsets), data].concat())
}

fn value_bytes(kind: u8, data: u32) -> Vec<u8> {
    let mut bytes = vec![8, 0, 0, kind];
    bytes.extend(data.to_le_bytes());
    bytes
}

fn chunk(kind: u16, header: &[u8], body: &[u8]) -> Vec<u8> {
    let header_len = 8 + header.len();
    let mut bytes = halves(&[kind, header_len as u16]);
    bytes.extend(words(&[(header_len + body.len()) as u32]));
    bytes.extend(header);
    bytes.extend(body);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}
