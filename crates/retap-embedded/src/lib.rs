//! The embedded device: a Java agent that runs an unmodified APK on the real Android framework. It is
//! built at first use, started as a child process and spoken to over a private socket.
//!
//! Law: this crate does **not** know anything above `Device`: no strategy, no trace, no run directory,
//! no terminal. Messages for a person go through [`Notice`].

mod app_package;
mod compatibility;
mod connect;
mod coverage;
mod device;
mod foreign_folder;
mod health;
mod instrumented_app;
mod instrumented_device;
mod inventory;
mod outside;
mod packaging;
mod private_folder;
mod process;
mod setup;
mod wire;

pub use compatibility::{Compatibility, MissingFeature, Obstacle, Warning, find_missing_features};
pub use connect::{EmbeddedConnect, EmbeddedOptions, Listener, TestApk};
pub use coverage::CoverageSelection;
pub use device::{EmbeddedDevice, KeptScreen, TestStep};
pub use health::{HealthCheck, check_app, check_machine};
pub use instrumented_app::InstrumentedApp;
pub use instrumented_device::InstrumentedConnect;
pub use inventory::level_inventory;
pub use outside::parse_outside_change;
pub use packaging::{InstrumentReport, InstrumentRequest, LeftClass, SigningKey, instrument};
#[doc(hidden)]
pub use process::SandboxLayers;
pub use setup::{API_LEVELS, Notice};
pub use wire::{
    DecisionPlan, DecisionReport, Keeps, RecordedInput, TestContinue, TestReport, TestReportKind,
    TestStart, Transfer,
};
