//! Testing an update with devices: what to reach, both versions side by side, and the sequences to keep.

mod app_tests;
mod changed_code;
mod comparison;
mod markdown;
mod plan;
mod result;
mod sequence;
mod suite;
mod upgrade;

pub use app_tests::{TestComparison, compare_tests};
pub use comparison::{ComparisonSettings, FoundDifference, VersionComparison, compare};
pub use markdown::render_markdown;
pub use plan::{PlanSettings, UpdatePlan};
pub use result::{ResultInput, build_result, difference_folder};
pub use suite::{SuiteInput, TargetSuite, write_suite};
pub use upgrade::{
    FoundUpgradeFault, RepeatedUpgrade, UpgradeCheck, UpgradeSettings, check_upgrade,
    repeat_upgrade,
};
