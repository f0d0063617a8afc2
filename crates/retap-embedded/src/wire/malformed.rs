//! The error of bytes that do not follow the protocol.

/// The reason why bytes of the agent are not what the protocol or the file format says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedData {
    #[error("it ends after {at} bytes, where {wanted} more were to come")]
    Short { at: usize, wanted: usize },
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    #[error("{what} {value} is unknown")]
    Unknown { what: &'static str, value: u32 },
    #[error("a widget tree is more than {0} levels deep")]
    Deep(u16),
    #[error("the screen is said to be unchanged, but none was sent before")]
    NoScreen,
}
