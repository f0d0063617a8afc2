//! An app's own instrumented tests: which of them run, what the reports of an instrumentation say about each, and how
//! often a test fails in many worlds.
//!
//! Law: this crate does **not** know devices, files, threads or terminals. It turns reports into results, and the same
//! reports give the same results.

mod flakiness;
mod parting;
mod report_reader;
mod test_end;
mod test_filter;
mod test_name;
mod test_result;

pub use flakiness::Flakiness;
pub use parting::Parting;
pub use report_reader::{InstrumentationStatus, ReportReader};
pub use test_end::TestEnd;
pub use test_filter::TestFilter;
pub use test_name::TestName;
pub use test_result::{TestAttempt, TestResult};
