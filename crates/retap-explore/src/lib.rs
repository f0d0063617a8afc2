//! Exploring: which event comes next, and the loop that does it, records it and keeps what it finds.
//!
//! Law: this crate does **not** know which device it is on. It asks a `Rig`, never names adb or the
//! JVM, has no clock of its own and no randomness but what its seed gives it. Every decision is a
//! function of the seed, the number of events so far and what was recorded, so that a run can be taken
//! up after a kill and end as if nothing had happened.

pub mod auto;
pub mod dice;
mod exploration;
mod explorers;
mod findings;
pub mod fittest;
pub mod graph;
pub mod interesting;
mod journal;
mod memory;
mod moving;
pub mod policy;
mod probing;
pub mod random;
mod recording;
pub mod restart;
pub mod seeds;
mod snapshots;
mod strategy;
pub mod stuck;
pub mod timemachine;
mod travel;
mod watching;
pub mod words;

pub use exploration::{Exploration, ExploreError, Limits, Progress};
pub use explorers::Team;
pub use findings::{CrashFinding, Findings};
pub use probing::Effort;
pub use strategy::{Lesson, Move, Place, Strategy};
