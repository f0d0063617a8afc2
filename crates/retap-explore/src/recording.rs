//! What every start, return and step is followed by: its line, the graph, the strategy, the findings and, when it
//! ended in a crash, the trace that led there.

use crate::exploration::{Exploration, ExploreError};
use crate::findings::Findings;
use crate::interesting::Met;
use crate::strategy::Lesson;
use retap_model::format::run::keep_crash;
use retap_model::trace::{Return, StepResult};
use retap_model::{Event, Observation, Step, Trace, WorldSeed};

impl Exploration<'_> {
    pub(crate) fn record_start(
        &mut self,
        world: WorldSeed,
        seen: &Observation,
    ) -> Result<(), ExploreError> {
        let start = self.journal.start(world, seen)?;
        self.began = None;
        let trace = Trace { world_seed: world, start, steps: Vec::new() };
        let trace = self.current.insert(trace);
        let met = meet(&self.findings, &trace.start, seen, self.sees_code);
        self.graph.start(trace, met);
        self.strategy.learn(Lesson::Start(met));
        self.keep_crash(seen)?;
        self.watch(seen)?;
        if let Some(trace) = &self.current {
            self.findings.start(&trace.start);
        }
        self.note(seen);
        Ok(())
    }

    /// Whether the step led to an interesting state.
    pub(crate) fn record_step(
        &mut self,
        event: Event,
        seen: &Observation,
    ) -> Result<bool, ExploreError> {
        let result = self.journal.step(&event, seen)?;
        let Some(trace) = self.current.as_mut() else { return Ok(false) };
        trace.steps.push(Step { event, result });
        let step = &trace.steps[trace.steps.len() - 1];
        let met = meet(&self.findings, &step.result, seen, self.sees_code);
        let interesting = self.graph.step(trace, met);
        self.strategy.learn(Lesson::Step(step, met));
        self.keep_crash(seen)?;
        self.watch(seen)?;
        if let Some(trace) = &self.current {
            self.findings.step(trace.last());
        }
        self.note(seen);
        Ok(interesting)
    }

    /// All of a return at once: the way was taken before anything of it is written.
    pub(crate) fn record_return(
        &mut self,
        world_seed: WorldSeed,
        returns: Return,
        events: &[Event],
        seen: &[Observation],
    ) -> Result<(), ExploreError> {
        let Some((first, way)) = seen.split_first() else { return Ok(()) };
        let start = self.journal.start_return(world_seed, returns, first)?;
        self.began = Some(returns);
        let mut trace = Trace { world_seed, start, steps: Vec::with_capacity(events.len()) };
        for (event, seen) in events.iter().zip(way) {
            let result = self.journal.step(event, seen)?;
            trace.steps.push(Step { event: event.clone(), result });
        }
        let trace = self.current.insert(trace);
        let last = way.last().unwrap_or(first);
        let met = meet(&self.findings, trace.last(), last, self.sees_code);
        self.graph.returned(trace, &returns, met);
        self.strategy.learn(Lesson::Return(trace, returns, met));
        self.keep_crash(last)?;
        self.watch(last)?;
        if let Some(trace) = &self.current {
            self.findings.back(trace, &returns);
        }
        seen.iter().for_each(|seen| self.note(seen));
        Ok(())
    }

    fn note(&mut self, seen: &Observation) {
        self.findings.cover(&seen.coverage);
        self.findings.see_activity(&seen.screen.activity);
    }

    /// Keeps the current trace with the crash it ends in, if no shorter one is known. Before the
    /// findings are told, and on disk before the line that names it.
    fn keep_crash(&mut self, seen: &Observation) -> Result<(), ExploreError> {
        let Some(trace) = self.current.as_ref() else { return Ok(()) };
        let (Some(crash), Some(id)) = (seen.outcome.crash(), trace.last().outcome.crash()) else {
            return Ok(());
        };
        let better = self.findings.is_better(id, trace.steps.len() as u64);
        if let Some(dir) = self.journal.dir().filter(|_| better) {
            keep_crash(dir, id, crash, &self.journal.info().trace_header(), trace)?;
        }
        Ok(self.journal.flush()?)
    }
}

fn meet<'a>(
    findings: &Findings,
    result: &'a StepResult,
    seen: &'a Observation,
    sees_code: bool,
) -> Met<'a> {
    let met = findings.meet(result, &seen.screen.activity, &seen.coverage, sees_code);
    Met { screen: met.first.then_some(&*seen.screen), ..met }
}
