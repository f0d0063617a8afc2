//! Reading bytes that may be hostile: checked reads, and a bound on the work they may cause.

mod budget;
mod bytes;
mod cursor;

pub use budget::{ReadBudget, SharedBudget};
pub use bytes::Bytes;
pub use cursor::ByteCursor;
