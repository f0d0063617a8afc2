//! What a device is; a lab that runs traces on a pool of them, shares prefixes and counts every cost;
//! the conformance suite that any device is put through; and a scripted fake.
//!
//! Law: this crate does **not** know any algorithm. It never decides what to do next, only how to get
//! there cheaply and what it cost.

pub mod aim;
pub mod conformance;
mod device;
pub mod fake;
mod lab;
pub mod replay;
mod rig;
mod side_by_side;

pub use device::{Connect, Description, Device, DeviceError, SnapshotId};
pub use lab::{Execution, Job, Lab, NEVER_STOP};
pub use rig::Rig;
pub use side_by_side::{Worker, run_side_by_side};
