//! Where L(τ) is too large to be searched to the end: remove one loop at a time from a trace that is
//! known to replay, the dearest first, as long as it goes on replaying. It stays within L(τ).

use crate::bits::Bits;
use crate::blame::Blame;
use crate::ground::{Ground, Path};
use crate::replay::Replay;
use crate::trial::{Proven, Trial};
use crate::trie::{Cursor, Trie};
use std::cmp::Reverse;

/// Loops that are looked at once no candidate is left that replays; more would be time, not gain.
const LOOPS: usize = 4096;

pub(crate) fn descend<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    mut best: Proven,
    needed: &Bits,
    mut candidates: usize,
    blame: &mut Blame,
) -> Result<Proven, R::Error> {
    'better: while candidates > 0 && trial.goes_on() {
        let mut paths =
            without_one_loop(trial.ground, (&trial.trie, blame), &best, needed).into_iter();
        let mut round = 1;
        loop {
            let ask: Vec<Path> = paths.by_ref().take(round.min(candidates)).collect();
            if ask.is_empty() || !trial.goes_on() {
                break 'better;
            }
            candidates -= ask.len();
            let answers = trial.ask(ask.clone())?;
            for path in &ask {
                blame.learn(trial.ground, &best.path, path, trial.failed(path));
            }
            for proven in answers.into_iter().flatten() {
                if needed.is_subset(&proven.total) {
                    best = proven.cut_tail(trial.ground, needed);
                    continue 'better;
                }
                trial.inquiry.tally.short += 1;
            }
            round = (2 * round).min(crate::eliminate::ROUND);
        }
    }
    Ok(best)
}

/// Every path with one loop less that should still cover what is needed; first where most is to be saved.
fn without_one_loop(
    ground: &Ground<'_>,
    (trie, blame): (&Trie, &Blame),
    of: &Proven,
    needed: &Bits,
) -> Vec<Path> {
    let edges = &of.path.edges;
    let place = |position: usize| match position {
        0 => ground.launches[of.path.launch].to,
        _ => ground.edges[edges[position - 1]].to,
    };
    let sum = |edges: &[usize]| edges.iter().map(|edge| ground.edges[*edge].cost).sum::<u64>();
    let mut before = vec![of.covers[0].clone()];
    for covers in &of.covers[1..] {
        let mut all = before[before.len() - 1].clone();
        all.union_with(covers);
        before.push(all);
    }
    let mut loops = Vec::new();
    let mut after = ground.none();
    for end in (1..=edges.len()).rev() {
        for begin in (0..end).filter(|begin| place(*begin) == place(end)) {
            let mut rest = before[begin].clone();
            rest.union_with(&after);
            if needed.is_subset(&rest) {
                let left_out = &edges[begin..end];
                let saved = sum(left_out);
                loops.push((Reverse(saved - blame.risk(ground, left_out, saved)), begin, end));
            }
        }
        after.union_with(&of.covers[end]);
    }
    loops.sort_unstable();
    let cut = |(_, begin, end): (Reverse<u64>, usize, usize)| {
        let edges = [&edges[..begin], &edges[end..]].concat();
        Path { launch: of.path.launch, edges }
    };
    let hopeless = |path: &Path| {
        let walk = |cursor, label| trie.step(cursor, label);
        ground.labels(path).fold(Trie::ROOT, walk) == Cursor::Bad
    };
    loops.into_iter().take(LOOPS).map(cut).filter(|path| !hopeless(path)).collect()
}
