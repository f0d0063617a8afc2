//! The trace file, `trace.jsonl`: a header line, then one line per start and step.
//!
//! ```text
//! {"retap":"trace","version":1,"app":{…},"device":"embedded","api":35,"display":"1080x1920@480",…}
//! {"start":7,"state":"…"}
//! {"event":{"tap":{"on":{"id":"add"},"at":[540,960]}},"state":"…"}
//! ```
//! A file may contain many traces: each `start` line begins one from a clean install, in the world
//! it names. The start of a trace that returns to a state looks like
//! `{"start":7,"return":{"to":"…","steps":3,"events":3},…}`.

use super::FormatError;
use super::lines::{Line, Lines};
use crate::abstraction::Abstraction;
use crate::app::{AppIdentity, Display, WorldSeed};
use crate::event::Event;
use crate::trace::{Return, Step, StepResult, Suite, Trace};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

pub const VERSION: u32 = 1;

/// The most steps that fit comfortably in memory at once. A caller can still read one trace of a
/// longer file.
pub const MAX_STEPS: usize = 2_000_000;

/// The first line of a trace file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub retap: String,
    pub version: u32,
    pub app: AppIdentity,
    pub device: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
    pub display: Display,
    /// The differences between the phone's other apps and the usual ones, as given by `--outside`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    pub world_seed: WorldSeed,
    pub abstraction: Abstraction,
}

impl Header {
    pub const KIND: &str = "trace";
}

/// One line after the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceEntry {
    /// The launch that begins a trace, and the return with which the trace begins, if any.
    Start {
        world_seed: WorldSeed,
        result: StepResult,
        returns: Option<Return>,
    },
    Step(Step),
}

impl TraceEntry {
    /// Returns the result of the launch or the step.
    pub fn result(&self) -> &StepResult {
        match self {
            TraceEntry::Start { result, .. } => result,
            TraceEntry::Step(step) => &step.result,
        }
    }
}

/// An entry as it is written. It has exactly one of `start` and `event`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    start: Option<WorldSeed>,
    #[serde(rename = "return")]
    returns: Option<Return>,
    event: Option<Event>,
    state: Option<crate::StateId>,
    screen: Option<crate::ScreenId>,
    coverage: Option<crate::coverage::CoverageId>,
    ms: Option<u64>,
    outcome: Option<crate::observation::RecordedOutcome>,
    host_limitations: Vec<String>,
}

impl Row {
    fn result(&mut self) -> StepResult {
        StepResult {
            state: self.state,
            screen: self.screen,
            coverage: self.coverage,
            elapsed_ms: self.ms.unwrap_or(0),
            outcome: self.outcome.take().unwrap_or_default(),
            host_limitations: std::mem::take(&mut self.host_limitations),
        }
    }
}

/// The same as [`Row`] with borrowed content, so that writing copies nothing.
#[derive(Serialize)]
struct RowRef<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<WorldSeed>,
    #[serde(rename = "return", skip_serializing_if = "Option::is_none")]
    returns: Option<Return>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a Event>,
    #[serde(flatten)]
    result: &'a StepResult,
}

pub fn write_header(out: &mut impl Write, header: &Header) -> io::Result<()> {
    write_json(out, header)
}

pub fn write_start(
    out: &mut impl Write,
    world_seed: WorldSeed,
    result: &StepResult,
) -> io::Result<()> {
    write_json(out, &RowRef { start: Some(world_seed), returns: None, event: None, result })
}

/// Writes the start of a trace whose first steps are a return.
pub fn write_return(
    out: &mut impl Write,
    world_seed: WorldSeed,
    returns: Return,
    result: &StepResult,
) -> io::Result<()> {
    let (start, returns) = (Some(world_seed), Some(returns));
    write_json(out, &RowRef { start, returns, event: None, result })
}

pub fn write_step(out: &mut impl Write, event: &Event, result: &StepResult) -> io::Result<()> {
    write_json(out, &RowRef { start: None, returns: None, event: Some(event), result })
}

pub fn write_trace(out: &mut impl Write, trace: &Trace) -> io::Result<()> {
    write_start(out, trace.world_seed, &trace.start)?;
    trace.steps.iter().try_for_each(|step| write_step(out, &step.event, &step.result))
}

fn write_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Reads a trace file entry by entry.
#[derive(Debug)]
pub struct TraceReader<R> {
    lines: Lines<R>,
    header: Header,
    started: bool,
}

