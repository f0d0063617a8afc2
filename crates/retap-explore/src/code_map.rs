//! What an app's code says about its windows: which inputs run which code, and where they lead. The engine fills it from
//! a static model; strategies read it as a map of what has not run yet.

use retap_model::UnitId;
use retap_model::event::Intent;
use std::collections::{BTreeMap, BTreeSet};

/// The windows and inputs of an app. An empty map says nothing.
#[derive(Debug, Clone, Default)]
pub struct CodeMap {
    pub windows: Vec<MapWindow>,
    pub inputs: Vec<MapInput>,
    /// The units that are worth running, each with its weight.
    pub goals: BTreeMap<UnitId, u32>,
    /// What an input with everything ahead of it is worth, in expected rewards. A tap that nothing is known of is worth 1.
    pub emphasis: f64,
}

/// A window: an activity, or a dialog or menu over one.
#[derive(Debug, Clone, Default)]
pub struct MapWindow {
    /// The activity that shows with it.
    pub activity: String,
    /// Texts in its code.
    pub literals: BTreeSet<String>,
    /// The intent with which another app may open it.
    pub opened_by: Option<Intent>,
}

/// Something that can be done in a window.
#[derive(Debug, Clone)]
pub struct MapInput {
    /// The position of its window.
    pub window: usize,
    pub gesture: MapGesture,
    /// The short id or the texts of its widget, in lower case; empty for an input of the whole window.
    pub names: BTreeSet<String>,
    /// The units of the methods that handle it.
    pub handlers: Vec<UnitId>,
    /// The goals that it may run.
    pub reaches: Vec<UnitId>,
    /// The positions of the windows that it may open.
    pub leads_to: Vec<usize>,
}

/// The kinds of inputs, as far as events tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapGesture {
    Tap,
    LongPress,
    /// Any touch.
    Touch,
    Swipe,
    Type,
    Menu,
    Back,
    Rotate,
    /// It happens when the window opens.
    Open,
}

impl CodeMap {
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }
}
