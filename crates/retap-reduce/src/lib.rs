//! DetReduce (Choi, Sen, Necula, Wang, ICSE 2018): a whole suite made small, with nothing lost; joined with
//! SimplyDroid, which goes on where loops and fragments end.
//!
//! Law: a suite and a [`Replay`], nothing more. This crate does **not** know devices, files, clocks or
//! threads; what has to be run is asked for in rounds, and the answers decide everything else. The order
//! and size of rounds depend on the answers alone, so the result is the same however many devices answer.
//!
//! ```text
//! recordings ─► select      redundant traces go, what adds most for its cost first; what is left must replay
//!            ─► eliminate   phase 1: loops go, shortest candidate first       L(τ), loops.rs, descent.rs
//!            ─► splice      phase 2: at most k fragments joined               T_k, lts.rs, reach.rs, ways.rs, plan.rs
//!            ─► trim        traces and tails that nothing needs any more
//!            ─► shrink      phase 3: each trace minimised for what only it covers   errand.rs, retap-minimize
//!            ─► bound       what no suite of these fragments can go below
//! ```
//! Every candidate goes through [`trial`], which remembers in a trie what is known to replay and what is
//! known not to, and runs only the rest.

mod around;
mod bits;
mod blame;
mod bound;
mod cost;
mod descent;
mod eliminate;
mod errand;
mod ground;
mod inquiry;
mod limits;
mod loops;
mod lore;
mod lts;
mod need;
mod offer;
mod phases;
mod plan;
mod proof;
mod reach;
mod recording;
mod reduce;
mod reduction;
mod repair;
mod replay;
mod select;
mod shrink;
mod splice;
mod tally;
mod trial;
mod trie;
mod trim;
mod ways;

pub use bound::{LowerBound, Method};
pub use cost::{CostModel, Size};
pub use limits::{Limits, Options};
pub use need::{Need, Scope};
pub use proof::{Proof, Removed, RemovedKind, Where};
pub use recording::{Recording, Unrecorded};
pub use reduce::{Error, reduce};
pub use reduction::{Origin, Reduced, Reduction, Stages};
pub use replay::{Halt, Patience, RESTART, Replay, Replayed, Strays};
pub use select::{Quarantined, Unstable};
pub use tally::Tally;
