//! A phone or an emulator as a device: the client of the adb server, the readers of what Android's commands print, and
//! [`AdbDevice`] made of both.
//!
//! ```text
//! AdbConnect ─► AdbDevice ─► one line of shell commands for each event ─► AdbHost ─► adb server ─► phone
//!                   └─ parse: what the commands printed ─► screen, activity, log, crash ─► Observation
//! ```
//!
//! Law: this crate does **not** know anything above `Device`, nor any app. Readers in `parse` are pure. What adb cannot do is
//! named as a host limitation and never dropped.

mod apk;
mod connect;
mod console;
mod device;
mod environment;
mod failure;
mod health;
mod host;
mod parse;
mod wait_limit;

pub use connect::{AdbConnect, AdbOptions};
pub use device::AdbDevice;
pub use environment::AdbEnvironment;
pub use failure::AdbFailure;
pub use health::{AdbCheck, check_adb};