impl<R: BufRead> TraceReader<R> {
    pub fn new(reader: R, file: &str) -> Result<Self, FormatError> {
        let mut lines = Lines::new(reader, file);
        let header = read_header(&mut lines)?;
        Ok(Self { lines, header, started: false })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of bytes up to the end of the last returned entry.
    pub fn consumed(&self) -> u64 {
        self.lines.consumed()
    }

    pub fn next_entry(&mut self) -> Result<Option<TraceEntry>, FormatError> {
        let file = self.lines.file().to_string();
        loop {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            if line.text.trim().is_empty() {
                continue;
            }
            let entry = parse_entry(&file, line)?;
            if !self.started && matches!(entry, TraceEntry::Step(_)) {
                return Err(FormatError::malformed(
                    &file,
                    line.number,
                    "a line {\"start\":WORLD_SEED} before the first event",
                    line.text,
                ));
            }
            self.started = true;
            return Ok(Some(entry));
        }
    }

    /// Reads all traces of the file.
    pub fn suite(mut self) -> Result<Suite, FormatError> {
        let mut suite = Suite::default();
        let mut steps = 0;
        while let Some(entry) = self.next_entry()? {
            match entry {
                TraceEntry::Start { world_seed, result: start, .. } => {
                    suite.traces.push(Trace { world_seed, start, steps: Vec::new() });
                }
                TraceEntry::Step(step) => {
                    steps += 1;
                    if steps > MAX_STEPS {
                        let expected =
                            format!("at most {MAX_STEPS} steps (name one trace as FILE#N)");
                        return Err(self.lines.error(expected, "more"));
                    }
                    let Some(trace) = suite.traces.last_mut() else {
                        return Err(self.lines.error("a start before the first step", "a step"));
                    };
                    trace.steps.push(step);
                }
            }
        }
        Ok(suite)
    }

    /// Reads the `n`-th trace of the file, counted from one, without holding the others.
    pub fn nth(mut self, n: usize) -> Result<Trace, FormatError> {
        let mut count = 0;
        let mut trace: Option<Trace> = None;
        while let Some(entry) = self.next_entry()? {
            match entry {
                TraceEntry::Start { .. } if count == n => break,
                TraceEntry::Start { world_seed, result: start, .. } => {
                    count += 1;
                    if count == n {
                        trace = Some(Trace { world_seed, start, steps: Vec::new() });
                    }
                }
                TraceEntry::Step(step) => {
                    if let Some(trace) = trace.as_mut() {
                        trace.steps.push(step);
                    }
                }
            }
        }
        trace.ok_or_else(|| self.lines.error(format!("trace number {n}"), format!("only {count}")))
    }
}

fn read_header<R: BufRead>(lines: &mut Lines<R>) -> Result<Header, FormatError> {
    const EXPECTED: &str = "the header of a retap trace, {\"retap\":\"trace\",\"version\":1,…}";
    #[derive(Deserialize)]
    struct Probe {
        retap: String,
        version: u32,
    }
    let file = lines.file().to_string();
    let Some(line) = lines.next_line()? else {
        return Err(FormatError::malformed(&file, 1, EXPECTED, "an empty file"));
    };
    let fail = |expected: String, found: &str| FormatError::malformed(&file, 1, expected, found);
    // The kind and version are checked first, so that a newer header does not look like a broken
    // one.
    let probe: Probe =
        serde_json::from_str(line.text).map_err(|_| fail(EXPECTED.into(), line.text))?;
    if probe.retap != Header::KIND {
        return Err(fail(EXPECTED.into(), &format!("a retap {} file", probe.retap)));
    }
    if probe.version != VERSION {
        let found = format!("version {}", probe.version);
        return Err(fail(format!("trace version {VERSION} (a newer retap may read it)"), &found));
    }
    serde_json::from_str(line.text)
        .map_err(|error| fail(format!("{EXPECTED} ({error})"), line.text))
}

fn parse_entry(file: &str, line: Line<'_>) -> Result<TraceEntry, FormatError> {
    let row: Result<Row, _> = serde_json::from_str(line.text);
    let fail = |expected: String| FormatError::malformed(file, line.number, expected, line.text);
    match row {
        Err(_) if !line.complete => Err(fail("a whole line (the file ends in the middle)".into())),
        Err(error) => Err(fail(format!("a start or a step ({error})"))),
        Ok(mut row) => match (row.start, row.event.take()) {
            (Some(world_seed), None) => {
                let returns = row.returns.take();
                Ok(TraceEntry::Start { world_seed, result: row.result(), returns })
            }
            (None, Some(_)) if row.returns.is_some() => {
                Err(fail("\"return\" only beside \"start\"".into()))
            }
            (None, Some(event)) => Ok(TraceEntry::Step(Step { event, result: row.result() })),
            _ => Err(fail("exactly one of \"start\" and \"event\"".into())),
        },
    }
}

#[cfg(test)]
mod tests;
