//! What the script languages share: a beginning that launches the app from a clean install, the steps with their
//! sentences as comments, and an end.

use crate::trace::ExportedTrace;
use retap_model::Event;
use retap_model::printable::printable_line;

/// A written script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    pub text: String,
    /// The number of the trace's steps.
    pub steps: usize,
    /// The steps that the language cannot say.
    pub left_out: Vec<LeftOut>,
    /// Sentences on what is less exact in the script than in the trace.
    pub remarks: Vec<String>,
}

/// A step that a script does not perform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the event, counted from one.
    pub number: usize,
    pub reason: String,
}

/// A language that a script is written in. Lines come without their line ends.
pub trait Language {
    /// What stands before a comment.
    const COMMENT: &'static str;
    /// What stands before each line of a step.
    const INDENT: &'static str;

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String>;

    /// Returns the lines of a step, or why the language cannot say it.
    fn step(&mut self, event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String>;

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String>;
}

pub fn write<L: Language>(language: &mut L, trace: &ExportedTrace<'_>) -> Script {
    let mut lines = language.begin(trace);
    let mut left_out = Vec::new();
    for (index, event) in trace.events().enumerate() {
        let number = index + 1;
        let (indent, comment) = (L::INDENT, L::COMMENT);
        // Java reads an escape of a character even in a comment.
        let sentence = printable_line(&event.to_string()).replace('\\', "/");
        lines.push(format!("{indent}{comment} {number}. {sentence}"));
        match language.step(event, trace) {
            Ok(step) => lines.extend(step.iter().map(|line| format!("{indent}{line}"))),
            Err(reason) => {
                let shown = printable_line(&reason).replace('\\', "/");
                lines.push(format!("{indent}{comment} LEFT OUT: {shown}"));
                left_out.push(LeftOut { number, reason });
            }
        }
    }
    lines.extend(language.end(trace));
    Script {
        text: lines.join("\n") + "\n",
        left_out,
        steps: trace.trace.steps.len(),
        remarks: Vec::new(),
    }
}
