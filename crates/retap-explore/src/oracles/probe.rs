//! The probes of one state. Each is an execution of its own from a clean install, so that the run stays as it was.
//!
//! A suspicion becomes a finding only if time alone does not explain it and if it shows again with another world seed.

use retap_device::{DeviceError, Rig};
use retap_model::trace::StepResult;
use retap_model::{
    Abstraction, Event, Finding, FindingId, FindingKind, Observation, Outcome, StateId, Step,
    Trace, WindowKind, WorldSeed,
};
use retap_oracle::{Oracles, probe};
use std::collections::BTreeMap;

/// The kinds of findings that only a probe can show.
pub(super) const ACTIVE_KINDS: [FindingKind; 3] =
    [FindingKind::Rotation, FindingKind::Background, FindingKind::Back];

/// A suspicion that was refuted in this many states is not examined again.
const MAX_REFUTATIONS: usize = 2;

/// Lets a path run to its end.
const NEVER_STOP: &(dyn Fn(usize, &Observation) -> bool + Sync) = &|_, _| false;

/// One state, and the oracles that probe it.
pub(super) struct StateProbe<'a> {
    pub oracles: &'a Oracles,
    pub world_seed: WorldSeed,
    /// The path to the state.
    pub path: &'a [Event],
    pub state: StateId,
    pub abstraction: Abstraction,
    pub package: &'a str,
}

/// A finding and a trace that shows it.
pub(super) struct ProbedFinding {
    pub finding: Finding,
    pub trace: Trace,
}

/// The suspicions that earlier probes have examined. The same widget looks suspicious in many states.
#[derive(Debug, Default)]
pub(super) struct ExaminedSuspicions {
    outcomes: BTreeMap<FindingId, SuspicionOutcome>,
}

#[derive(Debug)]
enum SuspicionOutcome {
    Confirmed,
    Refuted(usize),
}

impl ExaminedSuspicions {
    fn is_open(&self, finding: &Finding) -> bool {
        match self.outcomes.get(&finding.id()) {
            None => true,
            Some(SuspicionOutcome::Confirmed) => false,
            Some(SuspicionOutcome::Refuted(times)) => *times < MAX_REFUTATIONS,
        }
    }

    /// Notes which of the suspicions were confirmed.
    fn record(&mut self, suspicions: &[FindingId], confirmed: &[Finding]) {
        for id in suspicions {
            let outcome = match self.outcomes.get(id) {
                _ if confirmed.iter().any(|finding| finding.id() == *id) => {
                    SuspicionOutcome::Confirmed
                }
                Some(SuspicionOutcome::Refuted(times)) => SuspicionOutcome::Refuted(times + 1),
                _ => SuspicionOutcome::Refuted(1),
            };
            self.outcomes.insert(*id, outcome);
        }
    }
}

/// The suspicions of a probe, and the execution that led to them.
struct Suspicion<'p> {
    kind: FindingKind,
    /// The events before the probe.
    before: &'p [Event],
    /// All events, those of the probe included.
    events: Vec<Event>,
    findings: Vec<Finding>,
}

