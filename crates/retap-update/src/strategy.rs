//! ATUA as a strategy of the exploring loop. Everything it knows and plans is a fold over recorded entries: it plans its
//! next move when it learns, and deciding only hands the move over. Where the phases know nothing that leads on, the strategy
//! `auto` decides, with a map on which only targets count.

use crate::input::{ManualInputs, TextMemory};
use crate::model::{AdoptedCounts, RunModel, SavedModel};
use crate::phase::{Phase1, Phase2, Phase3, PhaseName, PhaseStep, PlanContext};
use crate::progress::{FirstCover, UpdateProgress};
use crate::targets::{TargetNumber, Targets};
use crate::travel::Visits;
use retap_explore::{Auto, DecisionContext, DecisionRng, Move, Novelty, RecordedEntry, Strategy};
use retap_model::observation::RecordedOutcome;
use retap_model::{Event, Key, Step};
use retap_static::AppModel;
use std::collections::BTreeSet;

/// Keeps the random numbers of plans apart from those of other strategies.
const SEED_OFFSET: u64 = 0x6174_7561;
/// Events outside the app in a row before a restart.
const MAX_OUTSIDE: u32 = 3;

#[derive(Debug, Clone)]
pub struct UpdateSettings {
    pub seed: u64,
    /// 1 for an hour, 2 for five.
    pub scale: u32,
    /// The phases to run, in order.
    pub phases: Vec<PhaseName>,
    pub manual: ManualInputs,
    /// Texts that the app's code compares with.
    pub compared_texts: Vec<String>,
    /// The inputs of the whole run.
    pub max_inputs: u64,
}

/// What the strategy does next.
#[derive(Debug, Clone)]
enum Planned {
    Move(Move),
    /// The explorer decides.
    Explore,
}

#[derive(Debug)]
pub struct UpdateStrategy {
    settings: UpdateSettings,
    model: RunModel,
    targets: Targets,
    texts: TextMemory,
    visits: Visits,
    progress: UpdateProgress,
    /// The position of the current phase in the settings.
    phase: usize,
    phase1: Phase1,
    phase2: Phase2,
    phase3: Phase3,
    /// The number of entries learnt.
    entries: u64,
    /// The number of inputs so far, those of returns included.
    inputs: u64,
    /// The number of windows shown in a row.
    visit: u64,
    traces: u64,
    /// The events of the current trace.
    trace_events: usize,
    outside: u32,
    explorer: Auto,
    planned: Planned,
    reason: String,
}

impl UpdateStrategy {
    /// Makes the strategy. The explorer's map has the targets as its goals.
    pub fn new(
        settings: UpdateSettings,
        model: &AppModel,
        targets: Targets,
        explorer: Auto,
    ) -> Self {
        let model = RunModel::new(model, &targets);
        let windows = model.windows.ids().map(|id| (id, model.windows.get(id).clone()));
        Self {
            texts: TextMemory::new(windows).with_compared(&settings.compared_texts),
            settings,
            model,
            targets,
            visits: Visits::default(),
            progress: UpdateProgress::default(),
            phase: 0,
            phase1: Phase1::default(),
            phase2: Phase2::default(),
            phase3: Phase3::default(),
            entries: 0,
            inputs: 0,
            visit: 0,
            traces: 0,
            trace_events: 0,
            outside: 0,
            explorer,
            planned: Planned::Move(Move::Restart),
            reason: String::new(),
        }
    }

    /// Begins with what another version's run has learnt.
    pub fn adopt(&mut self, saved: &SavedModel) -> AdoptedCounts {
        self.model.adopt(saved)
    }

    pub fn model(&self) -> &RunModel {
        &self.model
    }

    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    pub fn progress(&self) -> &UpdateProgress {
        &self.progress
    }

    pub fn current_phase(&self) -> Option<PhaseName> {
        self.settings.phases.get(self.phase).copied()
    }

    fn learn_start(&mut self, novelty: Novelty<'_>) {
        self.traces += 1;
        self.trace_events = 0;
        self.progress.restarts += 1;
        self.record_coverage(novelty, "launch the app", 0);
        self.visits.record_start(novelty.result.state, novelty.result.screen);
        self.arrive(novelty);
    }

    /// Learns where the app is after a launch or a return.
    fn arrive(&mut self, novelty: Novelty<'_>) {
        self.model.leave();
        if let Some(id) = novelty.result.screen.filter(|_| is_in_app(&novelty.result.outcome)) {
            self.model.record_arrival(id, novelty.screen);
        }
        self.visit += 1;
    }

    fn learn_step(&mut self, step: &Step, novelty: Novelty<'_>) {
        self.trace_events += 1;
        self.texts.record(&step.event);
        let covered = self.record_coverage(novelty, &step.event.to_string(), 1);
        let before = self.model.here();
        if let Some(before) = before
            && let Some(screen) = self.model.screen(before.screen).cloned()
        {
            self.model.windows.record_hidden(&step.event, &screen, before.window, &covered);
            if !step.result.host_limitations.is_empty() {
                let name = self.model.windows.get(before.window).name.clone();
                self.progress.limited_windows.insert(name);
            }
        }
        self.visits.record_step(step.result.state, step.result.screen);
        match step.result.screen {
            Some(id) if !step.result.outcome.is_final() => {
                self.model.record_step(&step.event, id, novelty.screen, covered);
            }
            _ => self.model.record_ending(&step.event),
        }
        if self.model.here().map(|here| here.window) != before.map(|before| before.window) {
            self.visit += 1;
        }
    }

