//! The parts that every algorithm shares: candidates, the oracle that judges them, and the examiner
//! that stands between the two.

mod candidate;
mod cost;
mod examiner;
mod forecast;
mod known_prefixes;
mod known_runs;
mod oracle;
mod partition;

pub use candidate::Candidate;
pub use cost::{SearchBudget, SearchCost};
pub(crate) use examiner::Examiner;
pub(crate) use forecast::Forecast;
pub use oracle::{Answer, CandidateGoal, CandidateOracle, Question, SearchStop};
pub(crate) use partition::{Split, partition_by_weight};
