//! What an export needs of a trace.

use retap_model::app::{AppIdentity, Display};
use retap_model::observation::RecordedOutcome;
use retap_model::printable::printable_line;
use retap_model::{Event, Trace};

/// A trace of an app, with what is known about it besides.
#[derive(Debug, Clone, Copy)]
pub struct ExportedTrace<'a> {
    pub app: &'a AppIdentity,
    pub api: Option<u32>,
    pub display: Display,
    /// The class of the activity that the launcher starts, if it is known.
    pub entry: Option<&'a str>,
    pub trace: &'a Trace,
    /// The crash's stack, if it is known.
    pub stack: Option<&'a str>,
    /// The trace as users name it, for the command that replays it.
    pub name: &'a str,
    /// The address of a screenshot of the end, for formats that show pictures.
    pub picture: Option<&'a str>,
}

impl<'a> ExportedTrace<'a> {
    pub fn package(&self) -> &'a str {
        &self.app.package
    }

    pub fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.trace.events()
    }

    /// Returns the class of the exception that the trace ends with.
    pub fn exception(&self) -> Option<&'a str> {
        match &self.trace.last().outcome {
            RecordedOutcome::Crashed { exception, .. } => Some(exception),
            _ => None,
        }
    }

    /// Returns a sentence on what the script does, on one line.
    pub fn purpose(&self) -> String {
        let AppIdentity { package, version, .. } = self.app;
        let app = if version.is_empty() { package.clone() } else { format!("{package} {version}") };
        let end = match (&self.trace.last().outcome, self.exception()) {
            (_, Some(exception)) => format!("crashes with {exception}"),
            (RecordedOutcome::NotResponding, _) => "stops responding".into(),
            (RecordedOutcome::Exited, _) => "ends".into(),
            _ => "does not crash".into(),
        };
        let steps = self.trace.steps.len();
        let plural = if steps == 1 { "" } else { "s" };
        printable_line(&format!("{app} {end} after {steps} event{plural}")).into_owned()
    }
}
