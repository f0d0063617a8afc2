//! A device of retap as an adb device: stock `adb` connects to it, installs apps and runs the commands that tools use.
//!
//! ```text
//! TCP ─► connection (streams) ─► services: shell, exec, sync ─► commands ─► Phone ─► Device
//! ```
//!
//! Law: this crate does **not** know which kind of device it serves; it is given a function that starts one. It never
//! runs a program of this machine and shows clients no file of it: they see a file tree that is kept in memory.

mod commands;
mod connection;
mod files;
mod phone;
mod protocol;
mod server;
mod service;
mod shell;
mod sync;

pub use phone::{InstallFailure, Phone, PhoneSettings, StartDevice};
pub use server::{AdbAddress, AdbServer};
