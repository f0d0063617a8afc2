//! Going back to earlier states: returns, and the snapshots that make them cheap.

mod ledger;
mod returning;
mod snapshots;

pub use ledger::SnapshotLedger;
pub use returning::{ReturnAttempt, ReturnOutcome, ReturnPath};
pub use snapshots::HeldSnapshots;
