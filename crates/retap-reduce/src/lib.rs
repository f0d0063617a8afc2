//! DetReduce (Choi, Sen, Necula, Wang, ICSE 2018): makes a whole suite small without losing coverage. A third
//! phase goes on where loops and fragments end: it minimises each trace with `retap-minimize`.
//!
//! Law: a suite and a [`Replay`], nothing more. This crate does **not** know devices, files, clocks or threads.
//! It asks for replays in rounds, and the answers decide everything else. The order and size of the rounds depend
//! on the answers alone, so the result is the same however many devices answer.
//!
//! ```text
//! recorded traces ─► select/   drops redundant traces, prefers the largest gain for its cost; the rest must replay
//!                 ─► phase1/   removes loops, cheapest candidate first: L(τ)
//!                 ─► phase2/   splices at most k fragments: T_k; then drops traces and tails that are not needed
//!                 ─► phase3/   minimises each trace for the requirements that only it covers
//!                 ─► bound/    computes a cost that no suite of the same fragments can go below
//!                 ─► proof     names, for each requirement, the step that covers it now
//! ```
//! Every candidate of phases 1 and 2 goes through `replay/path_tester.rs`. It remembers in a trie which paths replay and
//! which do not, and runs only the rest. `model/` holds what all phases share: requirements, costs, indexed traces.

mod bound;
mod cover;
mod model;
mod options;
mod phase1;
mod phase2;
mod phase3;
mod phases;
mod proof;
mod recorded_trace;
mod reduce;
mod reduction;
mod replay;
mod select;
mod stats;

pub use bound::{BoundMethod, LowerBound};
pub use cover::{Cover, CoverCandidate, smallest_cover};
pub use model::cost::{CostModel, SizeAndCost};
pub use model::requirement::{Requirement, RequirementScope};
pub use options::{ReductionLimits, ReductionOptions};
pub use proof::{CoverageProof, RemovedKind, RemovedSteps, RequirementProof};
pub use recorded_trace::{IncompleteRecording, RecordedTrace};
pub use reduce::{ReductionError, reduce};
pub use reduction::{ReducedTrace, ReductionStages, StepPosition, SuiteReduction};
pub use replay::{RESTART_EFFORT, Replay, ReplayError, ReplayMode, ReplayResult, StopRecording};
pub use select::quarantine::{QuarantinedTrace, UnstableRequirement};
pub use stats::ReductionStats;
