//! Adds a provider to a binary manifest. Everything that is there stays, byte for byte and in its order: new strings
//! come after the others, so that no index changes.

use crate::resource::{Chunk, ChunkError, Element, PoolExtension, StringPool, siblings};
use crate::resource::{STRING_POOL, XML_END_ELEMENT, XML_RESOURCE_MAP, XML_START_ELEMENT};
use crate::untrusted::{Bytes, ReadBudget};

const NAMESPACE: &str = "http://schemas.android.com/apk/res/android";
/// The framework's ids of the attributes. A phone expects the attributes of an element in the order of their ids.
const NAME: u32 = 0x0101_0003;
const EXPORTED: u32 = 0x0101_0010;
const AUTHORITIES: u32 = 0x0101_0018;
const TYPE_STRING: u8 = 0x03;
const TYPE_BOOLEAN: u8 = 0x12;
const NONE: u32 = u32::MAX;
const ATTRIBUTE_LEN: u16 = 20;
/// The chunks of the tree itself have these kinds.
const NODES: std::ops::RangeInclusive<u16> = 0x0100..=0x017f;

/// A provider that other apps may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProvider {
    /// The fully qualified class name.
    pub class: String,
    pub authority: String,
}

impl NewProvider {
    /// Returns the manifest with this provider as the first component of the app.
    pub fn add_to(&self, manifest: &[u8]) -> Result<Vec<u8>, ChunkError> {
        let bytes = Bytes(manifest);
        Element::parse(manifest)?;
        let root = Chunk::at(bytes, 0).ok_or(ChunkError::NotChunks)?;
        let chunks: Vec<Chunk> = siblings(bytes, root.header_len, bytes.len()).collect();
        let parts = ManifestParts::find(&chunks, manifest.len())?;
        let mut names = Names::new(&parts);
        let element = self.element(&mut names);
        let mut out = manifest[..root.header_len].to_vec();
        for (index, chunk) in chunks.iter().enumerate() {
            if index == parts.pool {
                out.extend(names.pool.extend(*chunk)?);
                out.extend(names.resource_map());
            } else if Some(index) != parts.map {
                out.extend_from_slice(chunk.bytes.0);
            }
            if index == parts.application {
                out.extend(&element);
            }
        }
        let end = chunks.last().map_or(root.header_len, |chunk| chunk.at + chunk.bytes.len());
        out.extend_from_slice(&manifest[end..]);
        let len = u32::try_from(out.len()).map_err(|_| ChunkError::TooCostly)?;
        out[4..8].copy_from_slice(&len.to_le_bytes());
        if is_grown_by_one(manifest, &out)? { Ok(out) } else { Err(ChunkError::Unusual) }
    }

    /// Returns the chunks of the element's start and end.
    fn element(&self, names: &mut Names) -> Vec<u8> {
        let [name, exported, authorities] =
            [(NAME, "name"), (EXPORTED, "exported"), (AUTHORITIES, "authorities")]
                .map(|(id, text)| names.attribute(id, text));
        let [tag, namespace, class, authority] =
            ["provider", NAMESPACE, &self.class, &self.authority].map(|text| names.pool.add(text));
        let mut start = words(&[NONE, tag]);
        start.extend(halves(&[ATTRIBUTE_LEN, ATTRIBUTE_LEN, 3, 0, 0, 0]));
        for (attribute, raw, kind, data) in [
            (name, class, TYPE_STRING, class),
            (exported, NONE, TYPE_BOOLEAN, u32::MAX),
            (authorities, authority, TYPE_STRING, authority),
        ] {
            start.extend(words(&[namespace, attribute, raw]));
            start.extend([8, 0, 0, kind]);
            start.extend(data.to_le_bytes());
        }
        let mut element = node(XML_START_ELEMENT, &start);
        element.extend(node(XML_END_ELEMENT, &words(&[NONE, tag])));
        element
    }
}

