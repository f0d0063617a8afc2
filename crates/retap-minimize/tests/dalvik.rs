//! SimplyDroid's running example: 36 events on DalvikExplorer, simulated from the rules of its data.

use retap_minimize::{
    Algorithm, Answer, Candidate, CandidateGoal, MinimizeOptions, CandidateOracle, MinimizeResult, MinimizeProblem, Question, SearchStop, StateTree,
    minimize,
};

const DATA: &str = include_str!("data/dalvik-example.tsv");

/// One line of the data: the activity an event needs and the one it leads to.
struct Row {
    before: &'static str,
    leads_to: &'static str,
}

struct DalvikExplorer {
    rows: Vec<Row>,
    runs: usize,
}

impl DalvikExplorer {
    fn new() -> Self {
        let rows = DATA
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let mut fields = line.split('\t').skip(1);
                let before = fields.next().expect("an activity before the event");
                Row { before, leads_to: fields.next().unwrap_or("") }
            })
            .collect();
        Self { rows, runs: 0 }
    }

    /// Any number will do for an activity, as long as it is always the same.
    fn states(&self) -> Vec<u64> {
        let first = |activity| self.rows.iter().position(|row| row.before == activity);
        self.rows.iter().filter_map(|row| first(row.before)).map(|index| index as u64).collect()
    }

    fn run(&self, candidate: &Candidate) -> (&'static str, usize) {
        let mut activity = "launch";
        for (index, &position) in candidate.positions().iter().enumerate() {
            let row = &self.rows[position as usize];
            if row.before == activity && !row.leads_to.is_empty() {
                activity = row.leads_to;
            }
            if activity == "crash" {
                return (activity, index + 1);
            }
        }
        (activity, candidate.len())
    }
}

impl CandidateOracle for DalvikExplorer {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        self.runs += round.len();
        let answer = |question: &Question| {
            let (activity, events) = self.run(&question.candidate);
            let wanted = match question.goal {
                CandidateGoal::Interesting => "crash",
                CandidateGoal::Reach(position) => self.rows[position as usize].before,
            };
            Answer { success: activity == wanted, events }
        };
        Ok(round.iter().map(answer).collect())
    }
}

/// The runs an algorithm needs, the baseline included, and the numbers of the events left.
fn run(options: &MinimizeOptions) -> (usize, Vec<u32>, MinimizeResult) {
    let mut app = DalvikExplorer::new();
    let states = app.states();
    let problem = MinimizeProblem { length: states.len(), states: Some(&states) };
    let outcome = minimize(&problem, &mut app, options).expect("a valid problem");
    let events = outcome.answer.positions().iter().map(|position| position + 1).collect();
    (app.runs, events, outcome)
}

fn with(algorithm: Algorithm) -> MinimizeOptions {
    MinimizeOptions { algorithm, ..MinimizeOptions::default() }
}

#[test]
fn the_tree_is_the_papers_figure_1() {
    let tree = StateTree::from_states(&DalvikExplorer::new().states());
    let level = |depth| tree.level(depth).iter().map(|node| node + 1).collect::<Vec<_>>();
    assert_eq!(level(0), [1]);
    assert_eq!(level(1), [2, 7, 17, 18, 21, 22]);
    assert_eq!(level(2).last(), Some(&23));
    assert_eq!(level(3), (24..=36).collect::<Vec<_>>());
    let sizes: Vec<usize> = level(1).iter().map(|node| tree.subtree(node - 1).len()).collect();
    assert_eq!(sizes, [5, 10, 1, 3, 1, 15]);
}

#[test]
fn the_hierarchical_algorithms_need_the_papers_runs() {
    for (algorithm, runs) in [(Algorithm::Hdd, 6), (Algorithm::Bhdd, 6), (Algorithm::Lhdd, 4)] {
        let (needed, events, outcome) = run(&with(algorithm));
        assert_eq!(events, [1, 22, 23, 36], "{algorithm}");
        assert_eq!(needed, runs, "{algorithm}");
        assert_eq!(outcome.cost.oracle_calls, runs as u64, "{algorithm}");
    }
}

#[test]
fn dd_needs_several_times_as_many() {
    let (runs, events, _) = run(&with(Algorithm::Dd));
    assert_eq!(events, [1, 22, 23, 36]);
    assert!(runs >= 3 * 6, "{runs} runs");
}

#[test]
fn every_algorithm_ends_at_the_same_four_events() {
    for algorithm in Algorithm::ALL {
        for preselect in [true, false] {
            let (_, events, outcome) = run(&MinimizeOptions { preselect, ..with(algorithm) });
            assert_eq!(events, [1, 22, 23, 36], "{algorithm}");
            assert_eq!(outcome.improvements.last().map(|m| &m.answer), Some(&outcome.answer));
        }
    }
}
