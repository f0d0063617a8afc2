//! Recomputes the states of recorded traces in another abstraction, from the screens that a run keeps. Exploring wants
//! fine states, a small suite coarse ones.

use super::LoadedTrace;
use crate::Failure;
use retap_model::format::run::read_screen;
use retap_model::screen::ScreenId;
use retap_model::trace::StepResult;
use retap_model::{Abstraction, StateId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Puts all traces into states of one abstraction: the wanted one, else that of traces without screens, else the
/// paper's. Traces of another abstraction that have no screens lose their states.
pub fn restate(loaded: &mut [LoadedTrace], wanted: Option<Abstraction>) -> Result<(), Failure> {
    let abstraction = match wanted {
        Some(wanted) => wanted,
        None => fixed_abstraction(loaded)?.unwrap_or(Abstraction::Actionable),
    };
    let mut cache = StateCache { abstraction, states: BTreeMap::new() };
    for one in loaded.iter_mut().filter(|one| one.header.abstraction != abstraction) {
        let folder = run_with_screens(one);
        one.header.abstraction = abstraction;
        let trace = &mut one.trace;
        for result in
            std::iter::once(&mut trace.start).chain(trace.steps.iter_mut().map(|s| &mut s.result))
        {
            result.state = match (&folder, result.screen) {
                (Some(folder), Some(screen)) => Some(cache.state(folder, screen)?),
                _ => None,
            };
        }
    }
    Ok(())
}

/// Returns the abstraction of the traces that cannot be restated.
fn fixed_abstraction(loaded: &[LoadedTrace]) -> Result<Option<Abstraction>, Failure> {
    let mut first: Option<&LoadedTrace> = None;
    for one in loaded
        .iter()
        .filter(|one| one.trace.start.state.is_some() && run_with_screens(one).is_none())
    {
        match first {
            Some(first) if first.header.abstraction != one.header.abstraction => {
                return Err(Failure::input(format!(
                    "{} has states of {}, {} has states of {}, and neither keeps its screens: \
                     --abstraction NAME --record runs them once and records all in one",
                    first.name, first.header.abstraction, one.name, one.header.abstraction
                )));
            }
            _ => first = Some(one),
        }
    }
    Ok(first.map(|one| one.header.abstraction))
}

/// Returns the run directory that keeps all screens of a trace.
fn run_with_screens(one: &LoadedTrace) -> Option<PathBuf> {
    let has_screen = |result: &StepResult| result.screen.is_some();
    let steps = &one.trace.steps;
    if !has_screen(&one.trace.start) || !steps.iter().all(|step| has_screen(&step.result)) {
        return None;
    }
    let file = std::path::absolute(&one.file).ok()?;
    let run = file.ancestors().skip(1).take(3).find(|folder| folder.join("screens").is_dir());
    run.map(Path::to_path_buf)
}

struct StateCache {
    abstraction: Abstraction,
    states: BTreeMap<ScreenId, StateId>,
}

impl StateCache {
    fn state(&mut self, run: &Path, id: ScreenId) -> Result<StateId, Failure> {
        if let Some(state) = self.states.get(&id) {
            return Ok(*state);
        }
        let state = self.abstraction.state(&read_screen(run, id)?);
        self.states.insert(id, state);
        Ok(state)
    }
}
