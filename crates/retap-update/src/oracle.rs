//! The oracle for updates: compares what two versions show after the same events, and says what the diff explains.

mod compare;
mod facts;
mod knowledge;
mod rows;
mod skip;
mod upgrade;

pub use compare::{
    ComparedRuns, Explanation, ScreenDifference, VersionDifference, compare_versions,
};
pub use knowledge::ChangeKnowledge;
pub use rows::name_rows;
pub use skip::skip_missing_event;
pub use upgrade::{UpgradeFault, UpgradeRuns, judge_upgrade};
