//! Phase 2: bounded splicing, the paper's Algorithm 2 (whose line 8 means T_m ← T_m ∪ {τ}). Instead of
//! running each choice before the next is made, a whole plan is made and run side by side; what fails
//! teaches the trie, and a new plan is made for what is still uncovered.

use crate::bits::Bits;
use crate::inquiry::Inquiry;
use crate::limits::Limits;
use crate::lts::Lts;
use crate::plan::{Plan, Planner};
use crate::reach::Greed;
use crate::replay::Replay;
use crate::trial::{Proven, Trial, union};

#[derive(Debug)]
pub(crate) struct Spliced {
    /// Covers what the traces it is made of do.
    pub suite: Vec<Proven>,
    /// Beginnings of what did not replay as a whole.
    pub spare: Vec<Proven>,
}

pub(crate) fn splice<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    traces: &[Proven],
    lts: &Lts<'_>,
    limits: &Limits,
    effort_ends: u64,
) -> Result<Spliced, R::Error> {
    let ground = trial.ground;
    let all = union(ground, traces);
    let mut covered = ground.none();
    let (mut suite, mut spare): (Vec<Proven>, Vec<Proven>) = (Vec::new(), Vec::new());
    trial.effort_ends = effort_ends;
    for _ in 0..limits.plans {
        if all.is_subset(&covered) {
            return Ok(Spliced { suite, spare });
        }
        if !trial.goes_on() {
            break;
        }
        let paths = best_plan(trial, lts, traces, &all.minus(&covered), limits).paths;
        for (path, proven) in paths.iter().zip(trial.ask(paths.clone())?) {
            match proven {
                Some(proven) if proven.total.adds(&covered, &all) => {
                    covered.union_with(&proven.total);
                    suite.push(proven);
                }
                Some(_) => {}
                None => spare.extend(trial.beginning(path.clone())),
            }
        }
    }
    let hit = !trial.stopped && !all.is_subset(&covered);
    trial.inquiry.tally.limits_hit += u64::from(hit);
    for proven in traces {
        if proven.total.adds(&covered, &all) {
            covered.union_with(&proven.total);
            suite.push(proven.clone());
        }
    }
    Ok(Spliced { suite, spare })
}

/// The cheapest of the plans that the two kinds of greed make, and the paper's own where it can be made.
fn best_plan<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    lts: &Lts<'_>,
    traces: &[Proven],
    missing: &Bits,
    limits: &Limits,
) -> Plan {
    let Trial { inquiry, trie, .. } = trial;
    let Inquiry { replay, tally, .. } = &mut **inquiry;
    let mut planner = Planner { lts, trie, limits, tally, is_stopped: &|| replay.is_stopped() };
    let most = planner.plan(traces, missing, Greed::Most);
    let others =
        [Some(planner.plan(traces, missing, Greed::Cheapest)), planner.plan_exactly(missing)];
    let cheaper = |best: Plan, plan: Plan| if plan.cost < best.cost { plan } else { best };
    others.into_iter().flatten().fold(most, cheaper)
}
