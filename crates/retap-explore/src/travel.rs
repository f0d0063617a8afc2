//! Going back to earlier states: returns, and the snapshots that make them cheap.

mod returning;
mod snapshots;

pub use returning::{ReturnAttempt, ReturnOutcome, ReturnPath};
pub use snapshots::HeldSnapshots;