/// Returns true if the edited manifest reads as the old one with one component more. Packers build trees that are read in
/// another way than they look.
fn is_grown_by_one(old: &[u8], edited: &[u8]) -> Result<bool, ChunkError> {
    let mut edited = Element::parse(edited)?;
    let application = edited.children.iter_mut().find(|child| &*child.name == "application");
    let added = application.filter(|it| !it.children.is_empty()).map(|it| it.children.remove(0));
    Ok(added.is_some_and(|it| &*it.name == "provider") && edited == Element::parse(old)?)
}

/// The chunks of a manifest that an edit touches, by their positions.
struct ManifestParts {
    pool: usize,
    map: Option<usize>,
    application: usize,
    string_count: u32,
    attribute_ids: Vec<u32>,
}

impl ManifestParts {
    fn find(chunks: &[Chunk], len: usize) -> Result<Self, ChunkError> {
        let tree = chunks.iter().position(|chunk| NODES.contains(&chunk.kind));
        let tree = tree.ok_or(ChunkError::NoRoot)?;
        let only = |kind: u16| {
            let mut found = (0..tree).filter(|&index| chunks[index].kind == kind);
            (found.next(), found.next())
        };
        let ((Some(pool), None), (map, None)) = (only(STRING_POOL), only(XML_RESOURCE_MAP)) else {
            return Err(ChunkError::Unusual);
        };
        let strings = StringPool::parse(chunks[pool], &mut ReadBudget::for_length(len))?;
        let attribute_ids = map.map_or_else(Vec::new, |map| {
            let (ids, _) = chunks[map].bytes.0[chunks[map].header_len..].as_chunks::<4>();
            ids.iter().map(|id| u32::from_le_bytes(*id)).collect()
        });
        let application =
            find_application(chunks, &strings).ok_or(ChunkError::Cut("application"))?;
        let string_count = chunks[pool].bytes.u32(8).ok_or(ChunkError::Cut("string pool"))?;
        Ok(Self { pool, map, application, string_count, attribute_ids })
    }
}

/// Returns the position of the start of the first `<application>` below the root.
fn find_application(chunks: &[Chunk], strings: &StringPool) -> Option<usize> {
    let mut depth = 0usize;
    for (index, chunk) in chunks.iter().enumerate() {
        match chunk.kind {
            XML_START_ELEMENT => {
                let name = chunk.bytes.from(chunk.header_len)?.u32(4)?;
                if depth == 1 && strings.get(name).is_some_and(|name| &**name == "application") {
                    return Some(index);
                }
                depth += 1;
            }
            XML_END_ELEMENT => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The strings of a manifest and those that are added, with the ids of attributes beside them.
struct Names {
    pool: PoolExtension,
    attribute_ids: Vec<u32>,
    string_count: u32,
}

impl Names {
    fn new(parts: &ManifestParts) -> Self {
        Self {
            pool: PoolExtension::new(parts.string_count),
            attribute_ids: parts.attribute_ids.clone(),
            string_count: parts.string_count,
        }
    }

    /// Returns the index of an attribute's name. Only names at the places of their ids count.
    fn attribute(&mut self, id: u32, name: &str) -> u32 {
        let known = self.attribute_ids.iter().take(self.string_count as usize);
        if let Some(index) = known.into_iter().position(|known| *known == id) {
            return index as u32;
        }
        let index = self.pool.add(name);
        let end = index as usize + 1;
        // A place without an id holds 0, which stands for none.
        self.attribute_ids.resize(self.attribute_ids.len().max(end), 0);
        self.attribute_ids[end - 1] = id;
        index
    }

    fn resource_map(&self) -> Vec<u8> {
        let ids = words(&self.attribute_ids);
        let mut chunk = halves(&[XML_RESOURCE_MAP, 8]);
        chunk.extend(words(&[8 + ids.len() as u32]));
        chunk.extend(ids);
        chunk
    }
}

/// Returns a chunk of the tree: without a line number or a comment.
fn node(kind: u16, body: &[u8]) -> Vec<u8> {
    const HEADER_LEN: u16 = 16;
    let mut chunk = halves(&[kind, HEADER_LEN]);
    chunk.extend(words(&[u32::from(HEADER_LEN) + body.len() as u32, 0, NONE]));
    chunk.extend_from_slice(body);
    chunk
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests;
