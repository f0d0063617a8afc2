//! The shared vocabulary of retap as plain data: event, widget, screen, state, coverage, step,
//! trace, suite, crash, oracle, cost, and their formats on disk.
//!
//! Law: this crate does **not** know devices, algorithms, clocks, randomness or threads. Its only
//! I/O is reading and writing its own formats, from and to what the caller passes in. `clippy.toml`
//! beside `Cargo.toml` enforces it.

pub mod abstraction;
pub mod app;
pub mod cost;
pub mod coverage;
pub mod crash;
pub mod event;
pub mod finding;
pub mod format;
pub mod geometry;
pub mod hash;
pub mod observation;
pub mod oracle;
pub mod rate;
pub mod screen;
pub mod selector;
pub mod state;
pub mod text;
pub mod trace;
pub mod widget;

pub use abstraction::Abstraction;
pub use app::{App, Display, WorldSeed};
pub use cost::{Cost, CostLedger, RunPhase};
pub use coverage::{Coverage, CoverageCount, Unit, UnitId, UnitKind, Units};
pub use crash::{Confidence, Crash, CrashId};
pub use event::{Event, Key, Orientation, SystemEvent, Target};
pub use finding::{Finding, FindingId, FindingKind};
pub use geometry::{Point, Rect};
pub use observation::{Loss, Observation, Outcome};
pub use oracle::Oracle;
pub use rate::Rate;
pub use screen::{Screen, ScreenId, Window, WindowKind};
pub use selector::{FoundWidget, Selector};
pub use state::StateId;
pub use text::{printable, readable_method};
pub use trace::{Step, Suite, Trace};
pub use widget::{Flags, Widget};
