//! A local page that drives an app: the live screen, its widgets, the states that were met, traces, crashes and what one
//! does with them.
//!
//! Law: this crate does **not** know how an app is driven; `retap-drive` does. It listens on the loopback interface alone,
//! answers nobody without the token of the page's address, and takes commands from its own page only (`guard.rs`). It has
//! no framework: requests are parsed by `httparse`, the rest is small enough to read.

mod api;
mod choices;
mod guard;
mod http;
mod page;
mod server;
mod shared_session;

pub use choices::Choice;
pub use server::{PageServer, serve};
pub use shared_session::ServeSettings;
