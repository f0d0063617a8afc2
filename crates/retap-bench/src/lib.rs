//! Benches: devices and how true they are, strategies, minimisers and reductions side by side, in exact counts first.
//!
//! Law: this crate does **not** know the command line and prints nothing. A bench takes plain settings and returns
//! results that can be serialised and rendered.

pub mod apk;
pub mod device;
mod difference;
pub mod explore;
pub mod faults;
pub mod fidelity;
pub mod fleet;
mod load;
pub mod minimize;
pub mod other_tools;
mod process;
mod profile;
pub mod reduce;
mod table;
mod walk;
