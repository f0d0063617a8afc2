//! Runs an app's own instrumented tests on embedded devices.

mod choice;
mod driver;
mod evidence;
mod forwards;
mod parting;
mod plan;
mod recorded_trace;
mod session;
mod test_apk;
mod workers;

pub use choice::{TestChoice, choose_tests};
pub use driver::TestDriver;
pub use evidence::TestEvidence;
pub use forwards::Forward;
pub use plan::{CleanInstalls, TestPlan, TestSettings};
pub use test_apk::{TestFiles, TestTarget};
pub use workers::{TestJob, TestRun, run_tests};
