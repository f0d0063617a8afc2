//! Crashes that are known bugs (`--known FILE`): which strategy found which of them, in how many runs, and after how
//! many events.

use super::cell::{Cell, MeasuredCell};
use super::comparison::names;
use super::markdown::short;
use crate::table::median;
use retap_engine::Failure;
use retap_model::CrashId;
use retap_model::format::run::{RunError, TRACE, read_crash};
use retap_model::format::trace::{TraceEntry, TraceReader};
use serde::Serialize;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

/// A line of the file: an app, an exception and a frame of the app, with tabs between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownCrash {
    /// The name of the APK or fake, without its extension.
    pub app: String,
    /// With or without its package.
    pub exception: String,
    /// A part of a frame of the stack, such as `Add$2.onClick`.
    pub frame: String,
}

/// A known crash and what one strategy made of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownCrashSearch {
    #[serde(flatten)]
    pub crash: KnownCrash,
    pub strategy: String,
    pub runs: usize,
    /// The number of events after which each run that found it did.
    pub found_after: Vec<u64>,
}

/// Reads the file. Empty lines and lines that begin with `#` say nothing.
pub fn read(file: &Path) -> Result<Vec<KnownCrash>, Failure> {
    let text = fs::read_to_string(file).map_err(RunError::io(file))?;
    let says_something = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    let lines = text.lines().enumerate().filter(|(_, line)| says_something(line));
    lines.map(|(index, line)| parse(line, file, index + 1)).collect()
}

fn parse(line: &str, file: &Path, number: usize) -> Result<KnownCrash, Failure> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    match fields[..] {
        [app, exception, frame] if fields.iter().all(|field| !field.is_empty()) => {
            let [app, exception, frame] = [app, exception, frame].map(String::from);
            Ok(KnownCrash { app, exception, frame })
        }
        _ => Err(Failure::input(format!(
            "{}:{number}: expected an app, an exception and a frame with tabs between them, found {line:?}",
            file.display()
        ))),
    }
}

impl KnownCrash {
    /// Returns true if a stack shows this crash.
    fn is_shown_by(&self, stack: &str) -> bool {
        let has_exception = stack.lines().any(|line| {
            let class = line.trim().trim_start_matches("Caused by: ");
            let class = class.split([':', ' ']).next().unwrap_or_default();
            class == self.exception
                || class.strip_suffix(&self.exception).is_some_and(|rest| rest.ends_with('.'))
        });
        let mut frames = stack.lines().filter(|line| line.trim_start().starts_with("at "));
        has_exception && frames.any(|frame| frame.contains(&self.frame))
    }
}

/// Looks for every known crash of a measured app in the runs of every strategy.
pub fn search(
    known: &[KnownCrash],
    measured: &[MeasuredCell],
    output: &Path,
) -> Result<Vec<KnownCrashSearch>, Failure> {
    let mut searches = Vec::new();
    for crash in known {
        for strategy in names(measured, |m| &m.strategy) {
            let is_wanted =
                |m: &&MeasuredCell| m.strategy == strategy && short(&m.app) == crash.app;
            let cells: Vec<&MeasuredCell> = measured.iter().filter(is_wanted).collect();
            if cells.is_empty() {
                continue;
            }
            let mut found_after = Vec::new();
            for cell in &cells {
                found_after.extend(events_until(crash, cell, output)?);
            }
            let (crash, runs) = (crash.clone(), cells.len());
            searches.push(KnownCrashSearch { crash, strategy, runs, found_after });
        }
    }
    Ok(searches)
}

/// Returns the number of events after which a run met the crash first, if it did.
fn events_until(
    crash: &KnownCrash,
    measured: &MeasuredCell,
    output: &Path,
) -> Result<Option<u64>, Failure> {
    let MeasuredCell { app, strategy, run, .. } = measured;
    let dir = Cell { app: app.clone(), strategy: strategy.clone(), run: *run }.dir(output);
    let mut ids = Vec::new();
    for id in &measured.crashes {
        if crash.is_shown_by(&read_crash(&dir, *id)?.stack) {
            ids.push(*id);
        }
    }
    if ids.is_empty() { Ok(None) } else { first_meeting(&ids, &dir.join(TRACE)) }
}

