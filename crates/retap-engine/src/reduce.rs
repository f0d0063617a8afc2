//! Reduction with devices: loading what was recorded, replaying candidates on a lab, and keeping the original's coverage
//! for the proof.

pub mod class_filter;
pub mod lab_replay;
pub mod load;
pub mod original;
pub mod record;
pub mod restate;

pub use class_filter::ClassFilter;
pub use lab_replay::LabReplay;
pub use load::{LoadedTrace, Loader};
pub use original::{OriginalCoverage, OriginalFile, OriginalSource};
