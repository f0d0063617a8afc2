//! What leaving loops out has led to so far. An app remembers what its screens do not show, and a loop
//! that changed it cannot be left out: loops with a step that was missed before are left out less eagerly from
//! then on, in all traces.

use crate::ground::{Ground, Path};
use crate::trie::Label;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(crate) struct Blame {
    steps: BTreeMap<Label, Record>,
}

/// In how many candidates a step was left out.
#[derive(Debug, Default, Clone, Copy)]
struct Record {
    /// Those that failed where the loop it is in was the last left out before.
    missed: u64,
    /// Those that replayed.
    spared: u64,
}

impl Blame {
    /// How much of what leaving out these steps would save is not to be counted on: as much as for the
    /// worst of them.
    pub fn risk(&self, ground: &Ground<'_>, left_out: &[usize], saved: u64) -> u64 {
        let records = left_out.iter().filter_map(|edge| self.steps.get(&ground.edges[*edge].label));
        let lost = |Record { missed, spared }: &Record| saved * missed / (missed + spared + 1);
        records.map(lost).max().unwrap_or(0)
    }

    /// A candidate made of steps of `whole` replayed, or left its way at a step: then the loop left out
    /// last before it is the likeliest cause.
    pub fn learn(
        &mut self,
        ground: &Ground<'_>,
        whole: &Path,
        candidate: &Path,
        failed: Option<usize>,
    ) {
        let mut next = 0;
        let mut loops: Vec<&[usize]> = Vec::new();
        for edge in candidate.edges.iter().take(failed.unwrap_or(usize::MAX)) {
            let Some(ahead) = whole.edges[next..].iter().position(|other| other == edge) else {
                return;
            };
            if ahead > 0 {
                loops.push(&whole.edges[next..next + ahead]);
            }
            next += ahead + 1;
        }
        if failed.is_some() {
            loops = loops.pop().into_iter().collect();
        }
        let labels: BTreeSet<Label> =
            loops.into_iter().flatten().map(|edge| ground.edges[*edge].label).collect();
        for label in labels {
            let record = self.steps.entry(label).or_default();
            match failed {
                Some(_) => record.missed += 1,
                None => record.spared += 1,
            }
        }
    }
}
