//! The hierarchy of GUI states that the hierarchical algorithms reduce level by level.

mod level_check;
mod remaining_tree;
mod state_tree;

pub(crate) use level_check::{Balance, LevelCheck, can_drop_level};
pub(crate) use remaining_tree::RemainingTree;
pub use state_tree::StateTree;
