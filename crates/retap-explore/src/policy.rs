//! TimeMachine's three policies: which states are interesting, when exploration is stuck, which state is fittest.

mod fittest;
mod interesting;
mod settings;
mod stuck;

pub use fittest::{FittestChoice, FittestPolicy};
pub use interesting::InterestingPolicy;
pub use settings::{PolicyError, parse_name};
pub use stuck::{StuckCriterion, StuckDetector, StuckPolicy};
