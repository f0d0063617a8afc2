//! The extended window transition graph (EWTG) of an app, read from its code and resources: step 2 of ATUA.
//!
//! Windows lead to windows through inputs. Everything here is plain data in the words of the paper; the analysis behind
//! it lies in the modules below.

mod android;
mod branches;
mod call_graph;
mod check;
mod code_model;
mod covered;
mod facts;
mod framework;
mod impact;
mod inputs;
mod intents;
mod layout;
mod listeners;
mod navigation;
mod picture;
mod sources;
mod transitions;
mod widget;
mod windows;

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::{Apk, ApkError};
use serde::{Deserialize, Serialize};

use crate::program::with_program;

pub use call_graph::CallGraph;
pub use check::{CheckedPart, ModelCheck, SeenRun};
pub use covered::{CoveredModel, java_method};
pub use impact::impact_of;
pub use sources::{SourceMethods, methods_of_sources};
pub use widget::WindowWidget;

/// An app's windows, their inputs, and where these lead.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AppModel {
    pub package: String,
    /// The window that the launcher opens.
    pub launcher: Option<String>,
    pub windows: Vec<AppWindow>,
    pub inputs: Vec<WindowInput>,
    pub transitions: Vec<WindowTransition>,
    /// Methods of window classes that nobody is seen to call: reflection, or a library, must.
    pub hidden_handlers: Vec<HiddenHandler>,
    pub call_graph: CallGraphSize,
    /// Methods that answer users' inputs by what they override, each with the cause if no input has it as its handler.
    #[serde(skip)]
    pub listeners: BTreeMap<String, &'static str>,
}

/// A window: something that covers the screen or a part of it and takes inputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AppWindow {
    /// Unique: an activity's class, `CLASS#options-menu`, `CLASS.METHOD#dialog`.
    pub id: String,
    pub kind: AppWindowKind,
    /// The window that it appears over, if it is no activity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Other apps may open it.
    pub exported: bool,
    /// Fragments that it hosts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fragments: Vec<String>,
    pub layouts: Vec<String>,
    pub widgets: Vec<WindowWidget>,
    /// Widgets that libraries add to it: the frame, toolbars, search fields, panels of dialogs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub library_widgets: Vec<WindowWidget>,
    /// Texts in its code, for text inputs.
    pub literals: Vec<String>,
    /// The extras that it reads from its intent.
    pub extras: Vec<WindowExtra>,
    /// Fields and literals, with the number of methods of the window's class that use them.
    pub terms: BTreeMap<String, usize>,
}

/// An extra that a window reads from its intent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WindowExtra {
    pub name: String,
    pub kind: ExtraKind,
}

/// The types of extras, as far as code tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExtraKind {
    Text,
    Number,
    Truth,
    /// An object, a list, or anything else.
    Other,
}

/// The kinds of windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AppWindowKind {
    Activity,
    Dialog,
    OptionsMenu,
    ContextMenu,
    PopupMenu,
    /// A window of another app.
    OutOfApp,
}

/// Something that a user, or Android, can do to a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WindowInput {
    pub window: String,
    pub event: InputEvent,
    /// The widget's id, or its text if it has none; none for inputs of the whole window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<String>,
    /// The methods that handle it: `Lcom/example/Main;->onClick(Landroid/view/View;)V`.
    pub handlers: Vec<String>,
    /// The updated methods that it can reach.
    #[serde(rename = "targetMethods", skip_serializing_if = "Vec::is_empty")]
    pub target_methods: Vec<String>,
    /// Fields and literals, with the number of methods that use them among the handlers and what these call in their own,
    /// inner and outer classes.
    pub terms: BTreeMap<String, usize>,
    /// Everything of the app's own code that can run; kept for marking targets.
    #[serde(skip)]
    pub reaches: BTreeSet<String>,
}

