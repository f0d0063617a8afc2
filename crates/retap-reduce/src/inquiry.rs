//! Asking for replays: counts what they take, and remembers what they answered from one pass to the next.

use crate::recording::Recording;
use crate::replay::{Halt, Patience, RESTART, Replay, Replayed, Strays};
use crate::tally::Tally;
use retap_model::Trace;

pub(crate) struct Inquiry<'r, R> {
    pub replay: &'r mut R,
    pub tally: Tally,
    answers: Vec<(Trace, Replayed)>,
}

impl<'r, R: Replay> Inquiry<'r, R> {
    pub fn new(replay: &'r mut R) -> Self {
        Self { replay, tally: Tally::default(), answers: Vec::new() }
    }

    pub fn ask(
        &mut self,
        traces: &[Trace],
        patience: Patience,
    ) -> Result<Vec<Replayed>, Halt<R::Error>> {
        self.tally.rounds += 1;
        let answers = self.replay.replay(traces, patience)?;
        for (trace, replayed) in traces.iter().zip(&answers) {
            self.tally.effort += replayed.effort();
            self.answers.push((trace.clone(), replayed.clone()));
        }
        Ok(answers)
    }

    /// Runs the events of a trace once, wherever they lead.
    pub fn run(&mut self, trace: &Trace, strays: Strays<'_>) -> Result<Recording, Halt<R::Error>> {
        self.tally.rounds += 1;
        self.tally.attempts += 1;
        let recording = self.replay.record(trace, strays)?;
        self.tally.effort += RESTART + recording.trace.steps.len() as u64;
        Ok(recording)
    }

    /// What is to be believed of a trace that was asked for before.
    pub fn recall(&self, trace: &Trace) -> Option<&Replayed> {
        let settled = self.answers.iter().filter(|(_, replayed)| replayed.settled);
        settled.rev().find(|(known, _)| known == trace).map(|(_, replayed)| replayed)
    }

    pub fn answers(&self) -> &[(Trace, Replayed)] {
        &self.answers
    }
}
