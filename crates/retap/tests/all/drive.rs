//! Driving an app by a page, by a protocol and by a program: `retap serve`, `retap mcp`, `--strategy cmd:`.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

mod assistant;
mod local_page;
mod page;
mod page_losses;
mod program;
