//! Every step of a run in a form that a page can hold: a hundred thousand of them take a megabyte.
//!
//! Sentences are kept once each. Beyond a bound, rare ones are replaced by the kind of their event, and beyond another
//! bound further steps are only counted.

use super::KnownStates;
use super::json_lines::JsonLines;
use crate::text::EventDescription;
use retap_model::format::run::{TRAVEL, TravelKind, TravelRow};
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::printable::printable_line;
use retap_model::trace::StepResult;
use retap_model::{Event, StateId};
use std::collections::BTreeMap;
use std::path::Path;

const MAX_ENTRIES: usize = 250_000;
const MAX_SENTENCES: usize = 25_000;

/// What is worth telling of a step, as bits that the page's script knows.
pub mod marks {
    pub const NEW_STATE: u32 = 1;
    pub const NEW_CODE: u32 = 2;
    pub const CRASH: u32 = 4;
    pub const RESTART: u32 = 8;
    pub const RETURN: u32 = 16;
    pub const LIMITATION: u32 = 32;
    /// The app was left, ended or did not respond.
    pub const OUTSIDE: u32 = 64;
    /// The step is part of a path back to a state.
    pub const ON_THE_WAY: u32 = 128;
    pub const MISSED: u32 = 256;
}

/// The steps of a run.
#[derive(Debug, Default)]
pub struct StepLog {
    pub sentences: Vec<String>,
    pub entries: Vec<LoggedStep>,
    /// The number of steps beyond the bound.
    pub left_out: u64,
    known: BTreeMap<String, u32>,
    states: BTreeMap<StateId, u32>,
    travel: BTreeMap<u64, TravelRow>,
    /// The number of lines of the trace so far.
    lines: u64,
    /// Steps of a return that are still to come.
    on_the_way: usize,
}

/// One step: what was done, where it led, and its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedStep {
    pub sentence: u32,
    /// The number of the state in the order of first visits; none if the state is unknown.
    pub state: Option<u32>,
    pub marks: u32,
}

impl StepLog {
    /// Prepares the log for the lines of a run. The states are all known ones, those of earlier runs first.
    pub fn begin(&mut self, run: &Path, states: &KnownStates) {
        let rows: JsonLines<TravelRow> = JsonLines::open(&run.join(TRAVEL));
        let told =
            rows.filter(|row| !matches!(row.what, TravelKind::Saved | TravelKind::Forgotten));
        self.travel = told.map(|row| (row.entry, row)).collect();
        self.states = number_states(states);
        self.lines = 0;
        self.on_the_way = 0;
    }

    /// Returns the number of a state in the order of first visits.
    pub fn number_of(&self, state: StateId) -> Option<u32> {
        self.states.get(&state).copied()
    }

    /// Adds the next line of the trace. Returns the number of its sentence.
    pub fn add(&mut self, entry: &TraceEntry, novelty: u32) -> u32 {
        let (sentence, mut marks) = match entry {
            TraceEntry::Start { returns, .. } => {
                let why = self.travel.get(&self.lines).map(|row| row.why.clone());
                self.on_the_way = returns.as_ref().map_or(0, |path| path.steps);
                match returns {
                    Some(path) => (self.describe_return(path.to, why), marks::RETURN),
                    None => (describe_restart(why), marks::RESTART),
                }
            }
            TraceEntry::Step(step) => {
                let marks = if self.on_the_way > 0 { marks::ON_THE_WAY } else { 0 };
                self.on_the_way = self.on_the_way.saturating_sub(1);
                let sentence = EventDescription::new(&step.event, "").to_string();
                (self.bounded(sentence, &step.event), marks)
            }
        };
        self.lines += 1;
        let result = match entry {
            TraceEntry::Start { result, .. } => result,
            TraceEntry::Step(step) => &step.result,
        };
        marks |= novelty | outcome_marks(result);
        let sentence = self.intern(printable_line(&sentence).into_owned());
        if self.entries.len() < MAX_ENTRIES {
            let state = result.state.and_then(|state| self.number_of(state));
            self.entries.push(LoggedStep { sentence, state, marks });
        } else {
            self.left_out += 1;
        }
        sentence
    }

    fn describe_return(&self, to: StateId, why: Option<String>) -> String {
        let to = self.number_of(to).map_or_else(|| to.to_string(), |number| number.to_string());
        match why.filter(|why| !why.is_empty()) {
            Some(why) => format!("Return to state {to}: {why}"),
            None => format!("Return to state {to}"),
        }
    }

    /// Returns the sentence, or the kind of the event if there are too many sentences already.
    fn bounded(&self, sentence: String, event: &Event) -> String {
        if self.sentences.len() < MAX_SENTENCES || self.known.contains_key(&sentence) {
            return sentence;
        }
        let words = sentence.split(' ').next().unwrap_or_default();
        match event {
            Event::Text { .. } => "Type a text".into(),
            _ => format!("{words} …"),
        }
    }

    fn intern(&mut self, sentence: String) -> u32 {
        if let Some(number) = self.known.get(&sentence) {
            return *number;
        }
        let number = self.sentences.len() as u32;
        self.known.insert(sentence.clone(), number);
        self.sentences.push(sentence);
        number
    }
}

/// Numbers the states in the order of their first visits, from 1 on.
fn number_states(states: &KnownStates) -> BTreeMap<StateId, u32> {
    let mut order: Vec<(u64, StateId)> =
        states.iter().map(|(state, first)| (first.step, *state)).collect();
    order.sort_unstable();
    order.into_iter().zip(1..).map(|((_, state), number)| (state, number)).collect()
}

fn describe_restart(why: Option<String>) -> String {
    match why.filter(|why| !why.is_empty()) {
        Some(why) => format!("Clean install: {why}"),
        None => "Clean install".into(),
    }
}

fn outcome_marks(result: &StepResult) -> u32 {
    let limitation = if result.host_limitations.is_empty() { 0 } else { marks::LIMITATION };
    limitation
        | match &result.outcome {
            RecordedOutcome::Running => 0,
            RecordedOutcome::Crashed { .. } => marks::CRASH,
            RecordedOutcome::Missed => marks::MISSED,
            _ => marks::OUTSIDE,
        }
}
