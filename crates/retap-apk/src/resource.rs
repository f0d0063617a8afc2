//! Android's compiled resources: binary XML and the resource table, both built of chunks.
//!
//! Written here because the published readers either turn every typed value into text, look up
//! a reference by its attribute's name, or trust the sizes they read. Leniency follows the
//! phone's: what Android skips is skipped, since packers rely on it.

mod chunk;
mod string_pool;
mod table;
mod value;
mod xml;

#[cfg(test)]
pub(crate) mod build;

pub use chunk::ChunkError;
pub use table::{ResourceName, ResourceTable};
pub use value::Value;
pub use xml::{Attribute, Element};
