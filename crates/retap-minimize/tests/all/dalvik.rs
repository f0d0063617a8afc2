//! SimplyDroid's running example: 36 events on DalvikExplorer, simulated from the rows of its data.

use retap_minimize::{
    Algorithm, Answer, Candidate, CandidateGoal, CandidateOracle, MinimizeOptions, MinimizeProblem,
    MinimizeResult, Question, SearchStop, StateTree, minimize,
};

const DATA: &str = include_str!("data/dalvik-example.tsv");

/// One line of the data: the activity that an event needs and the one it leads to.
struct Row {
    before: &'static str,
    leads_to: &'static str,
}

/// The end of one run: the last activity and the events executed.
struct Run {
    activity: &'static str,
    events: usize,
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

    /// Returns the state before each event: the first row of its activity, as its number.
    fn states(&self) -> Vec<u64> {
        let first = |activity| self.rows.iter().position(|row| row.before == activity);
        self.rows.iter().filter_map(|row| first(row.before)).map(|index| index as u64).collect()
    }

    fn run(&self, candidate: &Candidate) -> Run {
        let mut activity = "launch";
        for (index, &position) in candidate.positions().iter().enumerate() {
            let row = &self.rows[position as usize];
            if row.before == activity && !row.leads_to.is_empty() {
                activity = row.leads_to;
            }
            if activity == "crash" {
                return Run { activity, events: index + 1 };
            }
        }
        Run { activity, events: candidate.len() }
    }
}

impl CandidateOracle for DalvikExplorer {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        self.runs += round.len();
        let answer = |question: &Question| {
            let Run { activity, events } = self.run(&question.candidate);
            let wanted = match question.goal {
                CandidateGoal::Interesting => "crash",
                CandidateGoal::Reach(position) => self.rows[position as usize].before,
            };
            Answer { success: activity == wanted, events }
        };
        Ok(round.iter().map(answer).collect())
    }
}

/// A minimised example.
struct Minimized {
    /// The runs that the algorithm needed, the baseline included.
    runs: usize,
    /// The numbers of the remaining events, from 1 as in the paper.
    events: Vec<u32>,
    result: MinimizeResult,
}

fn run(options: &MinimizeOptions) -> Minimized {
    let mut app = DalvikExplorer::new();
    let states = app.states();
    let problem = MinimizeProblem { length: states.len(), states: Some(&states) };
    let result = minimize(&problem, &mut app, options).expect("a valid problem");
    let events = result.answer.positions().iter().map(|position| position + 1).collect();
    Minimized { runs: app.runs, events, result }
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
        let Minimized { runs: needed, events, result } = run(&with(algorithm));
        assert_eq!(events, [1, 22, 23, 36], "{algorithm}");
        assert_eq!(needed, runs, "{algorithm}");
        assert_eq!(result.cost.oracle_calls, runs as u64, "{algorithm}");
    }
}

#[test]
fn dd_needs_several_times_as_many() {
    let Minimized { runs, events, .. } = run(&with(Algorithm::Dd));
    assert_eq!(events, [1, 22, 23, 36]);
    assert!(runs >= 3 * 6, "{runs} runs");
}

#[test]
fn every_algorithm_ends_at_the_same_four_events() {
    for algorithm in Algorithm::ALL {
        for preselect in [true, false] {
            let Minimized { events, result, .. } =
                run(&MinimizeOptions { preselect, ..with(algorithm) });
            assert_eq!(events, [1, 22, 23, 36], "{algorithm}");
            assert_eq!(
                result.improvements.last().map(|improvement| &improvement.answer),
                Some(&result.answer)
            );
        }
    }
}
