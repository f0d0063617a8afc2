//! An app as its file describes it: names are resolved and expressions compiled, so that running it
//! cannot fail.

use super::language::ParseError;
use crate::fake::fault::Fault;
use crate::fake::language::gesture::Gesture;
use crate::fake::language::parser;
use crate::fake::language::rule::{RuleEffect, ScreenRule};
use crate::fake::language::template::Template;
use crate::fake::language::value::FakeValue;
use crate::fake::language::widget::WidgetSpec;
use retap_model::app::AppIdentity;
use retap_model::{Display, Units, WindowKind};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub struct FakeApp {
    pub(crate) identity: AppIdentity,
    pub(crate) display: Display,
    pub(crate) snapshots: bool,
    pub(crate) screenshots: bool,
    /// False for an app whose chances differ after every reset, whatever the world seed.
    pub(crate) deterministic: bool,
    /// False for an app that keeps its orientation.
    pub(crate) rotation: bool,
    pub(crate) activities: Vec<String>,
    pub(crate) broadcasts: Vec<String>,
    pub(crate) units: Arc<Units>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) screens: Vec<ScreenSpec>,
    pub(crate) start: LaunchSpec,
    pub(crate) faults: Vec<Fault>,
}

impl FakeApp {
    /// Parses an app file. `file` is a name for error messages.
    pub fn parse(file: &str, source: &str) -> Result<FakeApp, ParseError> {
        parser::parse(source).map_err(|error| ParseError::in_file(file, error))
    }

    /// Returns the description that a device gives of the installed app.
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
pub(crate) struct Variable {
    pub initial: FakeValue,
    /// True for data on disk: it outlives the process, and only a reset clears it.
    pub stored: bool,
}

/// The screen that a launch shows and the launch's effect.
#[derive(Debug)]
pub(crate) struct LaunchSpec {
    pub screen: usize,
    pub effect: RuleEffect,
}

/// One `screen` of the file.
#[derive(Debug)]
pub(crate) struct ScreenSpec {
    pub form: ScreenForm,
    pub title: Template,
    pub widgets: Vec<WidgetSpec>,
    /// The slots of the variables that the screen's look depends on.
    pub shows: Vec<usize>,
    /// The rules by gesture, in file order.
    pub rules: [Vec<Reaction>; Gesture::COUNT],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenForm {
    /// A full screen with its activity's class.
    Activity(String),
    /// A dialog, menu or popup over the screens below it on the back stack.
    Over(WindowKind),
    /// A full screen of another app.
    Outside(String),
}

/// A rule that may apply on a screen.
#[derive(Debug)]
pub(crate) struct Reaction {
    /// The index of the rule's widget, or `None` for a rule about any place.
    pub widget: Option<usize>,
    pub rule: Arc<ScreenRule>,
}
