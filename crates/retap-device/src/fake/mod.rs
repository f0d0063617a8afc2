//! A scripted device: an app described in a small text file, run exactly and at once. It tests the
//! lab and every algorithm, and lets people try retap without Java. `docs/fake.md` is the language.

mod app;
mod cursor;
mod declaration;
mod device;
mod error;
mod expr;
mod fault;
mod layout;
mod parse;
mod part;
mod picture;
mod render;
mod rule;
mod template;
mod token;
mod trigger;
mod value;
mod world;

pub use app::App;
pub use device::{FakeConnect, FakeDevice};
pub use error::ParseError;
