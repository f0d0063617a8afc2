//! When a candidate passes, and how sure an answer is (ND3MIN, sections 3 and 5).

mod binomial;
mod check;
mod confidence;
mod prior;
mod run_counts;

pub(crate) use binomial::binomial;
pub(crate) use check::CandidateStatus;
pub use check::Check;
pub use confidence::{P1_SUCCESS_RATE, p1, p2, truncate_probability};
pub use prior::{POINT_COUNT, Prior, PriorPoint};
pub use run_counts::RunCounts;
