//! retap's own strategy. At every event it chooses the state to be in: it stays while the current state promises
//! something, else it walks or returns to the state with the highest expected reward for the cost of getting there.
//!
//! The expected reward of an event is learnt from what the event and its family led to. Every decision follows from
//! recorded entries alone.

mod actions;
mod choosing;
pub(super) mod event_key;
mod experience;
mod guide;
mod learning;
mod parts;
mod planning;
mod reward_record;
mod state_activities;
mod statistics;
mod text_class;
mod vocabulary;

pub use actions::{ActionKind, PossibleAction, list_actions};
pub use event_key::{EventFamily, EventKey, EventSignature};
pub use experience::Experience;
pub use parts::{AutoPart, AutoParts};
pub use text_class::TextClass;
pub use vocabulary::Vocabulary;

use super::random::{EventMix, Random};
use super::{DecisionContext, Move, RecordedEntry, Strategy};
use crate::code_map::CodeMap;
use guide::MapGuide;
use retap_model::hash::StableHasher;
use retap_model::{App, CrashId, StateId};
use reward_record::RewardRecord;
use state_activities::StateActivities;
use statistics::EventStatistics;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub struct Auto {
    random: Random,
    /// Draws the events of bursts: more of those that change what no screen shows.
    burst: Random,
    app: App,
    vocabulary: Vocabulary,
    parts: AutoParts,
    statistics: EventStatistics,
    guide: MapGuide,
    activities: StateActivities,
    /// Hashes of the sets of actions that screens offered.
    known_layouts: BTreeSet<u64>,
    /// What texts of each class gave in each field.
    text_classes: BTreeMap<EventFamily, RewardRecord>,
    /// The text that was in each field when something new was met.
    rewarded_texts: BTreeMap<EventFamily, String>,
    /// What this run learns for later ones.
    learnt: Experience,
    current_state: Option<StateId>,
    /// The last events of the trace, the newest first.
    recent: VecDeque<EventKey>,
    /// The text that was typed into each field since the current state was entered.
    typed_texts: BTreeMap<EventFamily, String>,
    /// True until the first event of a trace. A run that left each trace at once would never end.
    is_trace_new: bool,
    /// The crashes that the run has met, by their exception.
    known_crashes: BTreeMap<String, BTreeSet<CrashId>>,
    /// Events and returns since the last large reward.
    events_without_reward: u64,
    reason: String,
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auto")
            .field("events_without_reward", &self.events_without_reward)
            .finish_non_exhaustive()
    }
}

impl Auto {
    pub fn new(random: Random, app: App, vocabulary: Vocabulary, parts: AutoParts) -> Self {
        let learns_from_families = parts.has(AutoPart::Families);
        let burst = Random { mix: EventMix::disturbing(), ..random };
        Self {
            random,
            burst,
            app,
            vocabulary,
            parts,
            statistics: EventStatistics::new(learns_from_families),
            guide: MapGuide::default(),
            activities: StateActivities::default(),
            known_layouts: BTreeSet::new(),
            text_classes: BTreeMap::new(),
            rewarded_texts: BTreeMap::new(),
            learnt: Experience::default(),
            current_state: None,
            recent: VecDeque::new(),
            typed_texts: BTreeMap::new(),
            is_trace_new: false,
            known_crashes: BTreeMap::new(),
            events_without_reward: 0,
            reason: String::new(),
        }
    }

    /// Prefers what the map says has not run yet.
    pub fn with_map(self, map: CodeMap) -> Self {
        Self { guide: MapGuide::new(map), ..self }
    }

    /// Begins with what an earlier run learnt.
    pub fn with_experience(mut self, experience: Experience) -> Self {
        self.rewarded_texts.clone_from(&experience.texts);
        self.statistics.set_experience(experience);
        self
    }

    /// Returns what this run has learnt, for another run.
    pub fn into_experience(mut self) -> Experience {
        self.learnt.texts = self.rewarded_texts;
        self.learnt
    }

    /// Returns a hash of the texts that were typed since the current state was entered.
    fn form(&self) -> u64 {
        if self.typed_texts.is_empty() || !self.parts.has(AutoPart::Forms) {
            return 0;
        }
        let mut hasher = StableHasher::new("form");
        for (field, text) in &self.typed_texts {
            hasher.u64(field.0).str(text);
        }
        hasher.finish()
    }
}

impl Strategy for Auto {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        let decision = self.choose(context);
        self.reason = decision.reason;
        decision.next_move
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        match entry {
            RecordedEntry::Start(novelty) => {
                // The reward counts for no event, but the layout of the first screen must become known.
                self.compute_reward(novelty);
                self.begin_trace(novelty);
            }
            RecordedEntry::Return { novelty, .. } => {
                self.events_without_reward += 1;
                self.begin_trace(novelty);
            }
            RecordedEntry::Step(step, novelty) => self.learn_step(step, novelty),
        }
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }

    fn wants_screens(&self) -> bool {
        true
    }

    fn wants_snapshots(&self) -> bool {
        true
    }
}
