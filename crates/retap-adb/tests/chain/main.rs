//! The whole chain: `AdbConnect` → stock adb server → `retap-adbd` → a fake or the embedded device. Each test has an adb server
//! of its own.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)] // a test may panic, runs adb, and says that it is missing

mod conformance;
mod messages;
mod phone;
mod round_trips;
mod soak;
