//! The optimal schedule as a finite-horizon Markov decision process (ND3MIN, section 4.3), solved
//! in one backward pass over merged states.

mod policy;
mod solve;
mod states;

pub use policy::{Malformed, Policy};
pub use states::{Setting, TooLarge};
