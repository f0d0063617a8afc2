//! Published explorers, to compare `auto` with on the same device: each makes its decisions as its paper or its source
//! says, on this run's states. `docs/strategies/` names what was left out of each.

mod actions;
mod ape;
mod droidbot;
mod fastbot;
mod gui_model;
mod q_testing;
mod stoat;

pub use ape::Ape;
pub use droidbot::{DroidBot, SearchOrder};
pub use fastbot::Fastbot;
pub use q_testing::QTesting;
pub use stoat::Stoat;
