//! The optimal schedule as a finite-horizon Markov decision process (ND3MIN, section 4.3), solved in one
//! backward pass over merged states.

mod job_runner;
mod policy;
mod policy_bytes;
mod schedule_search;
mod solver;
mod state_numbering;

pub use job_runner::{JobRunner, SingleThread};
pub use policy::SchedulingPolicy;
pub use policy_bytes::MalformedPolicy;
pub use state_numbering::{PolicySetting, PolicyTooLarge};
