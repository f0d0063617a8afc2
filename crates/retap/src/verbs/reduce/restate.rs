//! States as a suite is to be reduced by. A run keeps the screens it saw, so that its states can be told
//! anew in another abstraction: exploring wants fine ones, a small suite coarse ones.

use super::load::Loaded;
use crate::failure::Failure;
use retap_model::format::run::read_screen;
use retap_model::screen::ScreenId;
use retap_model::trace::StepResult;
use retap_model::{Abstraction, StateId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Puts all traces in states of one abstraction: the wanted one, else that of traces which keep no screens,
/// else the paper's. Traces of another that keep no screens say no longer where they led.
pub fn restate(loaded: &mut [Loaded], wanted: Option<Abstraction>) -> Result<(), Failure> {
    let abstraction = match wanted {
        Some(wanted) => wanted,
        None => fixed(loaded)?.unwrap_or(Abstraction::Actionable),
    };
    let mut known = Known { abstraction, states: BTreeMap::new() };
    for one in loaded.iter_mut().filter(|one| one.header.abstraction != abstraction) {
        let folder = screens(one);
        one.header.abstraction = abstraction;
        let trace = &mut one.trace;
        for result in
            std::iter::once(&mut trace.start).chain(trace.steps.iter_mut().map(|s| &mut s.result))
        {
            result.state = match (&folder, result.screen) {
                (Some(folder), Some(screen)) => Some(known.state(folder, screen)?),
                _ => None,
            };
        }
    }
    Ok(())
}

/// The abstraction of traces that can be told in no other.
fn fixed(loaded: &[Loaded]) -> Result<Option<Abstraction>, Failure> {
    let mut first: Option<&Loaded> = None;
    for one in loaded.iter().filter(|one| one.trace.start.state.is_some() && screens(one).is_none())
    {
        match first {
            Some(first) if first.header.abstraction != one.header.abstraction => {
                return Err(Failure::input(format!(
                    "{} is in states of {}, {} in states of {}, and neither keeps its screens: \
                     --abstraction NAME --record runs them once to tell all in one",
                    first.name, first.header.abstraction, one.name, one.header.abstraction
                )));
            }
            _ => first = Some(one),
        }
    }
    Ok(first.map(|one| one.header.abstraction))
}

/// The run that keeps all screens of a trace.
fn screens(one: &Loaded) -> Option<PathBuf> {
    let shown = |result: &StepResult| result.screen.is_some();
    let steps = &one.trace.steps;
    if !shown(&one.trace.start) || !steps.iter().all(|step| shown(&step.result)) {
        return None;
    }
    let file = std::path::absolute(&one.file).ok()?;
    let run = file.ancestors().skip(1).take(3).find(|folder| folder.join("screens").is_dir());
    run.map(Path::to_path_buf)
}

struct Known {
    abstraction: Abstraction,
    states: BTreeMap<ScreenId, StateId>,
}

impl Known {
    fn state(&mut self, run: &Path, id: ScreenId) -> Result<StateId, Failure> {
        if let Some(state) = self.states.get(&id) {
            return Ok(*state);
        }
        let state = self.abstraction.state(&read_screen(run, id)?);
        self.states.insert(id, state);
        Ok(state)
    }
}
