//! The graph of windows (EWTG): the static model, extended by what the run shows.

mod build;
mod record;

use super::action::{AbstractAction, UiAction, widget_of};
use crate::input::locate;
use crate::targets::TargetNumber;
use retap_model::{Event, Key, Screen, ScreenId};
use retap_static::{AppWindowKind, InputEvent};
use std::collections::{BTreeMap, BTreeSet};

pub type RunWindowId = usize;
/// The position of an input in the graph.
pub type InputNumber = usize;

/// A window of the static model, or one that the run has found.
#[derive(Debug, Clone, PartialEq)]
pub struct RunWindow {
    pub name: String,
    pub kind: AppWindowKind,
    /// The activity below, if this is none itself.
    pub owner: Option<RunWindowId>,
    /// True if the static model lacks it.
    pub is_added: bool,
    /// Ids and texts of its widgets.
    pub labels: BTreeSet<String>,
    /// Texts in its code.
    pub literals: Vec<String>,
    pub terms: BTreeMap<String, usize>,
}

/// Something that can be done to a window.
#[derive(Debug, Clone)]
pub struct ModelInput {
    pub window: RunWindowId,
    pub event: InputEvent,
    /// The widget's id or text; none for inputs of the whole window.
    pub widget: Option<String>,
    /// Texts that the widget may show.
    pub texts: Vec<String>,
    pub handlers: Vec<String>,
    pub targets: BTreeSet<TargetNumber>,
    pub terms: BTreeMap<String, usize>,
    /// Own methods that it can run.
    pub reaches: BTreeSet<String>,
    /// The times that it was done.
    pub times: u32,
    pub is_added: bool,
}

/// A way from a window to another.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTransition {
    pub from: RunWindowId,
    pub to: RunWindowId,
    pub input: InputNumber,
    pub is_added: bool,
    /// True if another version's run has taken it and this one has not.
    pub is_adopted: bool,
}

/// A method of a window's class that must be a handler, and that no input is known for.
#[derive(Debug, Clone)]
pub struct HiddenMethod {
    pub window: RunWindowId,
    pub signature: String,
    pub targets: BTreeSet<TargetNumber>,
    /// True after an input ran a target of it.
    pub is_found: bool,
}

#[derive(Debug, Clone)]
pub struct WindowGraph {
    pub(super) windows: Vec<RunWindow>,
    pub(super) by_name: BTreeMap<String, RunWindowId>,
    pub inputs: Vec<ModelInput>,
    pub(super) transitions: Vec<ModelTransition>,
    pub hidden: Vec<HiddenMethod>,
    /// The window of each screen that was identified.
    pub(super) screens: BTreeMap<ScreenId, RunWindowId>,
}

impl WindowGraph {
    pub fn get(&self, window: RunWindowId) -> &RunWindow {
        &self.windows[window]
    }

    pub fn len(&self) -> usize {
        self.windows.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = RunWindowId> {
        0..self.windows.len()
    }

    pub fn added_windows(&self) -> usize {
        self.windows.iter().filter(|window| window.is_added).count()
    }

    pub fn transitions(&self) -> impl Iterator<Item = &ModelTransition> {
        self.transitions.iter()
    }

    /// Returns a number that grows whenever the graph does.
    pub fn version(&self) -> usize {
        self.windows.len() + self.transitions.len()
    }

    pub fn known_window(&self, screen: ScreenId) -> Option<RunWindowId> {
        self.screens.get(&screen).copied()
    }

    /// Returns the window with this name, which is added if it is new.
    pub(super) fn named(&mut self, name: &str) -> RunWindowId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        self.add(name.to_string(), AppWindowKind::Activity, None)
    }

    pub(super) fn add(
        &mut self,
        name: String,
        kind: AppWindowKind,
        owner: Option<RunWindowId>,
    ) -> RunWindowId {
        let id = self.windows.len();
        self.by_name.insert(name.clone(), id);
        self.windows.push(RunWindow {
            name,
            kind,
            owner,
            is_added: true,
            labels: BTreeSet::new(),
            literals: Vec::new(),
            terms: BTreeMap::new(),
        });
        id
    }

    /// Returns the inputs that can be done where a window shows: its own, and those of its menus, whose items may lie in
    /// the action bar.
    pub fn inputs_at(
        &self,
        window: RunWindowId,
    ) -> impl Iterator<Item = (InputNumber, &ModelInput)> {
        self.inputs.iter().enumerate().filter(move |(_, input)| self.is_at(input.window, window))
    }

    /// Returns true if inputs of one window can be done while another shows.
    pub fn is_at(&self, of: RunWindowId, shown: RunWindowId) -> bool {
        let window = &self.windows[of];
        of == shown || (window.kind == AppWindowKind::OptionsMenu && window.owner == Some(shown))
    }

    /// Returns the input of the graph that an event on a screen is.
    pub fn input_of(
        &self,
        event: &Event,
        screen: &Screen,
        window: RunWindowId,
    ) -> Option<InputNumber> {
        let kind = AbstractAction::of(event, screen, retap_model::abstraction::Level::L1).kind;
        let touched = event.target().and_then(|target| widget_of(target, screen));
        let is_it = |input: &ModelInput| {
            if !kinds_of(input.event).contains(&kind) {
                return false;
            }
            match (&input.widget, event) {
                (_, Event::Key(key)) => match input.event {
                    InputEvent::Menu => *key == Key::menu(),
                    InputEvent::Back | InputEvent::Dismiss => *key == Key::back(),
                    _ => false,
                },
                (Some(_), _) => touched.is_some_and(|widget| locate::is_part_of(input, widget)),
                (None, _) => false,
            }
        };
        self.inputs_at(window).find(|(_, input)| is_it(input)).map(|(number, _)| number)
    }

    /// Returns the window that an input leads to, if it leads to one alone.
    pub fn destination(&self, input: InputNumber) -> Option<RunWindowId> {
        let mut found = self.transitions.iter().filter(|it| it.input == input).map(|it| it.to);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }
}

/// Returns the last part of a resource's name: `title` for `@id/title`.
pub fn short(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// Returns the kinds of actions that an input of the static model may be.
fn kinds_of(event: InputEvent) -> &'static [UiAction] {
    match event {
        InputEvent::Click
        | InputEvent::ItemClick
        | InputEvent::ItemSelected
        | InputEvent::CheckedChange
        | InputEvent::Preference => &[UiAction::Tap],
        InputEvent::LongClick | InputEvent::ItemLongClick => &[UiAction::LongPress],
        InputEvent::TextChange => &[UiAction::Text],
        InputEvent::Touch | InputEvent::Other => {
            &[UiAction::Tap, UiAction::LongPress, UiAction::Swipe]
        }
        InputEvent::Swipe => &[UiAction::Swipe],
        InputEvent::Key
        | InputEvent::EditorAction
        | InputEvent::Menu
        | InputEvent::Back
        | InputEvent::Dismiss => &[UiAction::Key],
        InputEvent::Lifecycle => &[UiAction::Rotate],
        InputEvent::Result => &[],
    }
}
