//! The device without a device: a Java agent that runs an unmodified APK on the real Android framework,
//! built at first use, started as a child process and spoken to over a private socket.
//!
//! Law: this crate does **not** know anything above `Device`: no strategy, no trace, no run directory,
//! no terminal. What a person should see goes through [`Notice`].

mod coverage;
mod device;
mod embedded;
mod fitness;
mod health;
mod outside;
mod package;
mod process;
mod setup;
mod wire;

pub use coverage::Selection;
pub use device::EmbeddedDevice;
pub use embedded::{Embedded, Listener, Options};
pub use fitness::examine_app;
pub use health::{Finding, examine};
pub use outside::outside_change;
pub use setup::{API_LEVELS, Notice};
