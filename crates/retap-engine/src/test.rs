//! Runs an app's own instrumented tests on embedded devices.

mod driver;
mod evidence;
mod plan;
mod test_apk;
mod workers;

pub use driver::TestDriver;
pub use evidence::TestEvidence;
pub use plan::{CleanInstalls, TestPlan, TestSettings};
pub use test_apk::TestTarget;
pub use workers::{TestJob, TestRun, run_tests};
