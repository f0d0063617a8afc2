//! Stoat's second phase: the probabilities of the model are mutated, a suite is drawn from them and run, and they are
//! kept if their suite is better, or by chance if it is worse.

use super::markov_model::{MarkovModel, Probabilities, mutate};
use super::test_suite::TestSuite;
use crate::decision_rng::DecisionRng;
use crate::exploration::ends_trace;
use crate::strategy::RecordedEntry;
use retap_model::{App, Coverage, Event, StateId};

/// Keeps the random numbers of the sampling apart from those of single decisions.
const SEED_OFFSET: u64 = 0x7374_6f61;
/// The weights of code coverage, transition coverage and diversity in the objective.
const WEIGHTS: [f64; 3] = [0.4, 0.3, 0.3];
/// How much worse than the kept probabilities new ones may be, as the factor of the acceptance ratio.
const ACCEPTANCE: f64 = 33.0;

#[derive(Debug, Clone)]
pub struct GibbsSampling {
    seed: u64,
    model: MarkovModel,
    entry: StateId,
    kept: Probabilities,
    /// The objective of the kept probabilities, once their suite has run.
    objective: Option<f64>,
    proposed: Probabilities,
    suite: TestSuite,
    /// The test that is run, and the event of it that comes next.
    test: usize,
    position: usize,
    is_restart_due: bool,
    coverage: Coverage,
    iteration: u64,
}

impl GibbsSampling {
    /// Begins with the probabilities that were seen. Returns `None` if the model has no test to offer.
    pub fn begin(model: MarkovModel, entry: StateId, seed: u64, app: &App) -> Option<Self> {
        let kept = model.seen_probabilities();
        let mut sampling = Self {
            seed,
            model,
            entry,
            proposed: kept.clone(),
            kept,
            objective: None,
            suite: TestSuite::default(),
            test: 0,
            position: 0,
            is_restart_due: true,
            coverage: Coverage::new(),
            iteration: 0,
        };
        sampling.propose(app);
        (!sampling.suite.tests.is_empty()).then_some(sampling)
    }

    /// Returns true if the next test has to begin with a restart.
    pub fn wants_restart(&self) -> bool {
        self.is_restart_due
    }

    pub fn next_event(&self) -> Option<&Event> {
        self.suite.tests.get(self.test)?.get(self.position)
    }

    pub fn describe(&self) -> String {
        let (iteration, test, tests) = (self.iteration, self.test + 1, self.suite.tests.len());
        let kept = self.objective.map_or("none yet".into(), |it| format!("{it:.3}"));
        format!("test {test} of {tests} of model {iteration}; objective of the kept model: {kept}")
    }

    /// Mutates the kept probabilities and draws a suite from them.
    fn propose(&mut self, app: &App) {
        self.iteration += 1;
        let mut rng = DecisionRng::new(self.seed ^ SEED_OFFSET, self.iteration);
        self.proposed = mutate(&self.kept, &mut rng);
        self.suite = TestSuite::draw(&self.model, &self.proposed, self.entry, app, &mut rng);
        self.coverage = Coverage::new();
        self.test = 0;
    }

    /// Learns what the last entry of the run has done for the test.
    pub fn learn(&mut self, entry: RecordedEntry<'_>, app: &App) {
        let novelty = entry.novelty();
        if let Some(units) = novelty.units {
            self.coverage.union_with(units);
        }
        let is_over = match entry {
            RecordedEntry::Start(_) | RecordedEntry::Return { .. } => {
                self.is_restart_due = false;
                self.position = 0;
                ends_trace(novelty.result)
            }
            RecordedEntry::Step(step, _) => {
                // Other events are ways back into the app.
                let is_of_test = self.next_event() == Some(&step.event);
                self.position += usize::from(is_of_test);
                ends_trace(novelty.result) || self.next_event().is_none()
            }
        };
        if is_over {
            self.test += 1;
            self.is_restart_due = true;
            if self.test >= self.suite.tests.len() {
                self.judge(app);
                self.propose(app);
            }
        }
    }

    /// Keeps the proposed probabilities or not, by the objective of their suite.
    fn judge(&mut self, app: &App) {
        let code = self.coverage.len() as f64 / app.units.len().max(1) as f64;
        let transitions = self.suite.transition_coverage(&self.model);
        let parts = [code, transitions, self.suite.diversity(&self.model)];
        let objective: f64 = WEIGHTS.iter().zip(parts).map(|(weight, part)| weight * part).sum();
        let ratio = self.objective.map_or(1.0, |kept| (ACCEPTANCE * (objective - kept)).exp());
        let mut rng = DecisionRng::new(self.seed ^ SEED_OFFSET ^ 1, self.iteration);
        if rng.fraction() < ratio {
            self.kept = std::mem::take(&mut self.proposed);
            self.objective = Some(objective);
        }
    }
}
