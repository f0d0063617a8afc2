//! Suites before and after: the paper's examples, the contract, and properties under random input. One program, because each further one is linked anew.

mod common;
mod contract;
mod minimizing;
mod papers;
mod properties;
