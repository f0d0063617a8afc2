//! The model in the form in which a run keeps it, for people and for the next version's run.

use super::RunModel;
use super::windows::RunWindow;
use retap_static::{AppWindowKind, InputEvent};
use serde::Serialize;

/// The graphs of windows and of abstract states, as plain data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedModel {
    pub windows: Vec<SavedWindow>,
    pub transitions: Vec<SavedTransition>,
    pub states: Vec<SavedState>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedWindow {
    pub name: String,
    pub kind: AppWindowKind,
    /// True if the static model lacks it.
    pub is_added: bool,
    /// The level of its abstraction.
    pub level: String,
    /// The number of its abstract states.
    pub states: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedTransition {
    pub from: String,
    pub to: String,
    pub event: InputEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<String>,
    /// True if the static model lacks it.
    pub is_added: bool,
    /// How often its input was done.
    pub times: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SavedState {
    pub state: String,
    pub window: String,
    pub screens: usize,
    /// Events that leave it, each with the states it led to.
    pub out: Vec<(String, Vec<String>)>,
}

impl RunModel {
    pub fn saved(&self) -> SavedModel {
        let name = |id: usize| self.windows.get(id).name.clone();
        let window = |id: usize| {
            let RunWindow { name, kind, is_added, .. } = self.windows.get(id).clone();
            let level = format!("{:?}", self.level(id));
            SavedWindow {
                name,
                kind,
                is_added,
                level,
                states: self.abstracted.states_of(id).count(),
            }
        };
        let transitions = self.windows.transitions().map(|it| {
            let input = &self.windows.inputs[it.input];
            SavedTransition {
                from: name(it.from),
                to: name(it.to),
                event: input.event,
                widget: input.widget.clone(),
                is_added: it.is_added,
                times: input.times,
            }
        });
        let states = self.abstracted.states.iter().map(|(id, node)| SavedState {
            state: id.to_string(),
            window: name(node.window),
            screens: node.screens.len(),
            out: node.out.values().map(|ways| self.describe(ways)).collect(),
        });
        SavedModel {
            windows: self.windows.ids().map(window).collect(),
            transitions: transitions.collect(),
            states: states.collect(),
        }
    }

    fn describe(&self, ways: &[super::AbstractTransition]) -> (String, Vec<String>) {
        let event = ways.first().map(|way| self.concrete.steps[way.step].event.to_string());
        (event.unwrap_or_default(), ways.iter().map(|way| way.to.to_string()).collect())
    }
}
