//! Fake apps for the reducer: recording walks on them, and replaying candidates.
#![allow(dead_code, clippy::unwrap_used)] // every test file uses its own part; a test may panic

use retap_device::fake::{App, FakeDevice};
use retap_device::{Device, Execution};
use retap_model::trace::StepResult;
use retap_model::{
    Abstraction, Coverage, Event, Observation, Rate, Selector, Step, Target, Trace, UnitKind, Units,
};
use retap_reduce::{
    RecordedTrace, Replay, ReplayError, ReplayMode, ReplayResult, RequirementScope, StopRecording,
    SuiteReduction,
};
use std::path::Path;
use std::sync::Arc;

pub struct Bench {
    device: FakeDevice,
    package: String,
    pub units: Arc<Units>,
    pub runs: u64,
    /// Traces run, counting every run.
    pub executed: u64,
    /// Rounds that are answered before somebody stops it.
    pub rounds_left: u64,
    pub events: u64,
    /// Recordings count as runs.
    pub repeats: bool,
}

impl Bench {
    pub fn load(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes").join(name);
        Self::parse(&std::fs::read_to_string(path).unwrap())
    }

    pub fn parse(source: &str) -> Self {
        let app = App::parse("test.fake", source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let mut device = FakeDevice::new(Arc::new(app), Path::new("test.fake"));
        let app = device.install(Path::new("test.fake")).unwrap();
        let package = app.identity.package;
        Self {
            device,
            package,
            units: app.units,
            runs: 1,
            executed: 0,
            rounds_left: u64::MAX,
            events: 0,
            repeats: false,
        }
    }

    pub fn scope(&self) -> RequirementScope {
        RequirementScope {
            units: self.units.of_kind(UnitKind::Branch),
            states: true,
            crashes: true,
        }
    }

    /// Runs events and writes down what happened.
    pub fn record(&mut self, world_seed: u64, events: &[Event]) -> RecordedTrace {
        let execution = self.execute(world_seed, events);
        let result = |seen: &Observation| StepResult {
            state: Some(Abstraction::Layout.state(&seen.screen)),
            elapsed_ms: seen.elapsed_ms,
            outcome: seen.outcome.recorded(&self.package),
            ..StepResult::default()
        };
        let covered = execution.observations.iter().map(|seen| Arc::clone(&seen.coverage));
        let (start, rest) = execution.observations.split_first().unwrap();
        let step = |(event, seen): (&Event, &Observation)| Step {
            event: event.clone(),
            result: result(seen),
        };
        let steps = events.iter().zip(rest).map(step).collect();
        RecordedTrace {
            covered: covered.collect(),
            trace: Trace { world_seed, start: result(start), steps },
            keep: false,
        }
    }

    fn execute(&mut self, world_seed: u64, events: &[Event]) -> Execution {
        self.executed += 1;
        let mut observations = vec![self.device.reset(world_seed).unwrap()];
        for event in events {
            if observations[observations.len() - 1].outcome.is_final() {
                break;
            }
            self.events += 1;
            observations.push(self.device.perform(event).unwrap());
        }
        Execution { observations }
    }
}

impl Replay for Bench {
    type Error = std::convert::Infallible;

    fn replay(
        &mut self,
        traces: &[Trace],
        _: ReplayMode,
    ) -> Result<Vec<ReplayResult>, ReplayError<Self::Error>> {
        self.rounds_left = self.rounds_left.checked_sub(1).ok_or(ReplayError::Stopped)?;
        Ok(traces.iter().map(|trace| self.replay_one(trace)).collect())
    }

    fn record(
        &mut self,
        trace: &Trace,
        stop: StopRecording<'_>,
    ) -> Result<RecordedTrace, ReplayError<Self::Error>> {
        self.rounds_left = self.rounds_left.checked_sub(1).ok_or(ReplayError::Stopped)?;
        let events: Vec<Event> = trace.events().cloned().collect();
        let mut recording = Bench::record(self, trace.world_seed, &events);
        let steps = recording.trace.steps.len();
        if let Some(step) = (0..steps).find(|step| stop(recording.trace.result_after(*step))) {
            recording.trace.steps.truncate(step);
            recording.covered.truncate(step + 1);
        }
        Ok(recording)
    }

    fn can_trust_recordings(&self) -> bool {
        self.repeats
    }

    fn is_stopped(&self) -> bool {
        self.rounds_left == 0
    }
}

impl Bench {
    fn replay_one(&mut self, trace: &Trace) -> ReplayResult {
        let events: Vec<Event> = trace.events().cloned().collect();
        let mut rate = Rate::default();
        let mut covered: Option<Vec<Arc<Coverage>>> = None;
        for _ in 0..self.runs {
            let execution = self.execute(trace.world_seed, &events);
            let divergence = retap_device::replay::compare(
                trace,
                &execution,
                Abstraction::Layout,
                &self.package,
            );
            rate.add(divergence.is_none());
            let good = divergence.map_or(execution.observations.len(), |d| d.step);
            let seen = execution.observations[..good].iter().map(|seen| Arc::clone(&seen.coverage));
            covered = Some(match covered {
                None => seen.collect(),
                Some(before) => {
                    before.iter().zip(seen).map(|(a, b)| Arc::new(a.intersection(&b))).collect()
                }
            });
        }
        ReplayResult { covered: covered.unwrap_or_default(), rate, is_conclusive: true }
    }
}

pub fn taps(names: &str) -> Vec<Event> {
    names.split_whitespace().map(tap).collect()
}

pub fn tap(id: &str) -> Event {
    Event::Tap(Target { on: Some(Selector { id: id.into(), ..Selector::default() }), at: None })
}

/// The widgets that a reduced suite taps, a line a trace.
pub fn tapped(reduction: &SuiteReduction) -> Vec<String> {
    let id = |event: &Event| match event {
        Event::Tap(Target { on: Some(selector), .. }) => selector.id.clone(),
        other => other.to_string(),
    };
    let line = |trace: &Trace| trace.events().map(id).collect::<Vec<_>>().join(" ");
    reduction.traces.iter().map(|reduced| line(&reduced.trace)).collect()
}

/// Everything that the traces cover, as they say themselves: counted here without the reducer's help.
pub fn total<'a>(
    scope: &RequirementScope,
    traces: impl IntoIterator<Item = (&'a Trace, &'a [Arc<Coverage>])>,
) -> std::collections::BTreeSet<String> {
    let mut all = std::collections::BTreeSet::new();
    for (trace, covered) in traces {
        for (step, units) in covered.iter().enumerate() {
            let result = trace.result_after(step);
            all.extend(units.intersection(&scope.units).iter().map(|unit| format!("unit {unit}")));
            all.extend(result.state.map(|state| format!("state {state}")));
            all.extend(result.outcome.crash().map(|crash| format!("crash {crash}")));
        }
    }
    all
}
