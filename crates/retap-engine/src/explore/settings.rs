//! The settings of an exploration, resolved from flags or from a bench.

use crate::DeviceSettings;
use retap_explore::{AutoPart, FittestPolicy, InterestingPolicy, StuckPolicy};
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct ExploreSettings {
    pub device: DeviceSettings,
    pub strategy: StrategyKind,
    pub interesting: InterestingPolicy,
    pub stuck: StuckPolicy,
    pub fittest: FittestPolicy,
    /// Parts of the strategy `auto` that are switched off.
    pub without: Vec<AutoPart>,
    /// Prefer what the app's code says has not run yet.
    pub map: bool,
    /// A run of this app or of another version of it, whose experience the strategy `auto` begins with.
    pub learn_from: Option<PathBuf>,
    /// Traces to run first.
    pub seed_traces: Vec<String>,
    /// Act on random coordinates instead of widgets.
    pub blind: bool,
    /// A trace that reaches this many events ends and a new one begins.
    pub trace_length: usize,
    /// The events of the run, if they are limited. Strategies with phases divide them.
    pub max_events: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StrategyKind {
    Random,
    RandomRestart,
    TimeMachine,
    Auto,
    DroidBotDfs,
    DroidBotBfs,
    Fastbot,
    Ape,
    Stoat,
    QTesting,
    /// A program that is asked for every move.
    Program(String),
}

impl ExploreSettings {
    /// Returns the policy that decides which states are worth a snapshot.
    pub fn interesting(&self) -> InterestingPolicy {
        match self.strategy {
            // `auto` can return to every state, so every state is worth a snapshot.
            StrategyKind::Auto => InterestingPolicy::NewState,
            _ => self.interesting,
        }
    }
}
