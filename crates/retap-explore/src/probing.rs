//! The oracles that ask: when a run has ended, the display is turned, the app left and back pressed in the states that
//! were met. Every question is an execution of its own from a clean install, so that the run stays what it was.
//! A suspicion is believed only if time alone does not explain it and if it comes again in another world.

use crate::exploration::{Exploration, ExploreError};
use retap_device::{DeviceError, Rig};
use retap_model::format::run::read_states;
use retap_model::trace::StepResult;
use retap_model::{
    Abstraction, Event, Finding, FindingKind, Observation, Outcome, StateId, Step, Trace, WorldSeed,
};
use retap_oracle::{Oracles, probe};
use std::collections::BTreeMap;

const ASKING: [FindingKind; 3] =
    [FindingKind::Rotation, FindingKind::Background, FindingKind::Back];

/// What asking may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    pub events: u64,
    pub states: usize,
}

/// Lets a way run to its end.
const ON: &(dyn Fn(usize, &Observation) -> bool + Sync) = &|_, _| false;

impl Exploration<'_> {
    /// Asks in the states that were met, the nearest of every activity first. Ends early when `go_on` says so.
    pub fn probe(
        &mut self,
        rig: &mut Rig<'_>,
        effort: Effort,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), ExploreError> {
        let Some(oracles) = self.watcher.as_ref().map(|watcher| watcher.oracles.clone()) else {
            return Ok(());
        };
        if !ASKING.iter().any(|kind| oracles.has(*kind)) {
            return Ok(());
        }
        let before = rig.cost().events;
        for state in self.worth_asking()?.into_iter().take(effort.states) {
            if rig.cost().events - before >= effort.events || !go_on() {
                break;
            }
            let Some(way) = self.graph.way_to(state) else { continue };
            let info = self.journal.info();
            let place = Questioning {
                oracles: &oracles,
                world_seed: info.world_seed,
                way: &way,
                state,
                abstraction: info.abstraction,
                package: info.app.package.clone(),
            };
            for (finding, trace) in place.ask(rig)? {
                self.keep_found(&finding, &trace)?;
            }
        }
        rig.leave();
        Ok(())
    }

    /// One state of every activity after another, the nearest ones first.
    fn worth_asking(&mut self) -> Result<Vec<StateId>, ExploreError> {
        self.journal.flush()?;
        let mut by_activity: BTreeMap<String, Vec<(usize, StateId)>> = BTreeMap::new();
        let rows = self.journal.dir().map(read_states).transpose()?;
        for row in rows.unwrap_or_default() {
            let known = self.graph.node(row.state).is_some_and(|node| !node.away);
            if let Some(depth) = self.graph.depth(row.state).filter(|_| known) {
                by_activity.entry(row.activity).or_default().push((depth, row.state));
            }
        }
        let mut order: Vec<(usize, usize, StateId)> = Vec::new();
        for (_, mut states) in by_activity {
            states.sort_unstable();
            order.extend(states.into_iter().enumerate().map(|(rank, (depth, s))| (rank, depth, s)));
        }
        order.sort_unstable();
        Ok(order.into_iter().map(|(_, _, state)| state).collect())
    }
}

/// One state, and what is asked there.
struct Questioning<'a> {
    oracles: &'a Oracles,
    world_seed: WorldSeed,
    way: &'a [Event],
    state: StateId,
    abstraction: Abstraction,
    package: String,
}

