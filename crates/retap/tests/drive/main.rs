//! Driving an app by a page, by a protocol and by a program: `retap serve`, `retap mcp`, `--strategy cmd:`.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../common/mod.rs"]
mod common;

mod assistant;
mod page;
mod program;
