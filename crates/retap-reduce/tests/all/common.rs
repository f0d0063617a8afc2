//! A replay on a fake app: records traces of it and replays candidates.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_device::fake::{FakeApp, FakeDevice};
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

/// A fake app as a [`Replay`].
pub struct FakeReplay {
    device: FakeDevice,
    package: String,
    pub units: Arc<Units>,
    /// The runs of each replay.
    pub runs: u64,
    /// The rounds that are answered before the reduction is stopped.
    pub rounds_left: u64,
    pub can_trust_recordings: bool,
}

impl FakeReplay {
    pub fn load(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes").join(name);
        Self::parse(&std::fs::read_to_string(path).unwrap())
    }

    pub fn parse(source: &str) -> Self {
        let app = FakeApp::parse("test.fake", source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let mut device = FakeDevice::new(Arc::new(app), Path::new("test.fake"));
        let app = device.install(Path::new("test.fake")).unwrap();
        let package = app.identity.package;
        Self {
            device,
            package,
            units: app.units,
            runs: 1,
            rounds_left: u64::MAX,
            can_trust_recordings: false,
        }
    }

    pub fn scope(&self) -> RequirementScope {
        RequirementScope {
            units: self.units.of_kind(UnitKind::Branch),
            states: true,
            crashes: true,
        }
    }

    /// Runs events and returns the trace with its coverage.
    pub fn record(&mut self, world_seed: u64, events: &[Event]) -> RecordedTrace {
        let execution = self.execute(world_seed, events);
        let result = |observation: &Observation| StepResult {
            state: Some(Abstraction::Layout.state(&observation.screen)),
            elapsed_ms: observation.elapsed_ms,
            outcome: observation.outcome.recorded(&self.package),
            ..StepResult::default()
        };
        let covered =
            execution.observations.iter().map(|observation| Arc::clone(&observation.coverage));
        let (start, rest) = execution.observations.split_first().unwrap();
        let step = |(event, observation): (&Event, &Observation)| Step {
            event: event.clone(),
            result: result(observation),
        };
        let steps = events.iter().zip(rest).map(step).collect();
        RecordedTrace {
            covered: covered.collect(),
            trace: Trace { world_seed, start: result(start), steps },
            keep: false,
        }
    }

    fn execute(&mut self, world_seed: u64, events: &[Event]) -> Execution {
        let mut observations = vec![self.device.reset(world_seed).unwrap()];
        for event in events {
            if observations[observations.len() - 1].outcome.is_final() {
                break;
            }
            observations.push(self.device.perform(event).unwrap());
        }
        Execution { observations }
    }
}

impl Replay for FakeReplay {
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
        let mut recording = FakeReplay::record(self, trace.world_seed, &events);
        let steps = recording.trace.steps.len();
        if let Some(step) = (0..steps).find(|step| stop(recording.trace.result_after(*step))) {
            recording.trace.steps.truncate(step);
            recording.covered.truncate(step + 1);
        }
        Ok(recording)
    }

    fn can_trust_recordings(&self) -> bool {
        self.can_trust_recordings
    }

    fn is_stopped(&self) -> bool {
        self.rounds_left == 0
    }
}

impl FakeReplay {
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
            let observation = execution.observations[..good]
                .iter()
                .map(|observation| Arc::clone(&observation.coverage));
            covered = Some(match covered {
                None => observation.collect(),
                Some(before) => before
                    .iter()
                    .zip(observation)
                    .map(|(a, b)| Arc::new(a.intersection(&b)))
                    .collect(),
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

/// Returns the widgets that a reduced suite taps, one line per trace.
pub fn tapped(reduction: &SuiteReduction) -> Vec<String> {
    let id = |event: &Event| match event {
        Event::Tap(Target { on: Some(selector), .. }) => selector.id.clone(),
        other => other.to_string(),
    };
    let line = |trace: &Trace| trace.events().map(id).collect::<Vec<_>>().join(" ");
    reduction.traces.iter().map(|reduced| line(&reduced.trace)).collect()
}

/// Returns everything that the traces cover. It is computed here without the reducer's code, as a check on it.
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
