//! A scripted device: a small text file describes an app, and the fake runs it exactly and at once. It
//! tests the lab and every algorithm, and lets people try retap without Java. `docs/fake.md` describes
//! the language.

mod app;
mod device;
mod drawing;
mod fault;
mod language;

pub use app::FakeApp;
pub use device::{FakeConnect, FakeDevice};
pub use language::ParseError;
