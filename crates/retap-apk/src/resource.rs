//! Android's compiled resources: binary XML and the resource table, both built of chunks.
//!
//! This is our own reader, because the published ones turn every typed value into text, look up a
//! reference by its attribute's name, or trust the sizes they read. It is as lenient as a phone:
//! what Android skips is skipped here, because packers rely on it.

mod chunk;
mod pool_extension;
mod string_pool;
mod table;
mod value;
mod xml;

#[cfg(test)]
pub(crate) mod sample;

pub use chunk::ChunkError;
pub(crate) use chunk::{
    Chunk, STRING_POOL, XML_END_ELEMENT, XML_RESOURCE_MAP, XML_START_ELEMENT, siblings,
};
pub(crate) use pool_extension::PoolExtension;
pub(crate) use string_pool::StringPool;
pub use table::{ResourceBag, ResourceContent, ResourceEntry, ResourceName, ResourceTable};
pub use value::ResourceValue;
pub use xml::{Attribute, Element};
