//! Puts the oracles of `retap-oracle` to work: passive ones look at every observation of a run, active ones ask
//! questions in executions of their own after it.

mod active;
mod losable;
mod passive;
mod probe;

pub use active::ProbeLimits;
pub use passive::PassiveOracles;
