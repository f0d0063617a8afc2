//! An app as its file describes it: names resolved, expressions compiled, nothing left to fail.

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
    /// Off for an app whose luck is another after every reset, whatever the world seed.
    pub(crate) deterministic: bool,
    /// Off for an app that keeps its orientation.
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
    /// `file` is only a name for messages.
    pub fn parse(file: &str, source: &str) -> Result<FakeApp, ParseError> {
        parser::parse(source).map_err(|error| ParseError::in_file(file, error))
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
pub(crate) struct Variable {
    pub initial: FakeValue,
    /// Data on disk: it outlives the process. Only a reset empties it.
    pub stored: bool,
}

/// Where a launch leads, what it executes and how long it takes.
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
    /// Slots of the variables that can change how it looks.
    pub shows: Vec<usize>,
    /// By gesture, in file order.
    pub rules: [Vec<Reaction>; Gesture::COUNT],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenForm {
    /// A full screen with its activity's class.
    Activity(String),
    /// A dialog, menu or popup over what is beneath it on the back stack.
    Over(WindowKind),
    /// A full screen of another app.
    Outside(String),
}

/// A rule that may fire on a screen.
#[derive(Debug)]
pub(crate) struct Reaction {
    /// Which widget it is about; none for any place.
    pub widget: Option<usize>,
    pub rule: Arc<ScreenRule>,
}
