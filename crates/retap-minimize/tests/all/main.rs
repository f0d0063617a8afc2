//! The minimisers on examples of their papers, on generated traces and on devices that do not always agree. One program, because each further one is linked anew.

mod accounting;
mod dalvik;
mod edge_cases;
mod generated;
mod mdp;
mod nondeterminism;
mod properties;
mod scheduling;
