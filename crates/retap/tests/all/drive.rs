//! Driving an app by a page, by a protocol, by a program and over adb: `retap serve`, `retap mcp`, `--strategy cmd:`, `-d adb`.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

mod adb;
mod adb_tools;
mod assistant;
mod local_page;
mod page;
mod page_losses;
mod program;
