//! The error of bytes that do not follow the protocol.

/// A violation of the protocol or of the table's file format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedData {
    #[error("it ends after {at} bytes, where {wanted} more were expected")]
    Short { at: usize, wanted: usize },
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    #[error("{what} {value} is unknown")]
    Unknown { what: &'static str, value: u32 },
    #[error("a widget tree is more than {0} levels deep")]
    Deep(u16),
    #[error("it says that the screen is unchanged, but no screen was sent before")]
    NoScreen,
}
