//! Putting candidates to the test. What is known from earlier answers is not run again: a path that
//! begins with a failed prefix fails, a path whose every prefix was seen replays.

use crate::bits::Bits;
use crate::ground::{Ground, Path};
use crate::inquiry::Inquiry;
use crate::need::Needs;
use crate::recording::Recording;
use crate::replay::{Halt, Patience, Replay, Replayed};
use crate::trie::{Cursor, Label, Seen, Trie};
use retap_model::{Coverage, Trace};
use std::sync::Arc;

pub(crate) struct Trial<'a, 'r, R> {
    pub ground: &'a Ground<'a>,
    pub needs: &'a mut Needs,
    pub inquiry: &'a mut Inquiry<'r, R>,
    pub trie: Trie,
    /// Nothing more is run: what is known already is all there will be.
    pub stopped: bool,
    /// The effort at which what is being looked for is given up.
    pub effort_ends: u64,
}

/// A path that replays, and what it covered when it did.
#[derive(Debug, Clone)]
pub(crate) struct Proven {
    pub path: Path,
    /// The launch first.
    pub covers: Vec<Bits>,
    pub units: Vec<Arc<Coverage>>,
    pub total: Bits,
    pub cost: u64,
}

impl<'a, 'r, R: Replay> Trial<'a, 'r, R> {
    pub fn new(
        ground: &'a Ground<'a>,
        needs: &'a mut Needs,
        inquiry: &'a mut Inquiry<'r, R>,
        stopped: bool,
    ) -> Self {
        let (trie, effort_ends) = (Trie::new(), u64::MAX);
        let mut trial = Self { ground, needs, inquiry, trie, stopped, effort_ends };
        for (trace, selected) in ground.selected.iter().enumerate() {
            let Recording { trace: whole, covered, .. } = &selected.recording;
            let labels: Vec<Label> = ground.labels(&ground.whole(trace)).collect();
            trial.remember(&labels, whole, covered);
        }
        // What was learnt before, in an earlier pass too, as far as it is about the steps of this one.
        for at in 0..trial.inquiry.answers().len() {
            let (trace, replayed) = trial.inquiry.answers()[at].clone();
            trial.learn(&ground.labels_of(&trace), &trace, &replayed);
        }
        trial
    }

    /// What the suite consists of to begin with; its replay is behind it.
    pub fn chosen(&self) -> impl Iterator<Item = Proven> {
        let ground = self.ground;
        let chosen =
            |trace: usize| Some(Proven::recorded(ground, trace, ground.selected[trace].chosen?));
        (0..ground.selected.len()).filter_map(chosen)
    }

    /// All that was recorded and can be relied on.
    pub fn recorded(&self) -> impl Iterator<Item = Proven> {
        let ground = self.ground;
        (0..ground.selected.len()).map(|trace| Proven::recorded(ground, trace, usize::MAX))
    }

    /// Whether to go on trying. The limit on the effort is counted when it is met.
    pub fn goes_on(&mut self) -> bool {
        self.stopped |= self.inquiry.replay.is_stopped();
        let spent = self.inquiry.tally.effort >= self.effort_ends;
        self.inquiry.tally.limits_hit += u64::from(spent && !self.stopped);
        !self.stopped && !spent
    }

    /// Which of these replay, in their order; once stopped, which are known to.
    pub fn ask(&mut self, paths: Vec<Path>) -> Result<Vec<Option<Proven>>, R::Error> {
        self.inquiry.tally.candidates += paths.len() as u64;
        let known: Vec<Known> = paths.iter().map(|path| self.known(path)).collect();
        let unknown: Vec<&Path> = paths
            .iter()
            .zip(&known)
            .filter_map(|(path, known)| matches!(known, Known::Nothing).then_some(path))
            .collect();
        let traces: Vec<_> = unknown.iter().map(|path| self.ground.trace(path)).collect();
        if !traces.is_empty() && !self.stopped {
            self.inquiry.tally.replayed += traces.len() as u64;
            match self.inquiry.ask(&traces, Patience::FirstDifference) {
                Ok(answers) => {
                    for ((path, trace), replayed) in unknown.iter().zip(&traces).zip(answers) {
                        self.inquiry.tally.faithful += u64::from(replayed.is_faithful(trace));
                        let labels: Vec<Label> = self.ground.labels(path).collect();
                        self.learn(&labels, trace, &replayed);
                    }
                }
                Err(Halt::Stopped) => self.stopped = true,
                Err(Halt::Failed(error)) => return Err(error),
            }
        }
        Ok(paths.into_iter().map(|path| self.recall(path)).collect())
    }

