//! Writes resource tables.

use super::{Typed, chunk, halves, utf8_pool, utf16_pool, value_bytes, words};

/// One resource of a table: its entry in the default configuration and, if given, in another.
pub struct Resource {
    pub key: &'static str,
    pub default: Typed,
    pub french: Option<Typed>,
}

/// Returns a table of package 0x7f with one type, `string` (id 1), in up to two configurations.
/// `old_header` leaves out the package's type-id offset, as old versions of aapt do.
pub fn resource_table(resources: &[Resource], old_header: bool) -> Vec<u8> {
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