impl Questioning<'_> {
    fn ask(&self, rig: &mut Rig<'_>) -> Result<Vec<(Finding, Trace)>, DeviceError> {
        let mut found = Vec::new();
        let seen = rig.go_to(self.world_seed, self.way, ON)?;
        let arrived = seen.len() == self.way.len() + 1
            && seen.last().is_some_and(|seen| self.is_here(seen) && probe::can_be_asked(seen));
        if !arrived {
            return Ok(found);
        }
        let filled = self.fill(rig)?;
        for kind in ASKING.into_iter().filter(|kind| self.oracles.has(*kind)) {
            // Pressing back asks about the screen, not about what was filled in.
            let from = if kind == FindingKind::Back { self.way } else { &filled };
            rig.go_to(self.world_seed, from, ON)?;
            let suspicions = self.put(kind, rig, &mut found)?;
            if !suspicions.is_empty() {
                let events = rig.events().to_vec();
                let trace = self.trace(&events, rig.seen());
                for finding in self.confirm(kind, from, &events, suspicions, rig)? {
                    found.push((finding, trace.clone()));
                }
            }
        }
        Ok(found)
    }

    /// Fills fields in and ticks boxes as long as that leads nowhere else; the whole way, with what was filled in.
    fn fill(&self, rig: &mut Rig<'_>) -> Result<Vec<Event>, DeviceError> {
        let mut filled = rig.events().to_vec();
        while let Some(before) = rig.here().cloned() {
            let done = filled.len() - self.way.len();
            let Some(event) = probe::filling(&before.screen, done) else { break };
            let seen = rig.perform(&event)?;
            let same = seen.outcome == Outcome::Running
                && seen.screen.activity == before.screen.activity
                && front(seen) == front(&before);
            if !same {
                break;
            }
            filled.push(event);
        }
        Ok(filled)
    }

    /// Puts the question where the rig stands. What shows on the way to the answer is found as well.
    fn put(
        &self,
        kind: FindingKind,
        rig: &mut Rig<'_>,
        found: &mut Vec<(Finding, Trace)>,
    ) -> Result<Vec<Finding>, DeviceError> {
        let Some(screen) = rig.here().map(|seen| seen.screen.clone()) else {
            return Ok(Vec::new());
        };
        for event in probe::events(kind, &screen, rig.events().len()) {
            let seen = rig.perform(&event)?.clone();
            for finding in self.oracles.at_sight(&seen) {
                found.push((finding, self.trace(rig.events(), rig.seen())));
            }
            let out = kind == FindingKind::Back && seen.outcome != Outcome::Running;
            if out || seen.outcome.is_final() {
                return Ok(Vec::new());
            }
        }
        Ok(self.of_kind(kind, rig.events(), rig.seen()))
    }

    /// What of it time alone does not explain, and what shows again in another world.
    fn confirm(
        &self,
        kind: FindingKind,
        before: &[Event],
        events: &[Event],
        mut suspicions: Vec<Finding>,
        rig: &mut Rig<'_>,
    ) -> Result<Vec<Finding>, DeviceError> {
        if kind != FindingKind::Back {
            let asked = &rig.seen()[before.len() + 1..];
            let waits = asked.iter().map(|seen| Event::Wait(seen.elapsed_ms.max(1) as u32));
            let idle: Vec<Event> = before.iter().cloned().chain(waits).collect();
            let seen = rig.go_to(self.world_seed, &idle, ON)?;
            let passes: Vec<Finding> = match (seen.get(before.len()), seen.last()) {
                (Some(was), Some(is)) => self.oracles.lost(kind, was, is),
                _ => Vec::new(),
            };
            suspicions.retain(|finding| passes.iter().all(|passing| passing.id() != finding.id()));
        }
        if suspicions.is_empty() {
            return Ok(suspicions);
        }
        let seen = rig.go_to(self.world_seed.wrapping_add(1), events, ON)?.to_vec();
        // Where another world leads elsewhere it says nothing about this.
        if seen.get(self.way.len()).is_some_and(|seen| self.is_here(seen)) {
            let again = self.of_kind(kind, events, &seen);
            suspicions.retain(|finding| again.iter().any(|other| other.id() == finding.id()));
        }
        Ok(suspicions)
    }

    fn of_kind(&self, kind: FindingKind, events: &[Event], seen: &[Observation]) -> Vec<Finding> {
        let mut found = self.oracles.at_end(events, seen);
        found.retain(|finding| finding.kind == kind);
        found
    }

    fn is_here(&self, seen: &Observation) -> bool {
        self.abstraction.state(&seen.screen) == self.state
    }

    fn trace(&self, events: &[Event], seen: &[Observation]) -> Trace {
        let result = |seen: &Observation| StepResult {
            state: Some(self.abstraction.state(&seen.screen)),
            elapsed_ms: seen.elapsed_ms,
            outcome: seen.outcome.recorded(&self.package),
            ..StepResult::default()
        };
        let mut all = seen.iter().map(result);
        let start = all.next().unwrap_or_default();
        let steps = events.iter().cloned().zip(all).map(|(event, result)| Step { event, result });
        Trace { world_seed: self.world_seed, start, steps: steps.collect() }
    }
}

fn front(seen: &Observation) -> Option<retap_model::WindowKind> {
    seen.screen.front().map(|window| window.kind)
}
