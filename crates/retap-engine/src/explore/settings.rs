//! The settings of an exploration, resolved from flags or from a bench.

use crate::DeviceSettings;
use retap_explore::auto::Ingredient;
use retap_explore::fittest::Fittest;
use retap_explore::interesting::Interesting;
use retap_explore::stuck::StuckRule;

#[derive(Debug, Clone)]
pub struct ExploreSettings {
    pub device: DeviceSettings,
    pub strategy: StrategyKind,
    pub interesting: Interesting,
    pub stuck: StuckRule,
    pub fittest: Fittest,
    /// Parts of the strategy `auto` that are switched off.
    pub without: Vec<Ingredient>,
    /// Traces to run first.
    pub seed_traces: Vec<String>,
    /// Act on random coordinates instead of widgets.
    pub blind: bool,
    /// A trace that reaches this many events ends and a new one begins.
    pub trace_length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyKind {
    Random,
    RandomRestart,
    TimeMachine,
    Auto,
}

impl ExploreSettings {
    /// Returns the policy that decides which states are worth a snapshot.
    pub fn interesting(&self) -> Interesting {
        match self.strategy {
            // `auto` can return to every state, so every state is worth a snapshot.
            StrategyKind::Auto => Interesting::NewState,
            _ => self.interesting,
        }
    }
}
