//! Driving an app by a page, by a protocol, by a program, over adb and by a fleet: `retap serve`, `retap mcp`, `--strategy cmd:`, `-d adb`, `--fleet`.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

mod adb;
mod adb_tools;
mod assistant;
mod fleet;
mod local_page;
mod page;
mod page_losses;
mod program;