    /// Runs a suite that recordings alone may vouch for. Answers it with what it covered now, and apart
    /// from it what did not follow its way or covered less.
    pub fn confirm(&mut self, suite: Vec<Proven>) -> Result<(Vec<Proven>, Vec<Proven>), R::Error> {
        if suite.is_empty() || self.stopped || !self.inquiry.replay.repeats() {
            return Ok((suite, Vec::new()));
        }
        let traces: Vec<_> = suite.iter().map(|proven| self.ground.trace(&proven.path)).collect();
        let answers = match self.inquiry.ask(&traces, Patience::FirstDifference) {
            Ok(answers) => answers,
            Err(Halt::Stopped) => {
                self.stopped = true;
                return Ok((suite, Vec::new()));
            }
            Err(Halt::Failed(error)) => return Err(error),
        };
        let (mut confirmed, mut refuted) = (Vec::new(), Vec::new());
        for ((proven, trace), replayed) in suite.into_iter().zip(&traces).zip(answers) {
            let faithful = replayed.is_faithful(trace);
            let labels: Vec<Label> = self.ground.labels(&proven.path).collect();
            self.learn(&labels, trace, &replayed);
            let units = replayed.covered;
            let covers = |(at, units): (usize, &Arc<Coverage>)| {
                self.ground.bundles(&self.needs.of(trace.result_after(at), units))
            };
            let covers = units.iter().enumerate().map(covers).collect();
            let again = Proven::new(self.ground, proven.path.clone(), covers, units);
            if !faithful || !proven.total.is_subset(&again.total) {
                refuted.push(proven);
            }
            // What follows its way stays for what it covers now.
            if faithful {
                confirmed.push(again);
            }
        }
        Ok((confirmed, refuted))
    }

    /// The first step that a path is known to fail at; zero is the launch.
    pub fn failed(&self, path: &Path) -> Option<usize> {
        let mut cursor = Trie::ROOT;
        self.ground.labels(path).position(|label| {
            cursor = self.trie.step(cursor, label);
            cursor == Cursor::Bad
        })
    }

    fn known(&mut self, path: &Path) -> Known {
        let mut cursor = Trie::ROOT;
        let mut seen = true;
        for label in self.ground.labels(path) {
            cursor = self.trie.step(cursor, label);
            seen &= self.trie.seen(cursor).is_some();
        }
        match cursor {
            Cursor::Bad => Known::Fails,
            Cursor::At(_) if seen => {
                self.inquiry.tally.known += 1;
                Known::Replays
            }
            _ => Known::Nothing,
        }
    }

    /// The labels may end before the trace does: nothing can be said of the rest.
    fn learn(&mut self, labels: &[Label], trace: &Trace, replayed: &Replayed) {
        if replayed.settled {
            self.remember(labels, trace, &replayed.covered);
        }
        let failed = replayed.covered.len();
        if failed < labels.len() {
            self.trie.insert_bad(labels[..=failed].iter().copied());
        }
    }

    fn remember(&mut self, labels: &[Label], trace: &Trace, covered: &[Arc<Coverage>]) {
        let mut seen = Vec::with_capacity(labels.len());
        for (at, units) in covered.iter().enumerate().take(labels.len()) {
            let needs = self.needs.of(trace.result_after(at), units);
            seen.push(Seen { bits: self.ground.bundles(&needs), units: Arc::clone(units) });
        }
        self.trie.insert_seen(labels.iter().copied().zip(seen));
    }

    fn recall(&self, path: Path) -> Option<Proven> {
        let steps = path.edges.len();
        self.beginning(path).filter(|proven| proven.path.edges.len() == steps)
    }

    /// As much of a path as is known to replay.
    pub fn beginning(&self, mut path: Path) -> Option<Proven> {
        let mut cursor = Trie::ROOT;
        let (mut covers, mut units) = (Vec::new(), Vec::new());
        for label in self.ground.labels(&path) {
            cursor = self.trie.step(cursor, label);
            let Some(seen) = self.trie.seen(cursor) else { break };
            covers.push(seen.bits.clone());
            units.push(Arc::clone(&seen.units));
        }
        path.edges.truncate(covers.len().checked_sub(1)?);
        Some(Proven::new(self.ground, path, covers, units))
    }
}

enum Known {
    Replays,
    Fails,
    Nothing,
}

impl Proven {
    fn new(
        ground: &Ground<'_>,
        path: Path,
        covers: Vec<Bits>,
        units: Vec<Arc<Coverage>>,
    ) -> Proven {
        let mut total = ground.none();
        covers.iter().for_each(|covers| total.union_with(covers));
        let cost = ground.cost(&path);
        Proven { path, covers, units, total, cost }
    }

    /// The first steps of a selected trace; its recording vouches for them.
    pub fn recorded(ground: &Ground<'_>, trace: usize, steps: usize) -> Proven {
        let mut path = ground.whole(trace);
        path.edges.truncate(steps);
        let units = ground.selected[trace].recording.covered[..=path.edges.len()].to_vec();
        let launch = ground.launches[trace].covers.clone();
        let steps = path.edges.iter().map(|edge| ground.edges[*edge].covers.clone());
        let covers = std::iter::once(launch).chain(steps).collect();
        Proven::new(ground, path, covers, units)
    }

    /// Without the steps after the last that covers something of `needed`.
    pub fn cut_tail(mut self, ground: &Ground<'_>, needed: &Bits) -> Proven {
        let mut left = needed.clone();
        let mut keep = 0;
        for (at, covers) in self.covers.iter().enumerate() {
            let before = left.clone();
            left.remove_all(covers);
            if left != before {
                keep = at;
            }
        }
        self.path.edges.truncate(keep);
        self.covers.truncate(keep + 1);
        self.units.truncate(keep + 1);
        self.total = ground.none();
        self.covers.iter().for_each(|covers| self.total.union_with(covers));
        self.cost = ground.cost(&self.path);
        self
    }
}

/// What all of these cover together.
pub(crate) fn union<'p>(ground: &Ground<'_>, proven: impl IntoIterator<Item = &'p Proven>) -> Bits {
    let mut all = ground.none();
    proven.into_iter().for_each(|proven| all.union_with(&proven.total));
    all
}