impl StateProbe<'_> {
    /// Runs all probes and returns what they find, or `None` if the path does not lead to a state to probe.
    pub(super) fn run(
        &self,
        rig: &mut Rig<'_>,
        examined: &mut ExaminedSuspicions,
    ) -> Result<Option<Vec<ProbedFinding>>, DeviceError> {
        let mut found = Vec::new();
        let observations = rig.go_to(self.world_seed, self.path, NEVER_STOP)?;
        let can_probe = |last: &Observation| self.is_probed_state(last) && probe::can_probe(last);
        let has_arrived =
            observations.len() == self.path.len() + 1 && observations.last().is_some_and(can_probe);
        if !has_arrived {
            return Ok(None);
        }
        let with_form = self.fill_form(rig)?;
        let mut is_in_other_world = false;
        for kind in ACTIVE_KINDS.into_iter().filter(|kind| self.oracles.is_enabled(*kind)) {
            // Pressing back asks about the screen, not about the contents of its form.
            let before = if kind == FindingKind::Back { self.path } else { &with_form };
            // A round trip that has lost nothing ends where it began, and the next probe begins there.
            let is_prepared = before.len() == with_form.len();
            if is_in_other_world || !is_prepared || !self.is_still_there(before, rig) {
                rig.go_to(self.world_seed, before, NEVER_STOP)?;
                is_in_other_world = false;
            }
            let is_first_probe = rig.events().len() == before.len();
            let mut findings = self.perform_probe(kind, rig, &mut found)?;
            findings.retain(|finding| examined.is_open(finding));
            if !findings.is_empty() && !is_first_probe {
                // A finding must not depend on the probes before.
                rig.go_to(self.world_seed, before, NEVER_STOP)?;
                findings = self.perform_probe(kind, rig, &mut found)?;
                findings.retain(|finding| examined.is_open(finding));
            }
            if findings.is_empty() {
                continue;
            }
            let suspicions: Vec<FindingId> = findings.iter().map(Finding::id).collect();
            let events = rig.events().to_vec();
            let trace = self.trace_of(&events, rig.observations());
            let suspicion = Suspicion { kind, before, events, findings };
            let confirmed = self.confirm(suspicion, rig)?;
            is_in_other_world = true;
            examined.record(&suspicions, &confirmed);
            for finding in confirmed {
                found.push(ProbedFinding { finding, trace: trace.clone() });
            }
        }
        Ok(Some(found))
    }

    /// Returns true if the rig has been at the end of these events and shows the same state now.
    fn is_still_there(&self, events: &[Event], rig: &Rig<'_>) -> bool {
        let state_of = |observation: &Observation| {
            (observation.outcome == Outcome::Running)
                .then(|| self.abstraction.state(&observation.screen))
        };
        let then = rig.observations().get(events.len()).and_then(state_of);
        rig.events().starts_with(events)
            && then.is_some()
            && then == rig.last_observation().and_then(state_of)
    }

    /// Fills fields and ticks boxes as long as the window stays the same. Returns the path with those events.
    fn fill_form(&self, rig: &mut Rig<'_>) -> Result<Vec<Event>, DeviceError> {
        let mut events = rig.events().to_vec();
        while let Some(before) = rig.last_observation().cloned() {
            let filled = events.len() - self.path.len();
            let Some(event) = probe::next_input(&before.screen, filled) else { break };
            let after = rig.perform(&event)?;
            let is_same_window = after.outcome == Outcome::Running
                && after.screen.activity == before.screen.activity
                && front_window(after) == front_window(&before);
            if !is_same_window {
                break;
            }
            events.push(event);
        }
        Ok(events)
    }

    /// Performs the events of a probe and returns what it suspects. What passive oracles see meanwhile goes to `found`.
    fn perform_probe(
        &self,
        kind: FindingKind,
        rig: &mut Rig<'_>,
        found: &mut Vec<ProbedFinding>,
    ) -> Result<Vec<Finding>, DeviceError> {
        let Some(screen) = rig.last_observation().map(|observation| observation.screen.clone())
        else {
            return Ok(Vec::new());
        };
        for event in probe::probe_events(kind, &screen, rig.events().len()) {
            let observation = rig.perform(&event)?.clone();
            for finding in self.oracles.judge_observation(&observation) {
                let trace = self.trace_of(rig.events(), rig.observations());
                found.push(ProbedFinding { finding, trace });
            }
            let has_left = kind == FindingKind::Back && observation.outcome != Outcome::Running;
            if has_left || observation.outcome.is_final() {
                return Ok(Vec::new());
            }
        }
        Ok(self.findings_of(kind, rig.events(), rig.observations()))
    }

    /// Returns the suspicions that time alone does not explain and that show again with another world seed.
    fn confirm(
        &self,
        suspicion: Suspicion<'_>,
        rig: &mut Rig<'_>,
    ) -> Result<Vec<Finding>, DeviceError> {
        let Suspicion { kind, before, events, mut findings } = suspicion;
        if kind != FindingKind::Back {
            let by_time = self.findings_of_waiting(kind, before, rig)?;
            findings.retain(|finding| by_time.iter().all(|other| other.id() != finding.id()));
        }
        if findings.is_empty() {
            return Ok(findings);
        }
        let other_world = self.world_seed.wrapping_add(1);
        let observations = rig.go_to(other_world, &events, NEVER_STOP)?.to_vec();
        // If the path leads elsewhere in the other world, that world tells nothing about the suspicion.
        if observations.get(self.path.len()).is_some_and(|o| self.is_probed_state(o)) {
            let again = self.findings_of(kind, &events, &observations);
            findings.retain(|finding| again.iter().any(|other| other.id() == finding.id()));
        }
        Ok(findings)
    }

    /// Waits as long as the probe took instead of probing, and returns what is lost all the same. The rig must be at
    /// the end of the probe.
    fn findings_of_waiting(
        &self,
        kind: FindingKind,
        before: &[Event],
        rig: &mut Rig<'_>,
    ) -> Result<Vec<Finding>, DeviceError> {
        let probed = &rig.observations()[before.len() + 1..];
        let waits = probed.iter().map(|o| Event::Wait(o.elapsed_ms.max(1) as u32));
        let idle: Vec<Event> = before.iter().cloned().chain(waits).collect();
        let observations = rig.go_to(self.world_seed, &idle, NEVER_STOP)?;
        Ok(match (observations.get(before.len()), observations.last()) {
            (Some(first), Some(last)) => self.oracles.find_losses(kind, first, last),
            _ => Vec::new(),
        })
    }

    fn findings_of(
        &self,
        kind: FindingKind,
        events: &[Event],
        observations: &[Observation],
    ) -> Vec<Finding> {
        let mut findings = self.oracles.judge_ending(events, observations);
        findings.retain(|finding| finding.kind == kind);
        findings
    }

    fn is_probed_state(&self, observation: &Observation) -> bool {
        self.abstraction.state(&observation.screen) == self.state
    }

    fn trace_of(&self, events: &[Event], observations: &[Observation]) -> Trace {
        let result_of = |observation: &Observation| StepResult {
            state: Some(self.abstraction.state(&observation.screen)),
            elapsed_ms: observation.elapsed_ms,
            outcome: observation.outcome.recorded(self.package),
            ..StepResult::default()
        };
        let mut results = observations.iter().map(result_of);
        let start = results.next().unwrap_or_default();
        let steps =
            events.iter().cloned().zip(results).map(|(event, result)| Step { event, result });
        Trace { world_seed: self.world_seed, start, steps: steps.collect() }
    }
}

fn front_window(observation: &Observation) -> Option<WindowKind> {
    observation.screen.front().map(|window| window.kind)
}
