//! No exploration by plan repeats what led to nothing: on every fake, and on apps written to tempt it.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, without_snapshots};
use retap_device::fake::FakeConnect;
use retap_model::coverage::CoverageId;
use retap_model::format::trace::TraceEntry;
use retap_model::trace::StepResult;
use retap_model::{ScreenId, StateId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

const EVENTS: u64 = 400;
/// In a stretch of this many events without gain, one event that leaves one state must not take more than the bound:
/// a third of them, as on a way in that every try has to take, and a few more that a burst draws on a screen with few widgets.
const STRETCH: usize = 40;
const BOUND: usize = 18;

/// Screens that look the same whichever way the display is turned, with a reward for the first turn of the form.
const TURNING: &str = "
app com.example.turning 1.0
start first covers start
screen first activity First
  button on \"On\"
screen second activity Second
  button back \"Back\"
  check sure \"Sure\"
  check quick \"Quick\"
on first tap on -> second covers second
on second tap back -> first covers first
on second rotate landscape -> stay covers turned landscape wide relaid
";

/// Everything that is new in the result of an event.
#[derive(Default)]
struct Known {
    states: BTreeSet<StateId>,
    coverage: BTreeSet<CoverageId>,
    screens: BTreeSet<ScreenId>,
}

impl Known {
    fn learn(&mut self, result: &StepResult) -> bool {
        let is_new_state = result.state.is_some_and(|state| self.states.insert(state));
        let is_new_screen = result.screen.is_some_and(|screen| self.screens.insert(screen));
        let is_new_code = result.coverage.is_some_and(|coverage| self.coverage.insert(coverage));
        is_new_state || is_new_screen || is_new_code
    }
}

/// Returns how often one event left one state within a stretch without gain, at most. The ways of returns do not count.
fn most_repeats(entries: &[TraceEntry]) -> (usize, String) {
    let mut known = Known::default();
    let mut stretch: VecDeque<(Option<StateId>, String)> = VecDeque::new();
    let (mut state, mut return_steps) = (None, 0);
    let mut most = (0, String::new());
    for entry in entries {
        match entry {
            TraceEntry::Start { result, returns, .. } => {
                return_steps = returns.map_or(0, |returns| returns.steps);
                known.learn(result);
                state = result.state;
            }
            TraceEntry::Step(step) => {
                let is_gain = known.learn(&step.result);
                let from = std::mem::replace(&mut state, step.result.state);
                if return_steps > 0 {
                    return_steps -= 1;
                    continue;
                }
                if is_gain {
                    stretch.clear();
                }
                // An event that stays is no walk: random events repeat in a dead end.
                let is_walk = from != step.result.state;
                stretch.push_back((from.filter(|_| is_walk), step.event.stable_name()));
                if stretch.len() > STRETCH {
                    stretch.pop_front();
                }
                let mut counts: BTreeMap<&(Option<StateId>, String), usize> = BTreeMap::new();
                for pair in stretch.iter().filter(|(from, _)| from.is_some()) {
                    *counts.entry(pair).or_default() += 1;
                }
                let repeated = counts.into_iter().max_by_key(|(_, count)| *count);
                if let Some((pair, count)) = repeated.filter(|(_, count)| *count > most.0) {
                    most = (count, pair.1.clone());
                }
            }
        }
    }
    most
}

/// Returns the sources of all fakes that are apps.
fn all_fakes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes");
    let mut sources: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| FakeConnect::load(path).is_ok())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    sources.sort();
    assert!(sources.len() > 5, "{sources:?}");
    sources
}

#[test]
fn auto_does_not_walk_back_and_forth_without_gain() {
    let fakes = all_fakes().into_iter().map(|(name, source)| (name, source, 2));
    for (name, source, seeds) in fakes.chain([("turning".into(), TURNING.into(), 4)]) {
        // Where a device has snapshots, nothing is walked.
        let subject = Subject::new(&without_snapshots(&source));
        for seed in 1..=seeds {
            let (repeats, event) = most_repeats(&subject.explore("auto", seed, EVENTS).entries);
            assert!(repeats <= BOUND, "{name}, seed {seed}: {repeats} times {event}");
        }
    }
}
