//! One app on one device, driven by a person or a program: look, act, return to a state, explore from here, minimise,
//! replay, export. Everything that happens is recorded in a run directory like that of every exploration.
//!
//! Law: this crate does **not** know who drives. The terminal, the local page and the protocol for assistants are built
//! on it. It prints nothing, and its one thread is in `worker.rs`.

mod export;
mod open;
mod progress;
mod screen_list;
mod session;
mod worker;

pub use export::export_trace;
pub use open::{DriveSettings, open};
pub use progress::{ProgressReport, SharedProgress};
pub use screen_list::{ListedWidget, ScreenList, Swipe};
pub use session::{
    DriveSession, ExploredPart, KnownState, MoveAnswer, ReplayedRuns, SavedTrace, SessionCrash,
    StateEdgeRow,
};
pub use worker::Driver;
