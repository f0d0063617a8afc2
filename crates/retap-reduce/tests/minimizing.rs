//! Phase 3 on a fake app whose memory no screen shows: what loops and fragments cannot make smaller.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Bench, tapped, taps};
use retap_reduce::{
    CostModel, RecordedTrace, ReductionLimits, ReductionOptions, SuiteReduction, reduce,
};

/// `arm` changes nothing on the screen, and yet `go` leads to another one from then on; `end` is on both.
const APP: &str = r#"app com.example.memory 1.0
start home
var armed = 0
screen home activity Home
  button arm "Arm"
  button go "Go"
screen west activity West
  button end "End"
screen east activity East
  button end "End"
  button other "Other"
screen goal activity Goal
on home tap arm -> home set armed = 1 covers arming
on home tap go if armed < 1 -> west covers west
on home tap go -> east covers east
on west tap end -> goal covers end
on east tap end -> goal covers end
"#;

/// The last is to be kept, so that the first is only needed for its end.
const TRACES: [&str; 3] = ["arm go end", "go", "arm go"];

fn reduced(limits: ReductionLimits, repeats: bool) -> SuiteReduction {
    let mut bench = Bench::parse(APP);
    bench.repeats = repeats;
    let mut recordings: Vec<RecordedTrace> =
        TRACES.iter().map(|names| bench.record(1, &taps(names))).collect();
    recordings[2].keep = true;
    let options = ReductionOptions { scope: bench.scope(), cost: CostModel::Events, limits };
    reduce(&recordings, &options, &mut bench).unwrap()
}

#[test]
fn a_step_that_leads_elsewhere_may_show_what_is_wanted() {
    for repeats in [true, false] {
        let reduction = reduced(ReductionLimits::default(), repeats);
        let suite = tapped(&reduction);
        // No recording ends in the west.
        assert_eq!(suite, ["arm go", "go end"]);
        assert!(reduction.stages.phase_3.cost < reduction.stages.phase_2.cost, "{suite:?}");
        assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
        assert!(reduction.stats.sufficient > 0);
        // Each step says which recorded one it is.
        let made = &reduction.traces[1];
        for (step, origin) in made.trace.steps.iter().zip(&made.origins[1..]) {
            let recorded: Vec<&str> = TRACES[origin.trace].split(' ').collect();
            assert_eq!(step.event, common::tap(recorded[origin.step - 1]));
        }
    }
}

#[test]
fn without_it_the_papers_phases_keep_what_only_leads_there() {
    let reduction =
        reduced(ReductionLimits { minimize: false, ..ReductionLimits::default() }, true);
    assert_eq!(tapped(&reduction), ["arm go", "arm go end", "go"]);
    assert_eq!(reduction.stages.phase_3, reduction.stages.phase_2);
    assert_eq!(reduction.stats.attempts, 0);
}
