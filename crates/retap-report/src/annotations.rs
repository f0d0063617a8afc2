//! Annotations that GitHub shows in the code of a pull request: one line for each crash and finding.

use crate::run::RunData;
use crate::sarif::SourceLocation;
use retap_model::printable::printable;
use std::fmt::Write;

/// Renders the lines that a step of a workflow prints.
pub fn render(run: &RunData) -> String {
    let mut text = String::new();
    for crash in &run.crashes {
        let level = if crash.has_own_code && crash.doubts.is_empty() { "error" } else { "warning" };
        let location = SourceLocation::parse(&crash.frame);
        let steps = steps(crash.steps.iter().map(|step| step.description.to_string()));
        let annotation = Annotation {
            level,
            place: location.map_or_else(String::new, |location| place(run, &location)),
            title: &crash.exception,
            message: &format!("{}{steps}", crash.message),
        };
        annotation.write(&mut text);
    }
    for found in &run.findings {
        let steps = steps(found.steps.iter().map(|step| step.description.to_string()));
        let annotation = Annotation {
            level: "warning",
            place: String::new(),
            title: &format!("{} in {}", found.finding.kind, found.finding.activity),
            message: &format!("{}{steps}", found.finding.message),
        };
        annotation.write(&mut text);
    }
    text
}

struct Annotation<'a> {
    level: &'a str,
    /// `file=…,line=…`, or empty.
    place: String,
    title: &'a str,
    message: &'a str,
}

impl Annotation<'_> {
    fn write(&self, text: &mut String) {
        let Self { level, place, title, message } = self;
        let comma = if place.is_empty() { "" } else { "," };
        let (title, message) = (escape_property(title), escape(message));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "::{level} {place}{comma}title={title}::{message}");
    }
}

fn place(run: &RunData, location: &SourceLocation<'_>) -> String {
    let Some(file) = &location.file else { return String::new() };
    let found = run.sources.find(file).map(|path| path.display().to_string());
    let file = escape_property(found.as_ref().unwrap_or(file));
    match location.line {
        Some(line) => format!("file={file},line={line}"),
        None => format!("file={file}"),
    }
}

fn steps(steps: impl Iterator<Item = String>) -> String {
    steps.zip(1..).map(|(step, number)| format!("\n{number}. {step}")).collect()
}

/// GitHub reads a command up to the end of its line.
fn escape(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_an_app_begins_a_command_of_its_own() {
        let mut text = String::new();
        let hostile = "a\n::error::b\r\u{1b}[2J";
        Annotation { level: "error", place: String::new(), title: hostile, message: hostile }
            .write(&mut text);
        assert_eq!(text.lines().count(), 1);
        assert!(!text.contains('\u{1b}') && !text.contains(",b"), "{text}");
        assert!(text.starts_with("::error title=a%0A%3A%3Aerror%3A%3Ab"), "{text}");
    }
}
