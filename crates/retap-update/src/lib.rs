//! Tests what an update changed, with few inputs: the dynamic half of ATUA.
//!
//! ATUA is a strategy of the exploring loop: it learns the app's model from recorded entries, plans its next move from that
//! model, and knows when it is done. The comparison of the two versions is a function of observed executions.
//!
//! Law: this crate does **not** know a device, files, clocks, threads or terminals. It learns only from recorded entries, so
//! that a resumed run goes on as if nothing had happened.

mod input;
mod model;
mod oracle;
mod phase;
mod progress;
mod strategy;
mod targets;
mod travel;

pub use input::{ManualInputError, ManualInputs};
pub use model::{
    AbstractAction, AdoptedCounts, ConcreteStep, ModelCounts, RunModel, RunWindow, RunWindowId,
    SavedModel, UiAction,
};
pub use oracle::{
    ChangeKnowledge, ComparedRuns, Explanation, ScreenDifference, UpgradeFault, UpgradeRuns,
    VersionDifference, compare_versions, judge_upgrade, name_rows, skip_missing_event,
};
pub use phase::{PhaseName, RelatedWindows};
pub use progress::{FirstCover, UpdateProgress, WhyNotCovered};
pub use strategy::{UpdateSettings, UpdateStrategy};
pub use targets::{TargetMethod, TargetNumber, TargetOrigin, Targets};
