//! What leaving loops out has led to so far. An app remembers what its screens do not show, and a loop
//! that changed it cannot be left out: loops that were missed once are left out less eagerly from then on,
//! in all traces.

use crate::ground::{Ground, Path};
use crate::trie::Label;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Blame {
    /// By the first and the last step of the loop.
    loops: BTreeMap<(Label, Label), Record>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Record {
    missed: u64,
    spared: u64,
}

impl Blame {
    /// How much of what leaving out these steps would save is not to be counted on.
    pub fn risk(&self, ground: &Ground<'_>, left_out: &[usize], saved: u64) -> u64 {
        let Record { missed, spared } =
            self.loops.get(&key(ground, left_out)).copied().unwrap_or_default();
        saved * missed / (missed + spared + 1)
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
        let mut loops = Vec::new();
        for edge in candidate.edges.iter().take(failed.unwrap_or(usize::MAX)) {
            let Some(ahead) = whole.edges[next..].iter().position(|other| other == edge) else {
                return;
            };
            if ahead > 0 {
                loops.push(key(ground, &whole.edges[next..next + ahead]));
            }
            next += ahead + 1;
        }
        match failed {
            Some(_) => {
                if let Some(last) = loops.pop() {
                    self.loops.entry(last).or_default().missed += 1;
                }
            }
            None => {
                for key in loops {
                    self.loops.entry(key).or_default().spared += 1;
                }
            }
        }
    }
}

fn key(ground: &Ground<'_>, left_out: &[usize]) -> (Label, Label) {
    let label = |edge: Option<&usize>| edge.map_or(Label::MAX, |edge| ground.edges[*edge].label);
    (label(left_out.first()), label(left_out.last()))
}
