//! Shortens a sequence of events as long as a function says that it still shows what it should.

use crate::Failure;
use retap_minimize::{
    Answer, CandidateOracle, MinimizeOptions, MinimizeProblem, Question, SearchBudget, SearchStop,
    minimize,
};
use retap_model::Event;

/// Runs events and returns the number after which they show it, or `None` if they do not.
pub type ShowsIt<'f> = dyn FnMut(&[Event]) -> Result<Option<usize>, Failure> + 'f;

struct SequenceOracle<'f, 'e> {
    events: &'e [Event],
    shows_it: &'f mut ShowsIt<'f>,
    failure: Option<Failure>,
}

impl CandidateOracle for SequenceOracle<'_, '_> {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        let mut answers = Vec::new();
        for question in round {
            let positions = question.candidate.positions();
            let kept: Vec<Event> =
                positions.iter().map(|it| self.events[*it as usize].clone()).collect();
            match (self.shows_it)(&kept) {
                Ok(Some(events)) => answers.push(Answer { success: true, events }),
                Ok(None) => answers.push(Answer { success: false, events: kept.len() }),
                Err(failure) => {
                    self.failure = Some(failure);
                    return Err(SearchStop::Interrupted);
                }
            }
        }
        Ok(answers)
    }

    fn watches_every_event(&self) -> bool {
        true
    }
}

/// Returns the fewest events found within so many runs that still show it.
pub fn shorten<'f>(
    events: &[Event],
    runs: u64,
    shows_it: &'f mut ShowsIt<'f>,
) -> Result<Vec<Event>, Failure> {
    let mut oracle = SequenceOracle { events, shows_it, failure: None };
    let budget = SearchBudget { oracle_calls: Some(runs), ..SearchBudget::default() };
    let options = MinimizeOptions { budget, ..MinimizeOptions::default() };
    let problem = MinimizeProblem { length: events.len(), states: None };
    let found = minimize(&problem, &mut oracle, &options);
    if let Some(failure) = oracle.failure {
        return Err(failure);
    }
    let Ok(found) = found else { return Ok(events.to_vec()) };
    Ok(found.answer.positions().iter().map(|it| events[*it as usize].clone()).collect())
}
