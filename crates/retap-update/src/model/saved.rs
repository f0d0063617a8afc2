//! The model in the form in which a run keeps it, for people and for the next version's run.

use super::RunModel;
use super::windows::RunWindow;
use retap_static::{AppWindowKind, InputEvent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The graphs of windows and of abstract states, as plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedModel {
    /// The format's version.
    pub version: u32,
    pub windows: Vec<SavedWindow>,
    pub transitions: Vec<SavedTransition>,
    pub states: Vec<SavedState>,
    /// Inputs that running has found for hidden handlers.
    pub found_inputs: Vec<SavedInput>,
}

/// An input that the static model lacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedInput {
    pub window: String,
    pub event: InputEvent,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget: Option<String>,
    pub handlers: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedWindow {
    pub name: String,
    pub kind: AppWindowKind,
    /// The activity below, if it is none itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Ids and texts of its widgets, if the static model lacks it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<String>,
    /// True if the static model lacks it.
    pub is_added: bool,
    /// The level of its abstraction.
    pub level: String,
    /// The number of its abstract states.
    pub states: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedTransition {
    pub from: String,
    pub to: String,
    pub event: InputEvent,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget: Option<String>,
    /// True if the static model lacks it.
    pub is_added: bool,
    /// How often its input was done.
    pub times: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedState {
    pub state: String,
    pub window: String,
    pub screens: usize,
    /// Events that leave it, each with the states it led to.
    pub out: Vec<(String, Vec<String>)>,
}

impl SavedModel {
    pub const VERSION: u32 = 1;

    /// Reads a model that a run has written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let model: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match model.version {
            Self::VERSION => Ok(model),
            other => Err(format!("expected a model of version {}, found {other}", Self::VERSION)),
        }
    }
}

impl RunModel {
    pub fn saved(&self) -> SavedModel {
        let name = |id: usize| self.windows.get(id).name.clone();
        let window = |id: usize| {
            let RunWindow { name, kind, owner, is_added, labels, .. } =
                self.windows.get(id).clone();
            let level = format!("{:?}", self.level(id));
            SavedWindow {
                name,
                kind,
                owner: owner.map(|owner| self.windows.get(owner).name.clone()),
                labels: if is_added { labels } else { BTreeSet::new() },
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
        let found = self.windows.inputs.iter().filter(|it| it.is_added).map(|it| SavedInput {
            window: name(it.window),
            event: it.event,
            widget: it.widget.clone(),
            handlers: it.handlers.clone(),
        });
        SavedModel {
            version: SavedModel::VERSION,
            found_inputs: found.collect(),
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
