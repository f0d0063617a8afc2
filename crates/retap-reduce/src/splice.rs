//! Phase 2: bounded splicing, the paper's Algorithm 2 (whose line 8 means T_m ← T_m ∪ {τ}). Instead of
//! running each choice before the next is made, a whole plan is made and run side by side; what fails
//! teaches the trie, and a new plan is made for what is still uncovered.

use crate::lts::Lts;
use crate::plan::{Plan, plan};
use crate::reach::Greed;
use crate::reduce::Limits;
use crate::replay::Replay;
use crate::trial::{Proven, Trial, union};

pub(crate) fn splice<R: Replay>(
    trial: &mut Trial<'_, R>,
    traces: &[Proven],
    limits: &Limits,
) -> Result<Vec<Proven>, R::Error> {
    let ground = trial.ground;
    let lts = Lts::new(ground, traces);
    let all = union(ground, traces);
    let mut covered = ground.none();
    let mut spliced: Vec<Proven> = Vec::new();
    for _ in 0..limits.plans {
        if all.is_subset(&covered) {
            return Ok(spliced);
        }
        if trial.stopped {
            break;
        }
        let mut make = |greed| {
            let state = (&trial.trie, limits, &mut trial.tally);
            plan(&lts, traces, &all.minus(&covered), greed, state)
        };
        let (most, cheapest) = (make(Greed::Most), make(Greed::Cheapest));
        let Plan { paths, .. } = if cheapest.cost < most.cost { cheapest } else { most };
        for proven in trial.ask(paths)?.into_iter().flatten() {
            if !proven.total.is_subset(&covered) {
                covered.union_with(&proven.total);
                spliced.push(proven);
            }
        }
    }
    let hit = !trial.stopped && !all.is_subset(&covered);
    trial.tally.limits_hit += u64::from(hit);
    for proven in traces {
        if !proven.total.is_subset(&covered) {
            covered.union_with(&proven.total);
            spliced.push(proven.clone());
        }
    }
    Ok(spliced)
}
