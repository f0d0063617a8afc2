//! A Model Context Protocol server on standard input and output: an assistant runs, looks at and tests the app that it is
//! changing, with no phone and no emulator.
//!
//! Law: this crate does **not** know how an app is driven; `retap-drive` does. Tools are plain functions. Async code lives
//! in `server.rs` alone. Nothing is reachable beyond the files and folders that the user named at the start.

mod access;
mod answer;
mod server;
mod toolbox;
mod tools;

pub use access::Access;
pub use server::serve;
pub use toolbox::McpSettings;
