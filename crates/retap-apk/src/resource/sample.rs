//! Writes chunks for the tests of this crate: string pools, XML and tables.

mod table;
mod xml;

pub use table::{Resource, resource_table};
pub use xml::{XmlNode, xml};

/// An attribute's value before its text is in the pool.
#[derive(Debug, Clone)]
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
