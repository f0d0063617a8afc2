//! The schedulers: which open candidates get how many oracle calls of the next round (ND3MIN, section 4).

mod heuristic;
mod mdp;
mod round_plan;
mod scheduler;

pub use mdp::{
    JobRunner, MalformedPolicy, PolicySetting, PolicyTooLarge, SchedulingPolicy, SingleThread,
};
pub use scheduler::Scheduler;