    /// Records what ran, and returns the targets among it.
    fn record_coverage(
        &mut self,
        novelty: Novelty<'_>,
        event: &str,
        inputs: u64,
    ) -> BTreeSet<TargetNumber> {
        self.inputs += inputs;
        let before = UpdateProgress::covered(&self.targets);
        let covered = novelty.units.map(|units| self.targets.record(units)).unwrap_or_default();
        let after = UpdateProgress::covered(&self.targets);
        let phase = self.current_phase().filter(|_| self.entries > 0);
        for target in &covered {
            let first = || FirstCover {
                phase,
                trace: self.traces.saturating_sub(1),
                events: self.trace_events,
                event: event.to_string(),
            };
            self.progress.first_covers.entry(*target).or_insert_with(first);
        }
        match phase {
            Some(phase) => {
                let progress = self.progress.phases.entry(phase).or_default();
                progress.inputs += inputs;
                progress.targets += after.0 - before.0;
                progress.instructions += after.1 - before.1;
            }
            None => self.progress.at_launch += after.0 - before.0,
        }
        covered
    }

    /// Plans the next move from the last result.
    fn plan(&mut self, outcome: &RecordedOutcome, last_event: Option<&Event>) {
        self.outside = if is_in_app(outcome) { 0 } else { self.outside + 1 };
        let (planned, reason) = match outcome {
            RecordedOutcome::Running | RecordedOutcome::Missed => self.plan_by_phases(),
            RecordedOutcome::Exited => {
                (Planned::Move(Move::Do(Event::Launch)), "the app has ended".into())
            }
            RecordedOutcome::Left(_) if self.outside <= MAX_OUTSIDE => {
                // Back leads nowhere from the home screen, where closing the app leads.
                let has_gone_back = matches!(last_event, Some(Event::Key(_) | Event::Close));
                let back = if has_gone_back { Event::Launch } else { Event::Key(Key::back()) };
                (Planned::Move(Move::Do(back)), "another app is in front".into())
            }
            _ => (Planned::Explore, "the app is gone".into()),
        };
        (self.planned, self.reason) = (planned, reason);
    }

    fn plan_by_phases(&mut self) -> (Planned, String) {
        let Some(here) = self.model.here() else { return (Planned::Explore, String::new()) };
        let mut context = PlanContext {
            model: &self.model,
            targets: &self.targets,
            texts: &self.texts,
            manual: &self.settings.manual,
            visits: &self.visits,
            here,
            visit: self.visit,
            scale: self.settings.scale,
            inputs_left: self.settings.max_inputs.saturating_sub(self.inputs),
            rng: DecisionRng::new(self.settings.seed ^ SEED_OFFSET, self.entries),
        };
        while let Some(phase) = self.settings.phases.get(self.phase).copied() {
            let step = match phase {
                PhaseName::Inputs => self.phase1.next(&mut context),
                PhaseName::Values => self.phase2.next(&mut context),
                PhaseName::Related => self.phase3.next(&mut context),
            };
            match step {
                PhaseStep::Move(next_move, reason) => {
                    let reason = format!("phase {}: {reason}", phase.number());
                    return (Planned::Move(next_move), reason);
                }
                PhaseStep::Explore(reason) => {
                    return (Planned::Explore, format!("phase {}: {reason}", phase.number()));
                }
                PhaseStep::Over(why) => {
                    self.progress.phases.entry(phase).or_default().ended = Some(why.to_string());
                    self.phase += 1;
                }
            }
        }
        (Planned::Explore, "all phases have ended".into())
    }
}

impl Strategy for UpdateStrategy {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        let next_move = match &self.planned {
            Planned::Move(next_move) => next_move.clone(),
            Planned::Explore => {
                let next_move = self.explorer.decide(context);
                self.reason = format!("{}; {}", self.reason, self.explorer.reason());
                return next_move;
            }
        };
        match &next_move {
            Move::Return(state) => {
                let is_possible = context
                    .graph
                    .node(*state)
                    .is_some_and(|node| node.is_destination())
                    && context.graph.path_length(*state).is_some_and(|it| it < context.path_limit);
                if is_possible { Move::Return(*state) } else { Move::Restart }
            }
            Move::Do(_) if context.is_trace_over => self.explorer.decide(context),
            // What follows on a phone cannot be seen here.
            Move::Do(event) if context.is_avoided(event) => Move::Do(Event::Key(Key::back())),
            next_move => next_move.clone(),
        }
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        self.explorer.learn(entry);
        match entry {
            RecordedEntry::Start(novelty) => {
                self.learn_start(novelty);
                self.entries += 1;
                self.plan(&novelty.result.outcome, None);
            }
            RecordedEntry::Return { trace, returns, novelty } => {
                self.traces += 1;
                self.trace_events = trace.steps.len();
                self.progress.returns += 1;
                let last =
                    trace.steps.last().map_or_else(String::new, |step| step.event.to_string());
                self.record_coverage(novelty, &last, returns.events);
                if !returns.arrived(trace.last()) {
                    self.visits.forget(returns.to);
                }
                self.visits.record_return(
                    trace.steps.len(),
                    novelty.result.state,
                    novelty.result.screen,
                );
                self.arrive(novelty);
                self.entries += 1;
                self.plan(&novelty.result.outcome, None);
            }
            RecordedEntry::Step(step, novelty) => {
                self.learn_step(step, novelty);
                self.entries += 1;
                self.plan(&step.result.outcome, Some(&step.event));
            }
        }
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }

    fn is_done(&self) -> bool {
        let are_phases_over = self.phase >= self.settings.phases.len();
        self.entries > 0 && are_phases_over && self.targets.are_covered()
    }

    fn wants_screens(&self) -> bool {
        true
    }

    fn wants_snapshots(&self) -> bool {
        true
    }
}

fn is_in_app(outcome: &RecordedOutcome) -> bool {
    matches!(outcome, RecordedOutcome::Running | RecordedOutcome::Missed)
}
