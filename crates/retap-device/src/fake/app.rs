//! An app as its file describes it: names resolved, expressions compiled, nothing left to fail.

use super::error::ParseError;
use super::fault::Fault;
use super::parse;
use super::part::Part;
use super::rule::{Effect, Rule};
use super::template::Template;
use super::trigger::Gesture;
use super::value::Value;
use retap_model::app::AppIdentity;
use retap_model::{Display, Units, WindowKind};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub struct App {
    pub(super) identity: AppIdentity,
    pub(super) display: Display,
    pub(super) snapshots: bool,
    pub(super) screenshots: bool,
    /// Off for an app whose luck is another after every reset, whatever the world seed.
    pub(super) deterministic: bool,
    /// Off for an app that keeps its orientation.
    pub(super) rotation: bool,
    pub(super) activities: Vec<String>,
    pub(super) broadcasts: Vec<String>,
    pub(super) units: Arc<Units>,
    pub(super) variables: Vec<Variable>,
    pub(super) screens: Vec<Page>,
    pub(super) start: Start,
    pub(super) faults: Vec<Fault>,
}

impl App {
    /// `file` is only a name for messages.
    pub fn parse(file: &str, source: &str) -> Result<App, ParseError> {
        parse::parse(source).map_err(|problem| problem.in_file(file))
    }

    /// What a device tells about the app once it is installed.
    pub fn describe(&self) -> retap_model::App {
        retap_model::App {
            identity: self.identity.clone(),
            activities: self.activities.clone(),
            broadcasts: self.broadcasts.clone(),
            units: Arc::clone(&self.units),
            libraries: BTreeMap::new(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Variable {
    pub initial: Value,
    /// Data on disk: it outlives the process. Only a reset empties it.
    pub stored: bool,
}

/// Where a launch leads, what it executes and how long it takes.
#[derive(Debug)]
pub(super) struct Start {
    pub screen: usize,
    pub effect: Effect,
}

/// One `screen` of the file.
#[derive(Debug)]
pub(super) struct Page {
    pub form: Form,
    pub title: Template,
    pub widgets: Vec<Part>,
    /// Slots of the variables that can change how it looks.
    pub shows: Vec<usize>,
    /// By gesture, in file order.
    pub rules: [Vec<Reaction>; Gesture::COUNT],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A full screen with its activity's class.
    Activity(String),
    /// A dialog, menu or popup over what is beneath it on the back stack.
    Over(WindowKind),
    /// A full screen of another app.
    Outside(String),
}

/// A rule that may fire on a screen.
#[derive(Debug)]
pub(super) struct Reaction {
    /// Which widget it is about; none for any place.
    pub widget: Option<usize>,
    pub rule: Arc<Rule>,
}
