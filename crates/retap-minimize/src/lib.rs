//! Minimisation: turns a long sequence that shows something interesting into a short one that still does.
//!
//! Law: a sequence, a tree over it and a predicate, nothing more. This crate does **not** know what
//! an event is; it has no device, no I/O, no clock, no printing and no randomness of its own: every
//! chance is in the answers of the [`Oracle`], which names its runs by number so that the caller can
//! draw them from a seed. `clippy.toml` beside `Cargo.toml` enforces it.
//!
//! ```text
//! minimize ─► baseline ─► an algorithm (dd, hdd, bhdd, lhdd, nd, probdd, cdd, auto)
//!                              │ "which of these candidates passes?"
//!                          Examiner        memory, budget, cost, best answer so far
//!                              │ schedules rounds (greedy, round-robin, heuristic, mdp)
//!                          Oracle::ask     one round of oracle calls that may run in parallel
//! ```
//!
//! ```
//! use retap_minimize::{Answer, Options, Oracle, Problem, Question, Stop, minimize};
//!
//! /// Interesting is what keeps both 3 and 7.
//! struct Both;
//! impl Oracle for Both {
//!     fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, Stop> {
//!         let answer = |question: &Question| {
//!             let kept = question.candidate.positions();
//!             Answer { success: kept.contains(&3) && kept.contains(&7), events: kept.len() }
//!         };
//!         Ok(round.iter().map(answer).collect())
//!     }
//! }
//!
//! let problem = Problem { length: 100, states: None };
//! let outcome = minimize(&problem, &mut Both, &Options::default())?;
//! assert_eq!(outcome.answer.positions(), [3, 7]);
//! # Ok::<(), retap_minimize::Error>(())
//! ```

mod algorithm;
mod auto;
mod beginnings;
mod candidate;
mod cdd;
mod check;
mod cost;
mod dd;
mod examiner;
mod forecast;
mod halving;
mod hdd;
mod heaviest;
mod heuristic;
mod lhdd;
mod minimize;
mod nd;
mod oracle;
mod outcome;
mod partition;
mod probdd;
mod pruned;
mod scheduler;
mod singles;

pub mod mdp;
pub mod prior;
pub mod simulation;
pub mod statistics;
pub mod tree;

pub use algorithm::Algorithm;
pub use candidate::Candidate;
pub use check::{Check, Tally};
pub use cost::{Budget, Cost};
pub use mdp::Policy;
pub use minimize::{Error, Options, Problem, minimize};
pub use oracle::{Answer, Goal, Oracle, Question, Stop};
pub use outcome::{Ending, Milestone, Outcome};
pub use prior::Prior;
pub use scheduler::Scheduler;
pub use tree::Tree;
