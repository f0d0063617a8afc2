//! The faults a dex file can have.

use thiserror::Error;

/// A fault of a dex file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DexError {
    #[error("it is not a dex file")]
    NotDex,
    #[error("its dex version {0:?} is not known; versions 035 to 041 are")]
    Version(String),
    #[error("it is big-endian")]
    BigEndian,
    #[error("it is cut off: {actual} of {expected} bytes are there")]
    Cut { expected: usize, actual: usize },
    #[error("its table of {0} lies outside the file")]
    Outside(&'static str),
    #[error("{what} number {index} is broken")]
    Broken { what: &'static str, index: u32 },
    #[error("it refers to the same bytes far too often")]
    TooCostly,
}
