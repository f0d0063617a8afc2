//! The interface of devices, and everything that is common to them: the rig and the lab, which run
//! jobs, share prefixes and count costs; the comparison of a replay; the conformance suite; the
//! driver of the app that checks a phone; a scripted fake.
//!
//! Law: this crate does **not** know any algorithm. It never decides which event comes next, only
//! how to get to a position cheaply. It has no clock, and threads exist only in `lab.rs`.
//! `clippy.toml` beside `Cargo.toml` enforces the latter two.

pub mod aim;
pub mod conformance;
mod device;
pub mod fake;
mod lab;
pub mod phone_checks;
pub mod replay;
mod rig;
mod side_by_side;

pub use device::{Connect, Description, Device, DeviceError, SnapshotId};
pub use lab::{Execution, Job, JobStopCondition, Lab, NEVER_STOP, RemotePool};
pub use rig::{Rig, StopCondition};
pub use side_by_side::{Worker, run_side_by_side};
