//! Minimisation: turns a long sequence that shows something interesting into a short one that still does.
//!
//! Law: the crate knows a sequence, a tree over it and a predicate, nothing more. It does **not** know
//! what an event is. It has no device, no I/O, no clock, no threads, no printing and no randomness of
//! its own. All chance lies in the answers of the [`CandidateOracle`]. Every question carries a run
//! number, so that the caller can draw the answer from a seed. `clippy.toml` beside `Cargo.toml`
//! enforces the law.
//!
//! ```text
//! minimize ─► baseline ─► an algorithm (dd, hdd, bhdd, lhdd, nd, probdd, cdd, auto)
//!                              │ "which of these candidates passes?"
//!                          Examiner               memory, budget, cost, best answer so far
//!                              │ schedules rounds (greedy, round-robin, heuristic, mdp)
//!                          CandidateOracle::ask   one round of oracle calls that may run in parallel
//! ```
//!
//! | folder | holds |
//! |---|---|
//! | `algorithms` | the papers' algorithms under their own names, and the passes that `auto` adds |
//! | `hierarchy` | the tree of GUI states that the hierarchical algorithms reduce |
//! | `search` | what all algorithms share: candidates, the oracle, the examiner, costs |
//! | `scheduling` | which candidates run in the next round |
//! | `statistics` | when a candidate passes, and how sure an answer is |
//! | `simulation` | generated apps to measure and test the algorithms on |
//!
//! ```
//! use retap_minimize::{
//!     Answer, CandidateOracle, MinimizeOptions, MinimizeProblem, Question, SearchStop, minimize,
//! };
//!
//! /// A candidate is interesting if it keeps both 3 and 7.
//! struct KeepsBoth;
//! impl CandidateOracle for KeepsBoth {
//!     fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
//!         let answer = |question: &Question| {
//!             let kept = question.candidate.positions();
//!             Answer { success: kept.contains(&3) && kept.contains(&7), events: kept.len() }
//!         };
//!         Ok(round.iter().map(answer).collect())
//!     }
//! }
//!
//! let problem = MinimizeProblem { length: 100, states: None };
//! let result = minimize(&problem, &mut KeepsBoth, &MinimizeOptions::default())?;
//! assert_eq!(result.answer.positions(), [3, 7]);
//! # Ok::<(), retap_minimize::MinimizeError>(())
//! ```

mod algorithms;
mod hierarchy;
mod minimize;
mod problem;
mod result;
mod scheduling;
mod search;

pub mod simulation;
pub mod statistics;

pub use algorithms::Algorithm;
pub use hierarchy::StateTree;
pub use minimize::minimize;
pub use problem::{MinimizeError, MinimizeOptions, MinimizeProblem};
pub use result::{Improvement, MinimizeEnding, MinimizeResult};
pub use scheduling::{
    JobRunner, MalformedPolicy, PolicySetting, PolicyTooLarge, Scheduler, SchedulingPolicy,
    SingleThread,
};
pub use search::{
    Answer, Candidate, CandidateGoal, CandidateOracle, Question, SearchBudget, SearchCost,
    SearchStop,
};
pub use statistics::{Check, Prior, RunCounts};
