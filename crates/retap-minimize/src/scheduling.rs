//! The schedulers: which open candidates get how many oracle calls of the next round (ND3MIN, section 4).

mod greedy;
mod heuristic;
mod mdp;
mod round_plan;
mod round_robin;
mod scheduler;

pub use mdp::{
    JobRunner, MalformedPolicy, PolicySetting, PolicyTooLarge, SchedulingPolicy, SingleThread,
};
pub use scheduler::Scheduler;
