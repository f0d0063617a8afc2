//! Exploration with a device: settings, strategies, and what becomes of crashes and findings.

pub mod background;
pub mod check_budget;
pub mod checks;
pub mod code_map;
pub(crate) mod compared_texts;
mod detours;
pub mod evidence;
pub mod film;
pub mod legs;
pub mod oracles;
mod program_strategy;
pub mod screenshots;
pub mod settings;
pub mod strategy;
pub mod summary;

pub use settings::{ExploreSettings, StrategyKind};