/// The kinds of inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputEvent {
    Click,
    LongClick,
    ItemClick,
    ItemLongClick,
    ItemSelected,
    CheckedChange,
    TextChange,
    EditorAction,
    Touch,
    Swipe,
    Key,
    Preference,
    /// The menu key, or the overflow button.
    Menu,
    Back,
    Dismiss,
    /// The result of another activity, or of a question for permission.
    Result,
    /// Android's own: creation, rotation, leaving and coming back.
    Lifecycle,
    Other,
}

impl InputEvent {
    /// Returns true for what a user does; false for what Android does by itself.
    pub fn is_of_users(self) -> bool {
        !matches!(self, InputEvent::Lifecycle | InputEvent::Result)
    }
}

/// A way from a window to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WindowTransition {
    pub from: String,
    /// The window it leads to; `launcher` and `BACK` stand for leaving and for the window before.
    pub to: String,
    /// The position of the input in [`AppModel::inputs`].
    pub input: usize,
    /// The action of an implicit intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The fragment that the window shows then, if a navigation graph says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
}

/// A method that should be a handler, and of which nobody knows how it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HiddenHandler {
    pub window: String,
    pub method: String,
    #[serde(rename = "targetMethods", skip_serializing_if = "Vec::is_empty")]
    pub target_methods: Vec<String>,
    #[serde(skip)]
    pub reaches: BTreeSet<String>,
}

/// The size of the call graph behind a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CallGraphSize {
    pub classes: usize,
    /// Methods of the app's own classes.
    pub own_methods: usize,
    pub calls: usize,
}

/// The id of the transition target that stands for the window before.
pub const PREVIOUS_WINDOW: &str = "BACK";

impl AppModel {
    pub fn read(apk: &Apk) -> Result<Self, ApkError> {
        with_program(apk, |program| {
            let code = code_model::CodeModel::new(program, &windows::components(apk));
            let mut model = windows::read(apk, &code);
            model.launcher = apk.launcher().ok().map(|launcher| launcher.activity);
            model.call_graph = CallGraphSize {
                classes: program.classes.len(),
                own_methods: code.methods.len(),
                calls: code.callees.iter().map(BTreeSet::len).sum(),
            };
            model
        })
    }

    /// Marks the inputs and hidden handlers that can reach updated methods, given as `Lcom/example/Main;->run()V`.
    pub fn mark_targets(&mut self, targets: &[String]) {
        let met = |reaches: &BTreeSet<String>| {
            targets.iter().filter(|it| reaches.contains(*it)).cloned().collect::<Vec<_>>()
        };
        for input in &mut self.inputs {
            input.target_methods = met(&input.reaches);
        }
        for handler in &mut self.hidden_handlers {
            handler.target_methods = met(&handler.reaches);
        }
    }

    /// Returns the handlers that run when a window opens that shows one of these resources, given as `@layout/main`.
    pub fn openers_of(&self, resources: &BTreeSet<String>) -> Vec<String> {
        let shows = |window: &AppWindow| window.layouts.iter().any(|it| resources.contains(it));
        let windows: BTreeSet<&str> =
            self.windows.iter().filter(|it| shows(it)).map(|it| it.id.as_str()).collect();
        let opened = self
            .inputs
            .iter()
            .filter(|it| it.event == InputEvent::Lifecycle && windows.contains(it.window.as_str()));
        let handlers: BTreeSet<String> =
            opened.flat_map(|it| it.handlers.iter().cloned()).collect();
        handlers.into_iter().collect()
    }

    pub fn window(&self, id: &str) -> Option<&AppWindow> {
        self.windows.iter().find(|window| window.id == id)
    }

    /// Returns the graph as a picture: windows as wireframes of their layouts, transitions as arrows.
    pub fn svg(&self) -> String {
        picture::render(self, None)
    }

    /// Returns the picture of the graph, coloured by what a run covered.
    pub fn svg_of_run(&self, seen: &SeenRun) -> String {
        picture::render(self, Some(&self.covered_by(seen)))
    }
}