/// Counts the events of a run up to the first of these crashes. The steps of a return count as many events as it took.
pub fn first_meeting(ids: &[CrashId], trace: &Path) -> Result<Option<u64>, Failure> {
    let file = File::open(trace).map_err(RunError::io(trace))?;
    let mut reader = TraceReader::new(BufReader::new(file), &trace.display().to_string())?;
    let (mut events, mut return_steps) = (0, 0);
    while let Some(entry) = reader.next_entry()? {
        let result = match &entry {
            TraceEntry::Start { result, returns, .. } => {
                return_steps = returns.map_or(0, |returns| returns.steps);
                events += returns.map_or(0, |returns| returns.events);
                result
            }
            TraceEntry::Step(step) => {
                events += u64::from(return_steps == 0);
                return_steps = return_steps.saturating_sub(1);
                &step.result
            }
        };
        if result.outcome.crash().is_some_and(|id| ids.contains(&id)) {
            return Ok(Some(events));
        }
    }
    Ok(None)
}

/// Renders a row for each known crash and a column for each strategy.
pub fn render(searches: &[KnownCrashSearch]) -> String {
    let mut strategies: Vec<&str> = Vec::new();
    let mut crashes: Vec<&KnownCrash> = Vec::new();
    for search in searches {
        if !strategies.contains(&search.strategy.as_str()) {
            strategies.push(&search.strategy);
        }
        if !crashes.contains(&&search.crash) {
            crashes.push(&search.crash);
        }
    }
    let mut text = format!(
        "\n## Known crashes\n\nRuns that found it, and the median of the events until then.\n\n\
         | app | crash | {} |\n|---|---|{}\n",
        strategies.join(" | "),
        "---|".repeat(strategies.len())
    );
    for crash in crashes {
        let cell = |strategy: &&str| {
            let of =
                |search: &&KnownCrashSearch| search.crash == *crash && search.strategy == *strategy;
            searches.iter().find(of).map_or_else(String::new, |search| {
                let after = search.found_after.iter().map(|events| *events as f64);
                match search.found_after.len() {
                    0 => "–".to_string(),
                    found => format!("{found} of {}, {} events", search.runs, median(after)),
                }
            })
        };
        let cells: Vec<String> = strategies.iter().map(cell).collect();
        let KnownCrash { app, exception, frame } = crash;
        text += &format!("| {app} | {exception}, `{frame}` | {} |\n", cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "java.lang.RuntimeException: Unable to start\n\tat android.app.A.b(A.java:1)\n\
        Caused by: java.lang.NullPointerException\n\tat com.app.Add$2.onClick(Add.java:9)";

    fn known(exception: &str, frame: &str) -> KnownCrash {
        KnownCrash { app: "a".into(), exception: exception.into(), frame: frame.into() }
    }

    #[test]
    fn a_crash_is_known_by_an_exception_of_its_stack_and_a_frame() {
        for exception in ["NullPointerException", "java.lang.NullPointerException"] {
            assert!(known(exception, "Add$2.onClick").is_shown_by(STACK), "{exception}");
        }
        assert!(!known("PointerException", "Add$2.onClick").is_shown_by(STACK));
        assert!(!known("NullPointerException", "Add.onClick").is_shown_by(STACK));
    }

    #[test]
    fn a_line_without_its_three_fields_is_refused_with_its_number() {
        let file = Path::new("known.tsv");
        let read = parse("a\tNullPointerException\tAdd.go ", file, 3).unwrap();
        assert_eq!(read, known("NullPointerException", "Add.go"));
        for line in ["a\tError", "a\t\tb", "a b c"] {
            let error = parse(line, file, 3).unwrap_err().to_string();
            assert!(error.contains("known.tsv:3: expected an app"), "{error}");
        }
    }
}
