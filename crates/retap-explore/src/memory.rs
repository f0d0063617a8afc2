//! From what a run recorded back to what it knew: every entry is told in order, as it was when it happened.

use crate::exploration::Exploration;
use crate::findings::Findings;
use crate::graph::Graph;
use crate::interesting::{Interesting, Met};
use crate::journal::Journal;
use crate::strategy::{Lesson, Strategy};
use retap_model::format::run::{Recorder, RunError, StateRow, read_screen, recall};
use retap_model::format::trace::Entry;
use retap_model::trace::{Return, StepResult};
use retap_model::{App, Coverage, Screen, Trace};
use std::path::Path;

pub fn resume<'s>(
    dir: &Path,
    strategy: &'s mut dyn Strategy,
    interesting: Interesting,
    app: &App,
) -> Result<Exploration<'s>, RunError> {
    let mut memory = Memory::new(dir, strategy, interesting, app);
    let recorder =
        Recorder::resume(dir, &mut |entry, units, row| memory.recall(entry, units, row))?;
    Ok(memory.into_exploration(Journal::Run(Box::new(recorder))))
}

/// An explorer beside others: it knows what the run has recorded so far, and leaves writing to the run.
pub fn remember<'s>(
    run: &Exploration<'_>,
    strategy: &'s mut dyn Strategy,
    interesting: Interesting,
    app: &App,
) -> Result<Exploration<'s>, RunError> {
    let journal = Journal::notes(run.journal.info());
    let dir = run.journal.dir().unwrap_or(Path::new(""));
    let mut memory = Memory::new(dir, strategy, interesting, app);
    recall(dir, &mut |entry, units, row| memory.recall(entry, units, row))?;
    // Where the run stopped is somebody else's trace.
    Ok(Exploration { current: None, ..memory.into_exploration(journal) })
}

struct Memory<'m, 's> {
    dir: &'m Path,
    app: &'m App,
    interesting: Interesting,
    strategy: &'s mut dyn Strategy,
    findings: Findings,
    graph: Graph,
    sees_code: bool,
    current: Option<Trace>,
    began: Option<Return>,
    /// A return whose steps are still being read.
    way: Option<Way>,
}

/// What was told of each line of a return so far.
struct Way {
    returns: Return,
    told: Vec<(Coverage, Option<StateRow>)>,
}

impl<'m, 's> Memory<'m, 's> {
    fn new(
        dir: &'m Path,
        strategy: &'s mut dyn Strategy,
        interesting: Interesting,
        app: &'m App,
    ) -> Self {
        Memory {
            dir,
            app,
            interesting,
            strategy,
            findings: Findings::default(),
            graph: Graph::new(interesting),
            sees_code: !app.units.is_empty(),
            current: None,
            began: None,
            way: None,
        }
    }

    fn into_exploration(self, journal: Journal) -> Exploration<'s> {
        Exploration {
            findings: self.findings,
            graph: self.graph,
            current: self.current,
            began: self.began,
            ..Exploration::with_journal(journal, self.strategy, self.interesting, self.app)
        }
    }

    fn recall(&mut self, entry: &Entry, units: &Coverage, row: Option<&StateRow>) {
        match entry {
            Entry::Start(world_seed, start, returns) => {
                let (world_seed, start) = (*world_seed, start.clone());
                self.current = Some(Trace { world_seed, start, steps: Vec::new() });
                self.began = *returns;
                self.way = returns.map(|returns| Way { returns, told: Vec::new() });
            }
            Entry::Step(step) => {
                if let Some(trace) = self.current.as_mut() {
                    trace.steps.push(step.clone());
                }
            }
        }
        match self.way.take() {
            None => self.recall_one(entry, units, row),
            Some(mut way) => {
                way.told.push((units.clone(), row.cloned()));
                if way.told.len() > way.returns.steps {
                    self.recall_return(&way);
                } else {
                    self.way = Some(way);
                }
            }
        }
    }

    fn recall_one(&mut self, entry: &Entry, units: &Coverage, row: Option<&StateRow>) {
        let Some(trace) = &self.current else { return };
        let screen = self.screen(trace.last());
        let activity = row.map_or("", |row| &row.activity);
        let met = self.findings.meet(trace.last(), activity, units, self.sees_code);
        let met = Met { screen: screen.as_ref(), ..met };
        match entry {
            Entry::Start(..) => {
                self.graph.start(trace, met);
                self.strategy.learn(Lesson::Start(met));
                self.findings.start(&trace.start);
            }
            Entry::Step(step) => {
                self.graph.step(trace, met);
                self.strategy.learn(Lesson::Step(step, met));
                self.findings.step(&step.result);
            }
        }
        self.note(units, row);
    }

    fn recall_return(&mut self, way: &Way) {
        let Some(trace) = &self.current else { return };
        let last = trace.last();
        let screen = self.screen(last);
        let rows = || way.told.iter().filter_map(|(_, row)| row.as_ref());
        let activity = rows().find(|row| Some(row.state) == last.state);
        let activity = activity.map_or("", |row| &row.activity);
        let nothing = Coverage::new();
        let units = way.told.last().map_or(&nothing, |(units, _)| units);
        let met = self.findings.meet(last, activity, units, self.sees_code);
        let met = Met { screen: screen.as_ref(), ..met };
        self.graph.returned(trace, &way.returns, met);
        self.strategy.learn(Lesson::Return(trace, way.returns, met));
        self.findings.back(trace, &way.returns);
        for (units, row) in &way.told {
            self.note(units, row.as_ref());
        }
    }

    /// What a state looks like, when it is met for the first time and the strategy looks.
    fn screen(&self, result: &StepResult) -> Option<Screen> {
        let first = result.state.is_some_and(|state| !self.findings.states.contains(&state));
        let id = result.screen.filter(|_| first && self.strategy.looks())?;
        read_screen(self.dir, id).ok()
    }

    fn note(&mut self, units: &Coverage, row: Option<&StateRow>) {
        self.findings.cover(units);
        if let Some(row) = row {
            self.findings.see_activity(&row.activity);
        }
    }
}
