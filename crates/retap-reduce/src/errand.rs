//! What the minimiser asks of a device: run some of a trace's events, and see whether they cover what the
//! trace is needed for.

use crate::inquiry::Inquiry;
use crate::need::Needs;
use crate::recording::Recording;
use crate::replay::{Halt, Patience, RESTART, Replay};
use crate::shrink::Thrift;
use retap_minimize::{Answer, Candidate, Oracle, Question, Stop};
use retap_model::{Coverage, Event, Trace};

/// Effort that is spent on leaving out one event while more may be saved elsewhere.
const MOST_FOR_ONE: u64 = 30;

/// What covers all that is needed, as it was run.
pub(crate) type Found = Vec<(Candidate, Recording)>;

pub(crate) struct Errand<'e, 'r, R: Replay> {
    whole: &'e Trace,
    needed: &'e Coverage,
    claimed: &'e Coverage,
    needs: &'e mut Needs,
    inquiry: &'e mut Inquiry<'r, R>,
    effort_ends: u64,
    thrift: Thrift,
    /// Of those found.
    shortest: usize,
    found: Found,
    halt: Option<Halt<R::Error>>,
}

impl<'e, 'r, R: Replay> Errand<'e, 'r, R> {
    pub fn new(
        (whole, needed): (&'e Trace, &'e Coverage),
        claimed: &'e Coverage,
        (needs, inquiry): (&'e mut Needs, &'e mut Inquiry<'r, R>),
        (effort_ends, thrift): (u64, Thrift),
    ) -> Self {
        let (found, halt, shortest) = (Found::new(), None, whole.steps.len());
        Self { whole, needed, claimed, needs, inquiry, effort_ends, thrift, shortest, found, halt }
    }

    pub fn finish(self) -> (Found, Option<Halt<R::Error>>) {
        (self.found, self.halt)
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Halt<R::Error>> {
        // ProbDD asks for nothing but what is interesting.
        let Question { candidate, .. } = question;
        let length = self.whole.steps.len();
        if candidate.len() == length {
            return Ok(Answer { success: true, events: length });
        }
        if self.thrift == Thrift::Thrifty && !self.is_worth(candidate) {
            return Ok(Answer { success: false, events: candidate.len() });
        }
        let recording = self.run(candidate)?;
        let ran = recording.trace.steps.len();
        match self.met(recording)? {
            None => Ok(Answer { success: false, events: ran }),
            Some(recording) => {
                let events = recording.trace.steps.len();
                self.inquiry.tally.sufficient += 1;
                self.shortest = self.shortest.min(events);
                self.found.push((candidate.prefix(events), recording));
                Ok(Answer { success: true, events })
            }
        }
    }

    /// Whether what it would save is much for what it would take.
    fn is_worth(&self, candidate: &Candidate) -> bool {
        let saves = self.shortest.saturating_sub(candidate.len()) as u64;
        saves * MOST_FOR_ONE >= RESTART + candidate.len() as u64
    }

    /// As far as it shows nothing that no recording does.
    fn run(&mut self, candidate: &Candidate) -> Result<Recording, Halt<R::Error>> {
        let Trace { world_seed, steps, .. } = self.whole;
        let event = |position: &u32| -> Event { steps[*position as usize].event.clone() };
        let trace = Trace::of_events(*world_seed, candidate.positions().iter().map(event));
        let (needs, claimed) = (&*self.needs, self.claimed);
        self.inquiry.run(&trace, &|result| needs.is_foreign(result, claimed))
    }

    /// Cut after the step that covers the last of what is needed, if all of it is.
    fn met(&mut self, mut recording: Recording) -> Result<Option<Recording>, Halt<R::Error>> {
        if !self.cut(&mut recording) {
            return Ok(None);
        }
        if !self.inquiry.replay.repeats() {
            let trace = std::slice::from_ref(&recording.trace);
            let replayed = self.inquiry.ask(trace, Patience::FirstDifference)?.pop();
            match replayed.filter(|replayed| replayed.is_faithful(&recording.trace)) {
                None => return Ok(None),
                Some(replayed) => recording.covered = replayed.covered,
            }
            if !self.cut(&mut recording) {
                return Ok(None);
            }
        }
        Ok(Some(recording))
    }

    fn cut(&mut self, recording: &mut Recording) -> bool {
        let mut left = self.needed.clone();
        for (step, units) in recording.covered.iter().enumerate() {
            let result = recording.trace.result_after(step);
            if self.needs.is_foreign(result, self.claimed) {
                return false;
            }
            left = left.difference(&self.needs.of(result, units));
            if left.is_empty() {
                recording.trace.steps.truncate(step);
                recording.covered.truncate(step + 1);
                return true;
            }
        }
        false
    }
}

impl<R: Replay> Oracle for Errand<'_, '_, R> {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, Stop> {
        let mut answers = Vec::with_capacity(round.len());
        for question in round {
            if self.inquiry.tally.effort >= self.effort_ends {
                self.inquiry.tally.limits_hit += 1;
                return Err(Stop::Budget);
            }
            match self.answer(question) {
                Ok(answer) => answers.push(answer),
                Err(halt) => {
                    self.halt = Some(halt);
                    return Err(Stop::Interrupted);
                }
            }
        }
        Ok(answers)
    }

    fn watches_every_event(&self) -> bool {
        true
    }
}
