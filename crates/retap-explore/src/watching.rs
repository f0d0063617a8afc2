//! The oracles that only look: every observation of a run is shown to them, and what they find is kept at once with
//! the trace that led there. What was kept is read back when a run is taken up, so that nothing is found twice.

use crate::exploration::{Exploration, ExploreError};
use retap_model::format::run::{keep_finding, read_findings};
use retap_model::{Finding, FindingId, Observation, Screen, Trace};
use retap_oracle::Oracles;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Watcher {
    pub oracles: Oracles,
    /// Length of the shortest trace that is known to show each.
    known: BTreeMap<FindingId, usize>,
    /// What was looked at last and said nothing: the same screen comes back again and again.
    last: Option<Arc<Screen>>,
}

impl Watcher {
    pub fn new(oracles: Oracles, run: &Path) -> Self {
        let known = read_findings(run).into_iter().map(|kept| {
            // What was dismissed before is not looked into again.
            let events = if kept.dismissed.is_some() { 0 } else { kept.events as usize };
            (kept.finding.id(), events)
        });
        Self { oracles, known: known.collect(), last: None }
    }

    /// What is seen for the first time, or with fewer events than before.
    fn news(&mut self, seen: &Observation, events: usize) -> Vec<Finding> {
        let same = self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, &seen.screen));
        if same && seen.log.is_empty() {
            return Vec::new();
        }
        let mut found = self.oracles.at_sight(seen);
        if found.is_empty() {
            self.last = Some(Arc::clone(&seen.screen));
        }
        found.retain(|finding| self.is_news(finding, events));
        found
    }

    pub fn is_news(&self, finding: &Finding, events: usize) -> bool {
        self.known.get(&finding.id()).is_none_or(|known| events < *known)
    }
}

impl Exploration<'_> {
    /// Shows the oracles where the current trace has just led.
    pub(crate) fn watch(&mut self, seen: &Observation) -> Result<(), ExploreError> {
        let Some(watcher) = &mut self.watcher else { return Ok(()) };
        let Some(trace) = self.current.take() else { return Ok(()) };
        let news = watcher.news(seen, trace.steps.len());
        let kept = news.iter().try_for_each(|finding| self.keep_found(finding, &trace));
        self.current = Some(trace);
        kept
    }

    /// Keeps what was found, unless a shorter trace is known to show it.
    pub(crate) fn keep_found(
        &mut self,
        finding: &Finding,
        trace: &Trace,
    ) -> Result<(), ExploreError> {
        let (Some(watcher), Some(dir)) = (&mut self.watcher, self.journal.dir()) else {
            return Ok(());
        };
        if watcher.is_news(finding, trace.steps.len()) {
            watcher.known.insert(finding.id(), trace.steps.len());
            keep_finding(dir, finding, &self.journal.info().trace_header(), trace)?;
        }
        Ok(())
    }
}
