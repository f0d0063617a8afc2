//! Stock adb, as Debian's package `adb` has it, is the client: nothing of ours is on its side.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // a test may panic, and runs adb

mod client;
mod embedded;
mod fake;
