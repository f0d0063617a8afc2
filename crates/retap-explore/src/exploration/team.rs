//! Several explorers on one run, each with a rig and a strategy of its own.
//!
//! The run itself is the coordinator. It writes every trace when that trace has ended, as a whole, so that the run on
//! disk is like any other. If the explorers share, it also sends each trace to the others, which learn from it between
//! their own traces. All of them then choose from everything that is known.

mod explorer;

use super::memory::RunMemory;
use super::resuming::join_run;
use super::{Exploration, ExplorationLimits, ExplorationProgress, ExplorationTotals, ExploreError};
use crate::policy::InterestingPolicy;
use crate::strategy::Strategy;
pub(super) use explorer::Explorer;
use retap_device::{Rig, Worker, run_side_by_side};
use retap_model::format::run::TravelRow;
use retap_model::trace::Return;
use retap_model::{App, Event, Observation, Trace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The settings that all explorers of a team have in common.
#[derive(Debug, Clone, Copy)]
pub struct TeamSettings {
    pub limits: ExplorationLimits,
    pub interesting: InterestingPolicy,
    /// True if each explorer learns from the traces of the others.
    pub shares_traces: bool,
}

/// A trace that an explorer has ended, with everything that was observed.
#[derive(Debug)]
pub struct FinishedTrace {
    pub trace: Trace,
    pub began_with: Option<Return>,
    /// One more than there are steps.
    pub observations: Vec<Observation>,
    pub travel: Vec<TravelRow>,
}

/// A message from an explorer to the coordinator.
pub(super) enum ExplorerMessage {
    /// A move was made. The coordinator checks whether the run goes on.
    Moved,
    Finished {
        explorer: usize,
        trace: Arc<FinishedTrace>,
    },
    EndReason(Result<(), ExploreError>),
}

/// The counters that all explorers and the coordinator share while they work.
#[derive(Debug, Default)]
pub(super) struct SharedState {
    /// The events of all explorers.
    events: AtomicU64,
    must_stop: AtomicBool,
}

/// The coordinator's ends of the channels.
struct Mailbox {
    messages: Receiver<ExplorerMessage>,
    explorers: Vec<Sender<Arc<FinishedTrace>>>,
}

impl Exploration<'_> {
    /// Explores with one explorer for each strategy, each on a rig of its own, until a limit is reached or `watch`
    /// returns false. `watch` is called after every move of any explorer. However it ends, everything that happened
    /// is on disk.
    pub fn run_team(
        &mut self,
        rigs: &mut [Rig<'_>],
        strategies: &mut [Box<dyn Strategy>],
        settings: TeamSettings,
        watch: &mut dyn FnMut(ExplorationProgress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let Some(app) = rigs.first_mut().map(|rig| rig.app().cloned()).transpose()? else {
            return Ok(());
        };
        self.flush()?;
        let shared = SharedState {
            events: AtomicU64::new(self.memory.totals.events),
            must_stop: AtomicBool::new(false),
        };
        let (to_coordinator, messages) = channel();
        let mut mailbox = Mailbox { messages, explorers: Vec::new() };
        let mut workers: Vec<Worker<'_>> = Vec::new();
        for (number, (strategy, rig)) in strategies.iter_mut().zip(rigs).enumerate() {
            let memory = RunMemory::new(strategy.as_mut(), settings.interesting, &app);
            let (to_explorer, traces) = channel();
            mailbox.explorers.push(to_explorer);
            let explorer = Explorer {
                number,
                exploration: join_run(self, memory)?,
                traces,
                to_coordinator: to_coordinator.clone(),
                shared: &shared,
            };
            workers.push(Box::new(move || explorer.run(rig, settings)));
        }
        drop(to_coordinator);
        let result = run_side_by_side(workers, || {
            self.coordinate(&mailbox, &shared, settings.shares_traces, &app, watch)
        });
        let flushed = self.flush();
        result?;
        Ok(flushed?)
    }

    /// Writes the traces of the explorers until all of them have ended.
    fn coordinate(
        &mut self,
        mailbox: &Mailbox,
        shared: &SharedState,
        shares_traces: bool,
        app: &App,
        watch: &mut dyn FnMut(ExplorationProgress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let mut result = Ok(());
        // The channel closes when the last explorer has ended.
        for message in &mailbox.messages {
            match message {
                ExplorerMessage::Finished { explorer, trace } if result.is_ok() => {
                    result = self.write_trace(&trace, &mut |_| {});
                    if shares_traces {
                        mailbox.share(&trace, explorer);
                    }
                }
                ExplorerMessage::EndReason(Err(error)) if result.is_ok() => result = Err(error),
                ExplorerMessage::Moved
                | ExplorerMessage::Finished { .. }
                | ExplorerMessage::EndReason(_) => {}
            }
            let totals = &self.memory.totals;
            let goes_on =
                result.is_ok() && watch(ExplorationProgress { totals, app, last_decision: None });
            if !goes_on {
                shared.must_stop.store(true, Ordering::Relaxed);
            }
        }
        result
    }

    pub(super) fn write_trace(
        &mut self,
        finished: &FinishedTrace,
        watch: &mut dyn FnMut(&ExplorationTotals),
    ) -> Result<(), ExploreError> {
        for row in &finished.travel {
            self.journal.note_travel(row.clone())?;
        }
        self.record_trace(finished, watch)
    }

    /// Records a trace as if it had happened here. `watch` sees the totals after every entry.
    fn record_trace(
        &mut self,
        finished: &FinishedTrace,
        watch: &mut dyn FnMut(&ExplorationTotals),
    ) -> Result<(), ExploreError> {
        let FinishedTrace { trace, began_with, observations, .. } = finished;
        let events: Vec<Event> = trace.events().cloned().collect();
        let path_length = began_with.map_or(0, |returns| returns.steps);
        let (path, later_events) = events.split_at(path_length);
        let (path_observations, later_observations) = observations.split_at(path_length + 1);
        match began_with {
            Some(returns) => {
                self.record_return(trace.world_seed, *returns, path, path_observations)?;
            }
            None => self.record_start(trace.world_seed, &observations[0])?,
        }
        watch(self.totals());
        for (event, observation) in later_events.iter().zip(later_observations) {
            self.record_step(event.clone(), observation)?;
            watch(self.totals());
        }
        Ok(())
    }
}

impl Mailbox {
    /// Sends a trace to every explorer but its own.
    fn share(&self, trace: &Arc<FinishedTrace>, from: usize) {
        let others = self.explorers.iter().enumerate().filter(|(number, _)| *number != from);
        for (_, explorer) in others {
            // An explorer that has ended receives nothing any more, and needs nothing.
            let _ = explorer.send(Arc::clone(trace));
        }
    }
}
