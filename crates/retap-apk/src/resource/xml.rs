//! Binary XML: the manifest, layouts, menus and preferences of an APK.

use std::sync::Arc;

use crate::resource::chunk::{
    self, Chunk, ChunkError, STRING_POOL, XML_END_ELEMENT, XML_RESOURCE_MAP, XML_START_ELEMENT,
};
use crate::resource::string_pool::StringPool;
use crate::resource::value::ResourceValue;
use crate::untrusted::{Bytes, ReadBudget};

/// Deeper than any screen can show. A deeper tree is meant to overflow a stack.
const MAX_DEPTH: usize = 256;
const NO_STRING: u32 = u32::MAX;
const ATTRIBUTE_LEN: usize = 20;

/// An element of a binary XML file.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    pub name: Arc<str>,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
}

/// An attribute with its typed value.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub name: Arc<str>,
    pub namespace: Option<Arc<str>>,
    /// The framework's id of the attribute. Android uses it and ignores the name, so shrinkers and
    /// packers empty or falsify the name.
    pub id: Option<u32>,
    pub value: ResourceValue,
}

impl Element {
    pub fn parse(file: &[u8]) -> Result<Element, ChunkError> {
        if file.trim_ascii_start().starts_with(b"<") {
            return Err(ChunkError::PlainText);
        }
        let bytes = Bytes(file);
        let root = Chunk::at(bytes, 0).ok_or(ChunkError::NotChunks)?;
        let mut builder = TreeBuilder::new(ReadBudget::for_length(file.len()));
        // Phones read on after a document length that is too short.
        for chunk in chunk::siblings(bytes, root.header_len, bytes.len()) {
            builder.add(chunk)?;
        }
        builder.finish()
    }

    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| &*child.name == name)
    }
}

/// Builds the tree from chunks.
struct TreeBuilder {
    budget: ReadBudget,
    strings: Option<StringPool>,
    attribute_ids: Vec<u32>,
    /// The elements that are still open, outermost first.
    open: Vec<Element>,
    root: Option<Element>,
}

impl TreeBuilder {
    fn new(budget: ReadBudget) -> Self {
        TreeBuilder {
            budget,
            strings: None,
            attribute_ids: Vec::new(),
            open: Vec::new(),
            root: None,
        }
    }

    fn add(&mut self, chunk: Chunk) -> Result<(), ChunkError> {
        match chunk.kind {
            STRING_POOL if self.strings.is_none() => {
                self.strings = Some(StringPool::parse(chunk, &mut self.budget)?);
            }
            XML_RESOURCE_MAP => {
                let (ids, _) = chunk.bytes.0[chunk.header_len..].as_chunks::<4>();
                self.attribute_ids = ids.iter().map(|id| u32::from_le_bytes(*id)).collect();
            }
            XML_START_ELEMENT => {
                if self.open.len() == MAX_DEPTH {
                    return Err(ChunkError::TooDeep(MAX_DEPTH));
                }
                let element = self.element(chunk)?;
                self.open.push(element);
            }
            XML_END_ELEMENT => self.close(),
            // Namespaces, text, and anything that packers insert.
            _ => {}
        }
        Ok(())
    }

    fn element(&self, chunk: Chunk) -> Result<Element, ChunkError> {
        const CUT: ChunkError = ChunkError::Cut("element");
        let strings = self.strings.as_ref().ok_or(ChunkError::Cut("string pool"))?;
        let body = chunk.bytes.from(chunk.header_len).ok_or(CUT)?;
        let read = || Some((body.u32(4)?, body.u16(8)?, body.u16(10)?, body.u16(12)?));
        let (name, start, stride, count) = read().ok_or(CUT)?;
        let (start, stride) = (usize::from(start), usize::from(stride).max(ATTRIBUTE_LEN));
        let attributes = (0..usize::from(count))
            .map_while(|index| {
                let record = body.slice(start + index * stride, ATTRIBUTE_LEN)?;
                attribute(record, strings, &self.attribute_ids)
            })
            .collect();
        let name = strings.get(name).cloned().unwrap_or_default();
        Ok(Element { name, attributes, children: Vec::new() })
    }

    fn close(&mut self) {
        let Some(element) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => {
                self.root.get_or_insert(element);
            }
        }
    }

    fn finish(mut self) -> Result<Element, ChunkError> {
        while !self.open.is_empty() {
            self.close();
        }
        self.root.ok_or(ChunkError::NoRoot)
    }
}

fn attribute(record: Bytes, strings: &StringPool, ids: &[u32]) -> Option<Attribute> {
    let text = |index: u32| strings.get(index).cloned();
    let name = record.u32(4)?;
    let raw = record.u32(8)?;
    let value = match ResourceValue::parse(record, 12, strings)? {
        // Old versions of aapt leave untyped attributes as raw text.
        ResourceValue::Null if raw != NO_STRING => {
            text(raw).map_or(ResourceValue::Null, ResourceValue::Text)
        }
        value => value,
    };
    Some(Attribute {
        name: text(name).unwrap_or_default(),
        namespace: text(record.u32(0)?),
        id: ids.get(name as usize).copied().filter(|&id| id != 0),
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::sample::{XmlNode, reference, text, xml};

    #[test]
    fn elements_nest_and_attributes_keep_their_types() {
        let file = xml(&XmlNode::new("manifest")
            .with("package", 0, text("a.b"))
            .child(XmlNode::new("application").with("label", 0x0101_0001, reference(0x7f01_0002))));
        let root = Element::parse(&file).unwrap();
        assert_eq!(&*root.name, "manifest");
        assert_eq!(root.attributes[0].value, ResourceValue::Text("a.b".into()));
        assert_eq!(root.attributes[0].id, None);
        let application = root.children_named("application").next().unwrap();
        assert_eq!(application.attributes[0].id, Some(0x0101_0001));
        assert_eq!(application.attributes[0].value, ResourceValue::Reference(0x7f01_0002));
    }

    #[test]
    fn a_wrong_document_length_does_not_matter() {
        let mut file = xml(&XmlNode::new("manifest").child(XmlNode::new("application")));
        let right = Element::parse(&file).unwrap();
        for length in [8, 64, u32::MAX] {
            file[4..8].copy_from_slice(&length.to_le_bytes());
            assert_eq!(Element::parse(&file).unwrap(), right, "length {length}");
        }
    }

    #[test]
    fn a_file_that_is_not_binary_xml_is_refused_with_the_reason() {
        let check = |file: &[u8], expected| assert_eq!(Element::parse(file), Err(expected));
        check(b"<manifest/>", ChunkError::PlainText);
        check(b"\n <?xml?>", ChunkError::PlainText);
        check(b"", ChunkError::NotChunks);
        check(&[0; 64], ChunkError::NotChunks);
        check(&[3, 0, 8, 0, 8, 0, 0, 0], ChunkError::NoRoot);
    }

    #[test]
    fn a_tree_that_is_too_deep_is_refused() {
        let mut node = XmlNode::new("leaf");
        for _ in 0..MAX_DEPTH {
            node = XmlNode::new("branch").child(node);
        }
        assert_eq!(Element::parse(&xml(&node)), Err(ChunkError::TooDeep(MAX_DEPTH)));
    }

    #[test]
    fn a_truncated_tree_keeps_the_elements_before_the_end() {
        let file = xml(&XmlNode::new("manifest").child(XmlNode::new("application")));
        let element_end = 24;
        let root = Element::parse(&file[..file.len() - 2 * element_end]).unwrap();
        assert_eq!(&*root.children[0].name, "application");
    }
}
