//! The whole chain: `AdbConnect` → stock adb server → `retap-adbd` → a fake or the embedded device. Each test has an adb server
//! of its own.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)] // a test may panic, runs adb, and shows counts

mod conformance;
mod coverage;
mod messages;
mod parts;
mod phone;
mod round_trips;
mod scripted_server;
mod soak;
