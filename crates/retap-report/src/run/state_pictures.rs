//! The screens of a run that have a picture, and a picture for each state: that of its first visit, or else of any
//! screen on which the run met the state.

use super::KnownStates;
use retap_model::trace::StepResult;
use retap_model::{ScreenId, StateId};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The pictures of a run's states.
#[derive(Debug, Default)]
pub struct StatePictures {
    on_disk: BTreeMap<ScreenId, PathBuf>,
    of_state: BTreeMap<StateId, ScreenId>,
}

impl StatePictures {
    /// Adds the pictures of a run.
    pub fn add_all(&mut self, run: &Path) {
        let folders = fs::read_dir(run.join("screens")).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
        self.on_disk.extend(files.flatten().filter_map(|file| {
            let name = file.file_name();
            Some((name.to_str()?.strip_suffix(".png")?.parse().ok()?, file.path()))
        }));
    }

    /// Notes that the run met this state on this screen.
    pub fn note(&mut self, result: &StepResult) {
        if let (Some(state), Some(screen)) = (result.state, result.screen)
            && self.on_disk.contains_key(&screen)
        {
            self.of_state.entry(state).or_insert(screen);
        }
    }

    /// Returns the picture of a screen.
    pub fn of_screen(&self, screen: ScreenId) -> Option<&Path> {
        self.on_disk.get(&screen).map(PathBuf::as_path)
    }

    /// Returns a picture that shows the state.
    pub fn of_state(&self, state: StateId, states: &KnownStates) -> Option<&Path> {
        let first = states.get(&state).and_then(|first| self.of_screen(first.screen));
        first.or_else(|| self.of_screen(*self.of_state.get(&state)?))
    }
}
