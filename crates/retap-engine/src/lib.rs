//! Joins the algorithms with devices: everything a verb does, without a terminal.
//!
//! Law: this crate does **not** know the command line. It prints nothing, parses no flags and draws no bars; it takes
//! plain settings and reports progress to a [`Reporter`]. The command line and the benches are built on it.

pub mod against;
pub mod cache;
pub mod connection;
pub mod context;
pub mod explore;
pub mod failure;
pub mod minimize;
pub mod reduce;
pub mod replay;
pub mod run_directory;
pub mod same_app;
pub mod suite_folder;
pub mod test;
pub mod trace_file;
pub mod update;

pub use connection::{Connection, DeviceKind, DeviceSettings};
pub use context::{Context, ProgressBar, Reporter};
pub use failure::Failure;
