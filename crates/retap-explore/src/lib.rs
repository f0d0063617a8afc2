//! Explores an app: chooses the next event, performs it, records it and keeps what it finds.
//!
//! Law: this crate does **not** know which device it drives. It asks a `Rig` and never names adb or the JVM. It has
//! no clock, starts no threads, and draws no random numbers but those that its seed gives it. Every decision is a
//! function of the seed, the number of events so far and the recorded entries. A killed run can therefore be resumed
//! and ends as if it had never been interrupted.

mod code_map;
mod decision_rng;
mod exploration;
mod graph;
mod oracles;
mod policy;
mod strategy;
mod travel;

pub use code_map::{CodeMap, MapGesture, MapInput, MapWindow};
pub use decision_rng::DecisionRng;
pub use exploration::{
    AvoidedEvents, CrashTotals, Exploration, ExplorationLimits, ExplorationProgress,
    ExplorationTotals, ExploreError, FinishedTrace, Novelty, TeamSettings, explore_apart, recall,
};
pub use graph::{PathStep, StateEdge, StateGraph, StateNode};
pub use oracles::ProbeLimits;
pub use policy::{
    FittestChoice, FittestPolicy, InterestingPolicy, PolicyError, StuckCriterion, StuckDetector,
    StuckPolicy,
};
pub use strategy::auto::{
    ActionKind, Auto, AutoPart, AutoParts, EventFamily, EventKey, EventSignature, Experience,
    PossibleAction, TextClass, Vocabulary, list_actions,
};
pub use strategy::published::{Ape, DroidBot, Fastbot, QTesting, SearchOrder, Stoat};
pub use strategy::random::{EventMix, Random};
pub use strategy::random_restart::RandomRestart;
pub use strategy::seeded::SeededStrategy;
pub use strategy::timemachine::TimeMachine;
pub use strategy::{Decision, DecisionContext, Move, RecordedEntry, Strategy, StrategyEnd};
