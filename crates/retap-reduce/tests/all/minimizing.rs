//! Phase 3 on a fake app that remembers something no screen shows: it shortens what loops and fragments cannot.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{FakeReplay, tapped, taps};
use retap_reduce::{
    CostModel, RecordedTrace, ReductionLimits, ReductionOptions, SuiteReduction, reduce,
};

/// `arm` changes nothing on the screen, but `go` leads to another screen from then on. `end` is on both.
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

/// The last trace is kept, so the first is needed only for its end.
const TRACES: [&str; 3] = ["arm go end", "go", "arm go"];

fn reduced(limits: ReductionLimits, can_trust_recordings: bool) -> SuiteReduction {
    let mut fake = FakeReplay::parse(APP);
    fake.can_trust_recordings = can_trust_recordings;
    let mut recorded: Vec<RecordedTrace> =
        TRACES.iter().map(|names| fake.record(1, &taps(names))).collect();
    recorded[2].keep = true;
    let options = ReductionOptions { scope: fake.scope(), cost: CostModel::Events, limits };
    reduce(&recorded, &options, &mut fake).unwrap()
}

#[test]
fn a_step_that_leads_to_another_state_may_still_cover_what_is_needed() {
    for can_trust_recordings in [true, false] {
        let reduction = reduced(ReductionLimits::default(), can_trust_recordings);
        let suite = tapped(&reduction);
        // No recorded trace taps `end` in the west.
        assert_eq!(suite, ["arm go", "go end"]);
        assert!(reduction.stages.phase_3.cost < reduction.stages.phase_2.cost, "{suite:?}");
        assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
        assert!(reduction.stats.sufficient > 0);
        // Each step names the recorded step it comes from.
        let minimized = &reduction.traces[1];
        for (step, origin) in minimized.trace.steps.iter().zip(&minimized.origins[1..]) {
            let recorded: Vec<&str> = TRACES[origin.trace].split(' ').collect();
            assert_eq!(step.event, crate::common::tap(recorded[origin.step - 1]));
        }
    }
}

#[test]
fn without_phase_3_the_papers_phases_keep_steps_that_only_lead_somewhere() {
    let limits = ReductionLimits { minimize: false, ..ReductionLimits::default() };
    let reduction = reduced(limits, true);
    assert_eq!(tapped(&reduction), ["arm go", "arm go end", "go"]);
    assert_eq!(reduction.stages.phase_3, reduction.stages.phase_2);
    assert_eq!(reduction.stats.attempts, 0);
}
