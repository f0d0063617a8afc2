//! The app's model at run time, three graphs: concrete screens (GSTG), abstract states (DSTG) and windows (EWTG).
//!
//! The concrete graph is the truth and only grows. The abstract graph is a function of it and of one level of abstraction
//! for each window, so that a finer level rebuilds it from everything recorded.

mod abstract_graph;
mod action;
mod active_window;
mod adopt;
mod concrete;
mod refinement;
mod saved;
mod windows;

pub use abstract_graph::{AbstractGraph, AbstractNode, AbstractTransition};
pub use action::{AbstractAction, UiAction, set_box, widget_of};
pub use adopt::AdoptedCounts;
pub use concrete::{ConcreteGraph, ConcreteStep};
pub use saved::SavedModel;
pub use windows::{InputNumber, ModelInput, RunWindow, RunWindowId, WindowGraph};

use crate::targets::{TargetNumber, Targets};
use retap_model::abstraction::Level;
use retap_model::{Event, Key, Screen, ScreenId, StateId};
use retap_static::AppModel;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The place of the app in the three graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPlace {
    pub screen: ScreenId,
    pub state: StateId,
    pub window: RunWindowId,
}

#[derive(Debug, Clone)]
pub struct RunModel {
    pub concrete: ConcreteGraph,
    pub abstracted: AbstractGraph,
    pub windows: WindowGraph,
    /// Windows whose abstraction is finer than L1.
    levels: BTreeMap<RunWindowId, Level>,
    here: Option<ModelPlace>,
    /// The number of steps recorded when the current trace began.
    trace_start: usize,
    /// The window that each window was last opened from.
    opened_from: BTreeMap<RunWindowId, RunWindowId>,
    /// Refinements so far.
    pub refinements: u32,
}

/// The sizes of the three graphs.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ModelCounts {
    pub windows: usize,
    /// Windows that the static model lacks.
    pub windows_added: usize,
    pub window_transitions: usize,
    /// Transitions between windows that the static model lacks.
    pub window_transitions_added: usize,
    pub states: usize,
    pub abstract_transitions: usize,
    pub screens: usize,
    pub steps: usize,
    pub refinements: u32,
    /// The level of each window whose abstraction is finer than L1.
    pub levels: BTreeMap<String, String>,
}

impl RunModel {
    pub fn new(model: &AppModel, targets: &Targets) -> Self {
        Self {
            concrete: ConcreteGraph::default(),
            abstracted: AbstractGraph::default(),
            windows: WindowGraph::new(model, targets),
            levels: BTreeMap::new(),
            here: None,
            trace_start: 0,
            opened_from: BTreeMap::new(),
            refinements: 0,
        }
    }

    pub fn trace_start(&self) -> usize {
        self.trace_start
    }

    pub fn here(&self) -> Option<ModelPlace> {
        self.here
    }

    /// Returns the window that Back should lead to: the one below a pop-up, or the one that this was opened from.
    pub fn opened_from(&self, window: RunWindowId) -> Option<RunWindowId> {
        self.windows.get(window).owner.or_else(|| self.opened_from.get(&window).copied())
    }

    /// Returns a number that grows whenever the model does.
    pub fn version(&self) -> usize {
        self.windows.version() + self.abstracted.states.len()
    }

    pub fn level(&self, window: RunWindowId) -> Level {
        self.levels.get(&window).copied().unwrap_or(Level::L1)
    }

    pub fn screen(&self, id: ScreenId) -> Option<&Arc<Screen>> {
        self.concrete.screen(id)
    }

    /// Forgets where the app is: it is gone, or a trace has begun elsewhere.
    pub fn leave(&mut self) {
        self.here = None;
    }

    /// Records an event after which the app was gone.
    pub fn record_ending(&mut self, event: &Event) {
        if let Some(before) = self.here.take() {
            if let Some(shown) = self.screen(before.screen).cloned()
                && let Some(input) = self.windows.input_of(event, &shown, before.window)
            {
                self.windows.inputs[input].times += 1;
            }
            self.concrete.endings.push((before.screen, event.clone()));
            self.count_ending(self.concrete.endings.len() - 1);
        }
    }

    /// Records that the app shows a screen which no recorded event led to: after a launch or a return.
    pub fn record_arrival(&mut self, id: ScreenId, screen: Option<&Screen>) {
        self.here = None;
        self.trace_start = self.concrete.steps.len();
        if let Some(screen) = screen {
            self.concrete.keep_screen(id, screen);
        }
        self.here = self.locate(id, None);
        if let Some(here) = self.here {
            self.abstracted.visit(here.state, here.window, here.screen);
        }
    }

    /// Records an event and the screen after it. `covered` are the targets that ran.
    pub fn record_step(
        &mut self,
        event: &Event,
        id: ScreenId,
        screen: Option<&Screen>,
        covered: BTreeSet<TargetNumber>,
    ) {
        let Some(before) = self.here else { return self.record_arrival(id, screen) };
        if let Some(screen) = screen {
            self.concrete.keep_screen(id, screen);
        }
        let input = self
            .screen(before.screen)
            .cloned()
            .and_then(|shown| self.windows.input_of(event, &shown, before.window));
        let expected = input.and_then(|input| self.windows.destination(input));
        let Some(after) = self.locate(id, expected) else {
            self.here = None;
            return;
        };
        self.windows.record_step(event, before.window, after.window, input);
        self.record_opening(event, before.window, after.window);
        let step = ConcreteStep { from: before.screen, event: event.clone(), to: id, covered };
        self.concrete.steps.push(step);
        self.here = Some(after);
        self.abstracted.visit(after.state, after.window, after.screen);
        self.record_abstract_step(self.concrete.steps.len() - 1);
        self.refine(self.concrete.steps.len() - 1);
        // A finer abstraction names the current state anew.
        self.here = self.locate(id, Some(after.window));
    }

    fn record_opening(&mut self, event: &Event, from: RunWindowId, to: RunWindowId) {
        // A pop-up closes before what it opens shows.
        let from = self.windows.get(from).owner.unwrap_or(from);
        let is_back = matches!(event, Event::Key(key) if *key == Key::back());
        let is_opened = from != to && !is_back && self.windows.get(to).owner.is_none();
        // Whoever closes a window does not open the one below it.
        if is_opened && self.opened_from.get(&from) != Some(&to) {
            self.opened_from.insert(to, from);
        }
    }

    /// Returns the place of a screen that is kept.
    fn locate(&mut self, id: ScreenId, expected: Option<RunWindowId>) -> Option<ModelPlace> {
        let screen = self.concrete.screen(id)?.clone();
        let window = self.windows.identify(id, &screen, expected);
        Some(ModelPlace { screen: id, window, state: self.state_of(&screen, window) })
    }

    pub fn counts(&self) -> ModelCounts {
        let name = |(window, level): (&RunWindowId, &Level)| {
            (self.windows.get(*window).name.clone(), format!("{level:?}"))
        };
        ModelCounts {
            windows: self.windows.len(),
            windows_added: self.windows.added_windows(),
            window_transitions: self.windows.transitions().count(),
            window_transitions_added: self.windows.transitions().filter(|it| it.is_added).count(),
            states: self.abstracted.states.len(),
            abstract_transitions: self.abstracted.transition_count(),
            screens: self.concrete.screen_count(),
            steps: self.concrete.steps.len(),
            refinements: self.refinements,
            levels: self.levels.iter().map(name).collect(),
        }
    }
}
