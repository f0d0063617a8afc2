//! Passive oracles: they examine every observation of a run, and each finding is kept at once with the trace that led
//! to it. A resumed run reads the kept findings back, so that it finds nothing twice.

use crate::exploration::{ExploreError, Journal};
use retap_model::format::run::{keep_finding, read_findings};
use retap_model::{Finding, FindingId, Observation, Screen, Trace};
use retap_oracle::Oracles;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct PassiveOracles {
    pub oracles: Oracles,
    /// The length of the shortest trace that is known to show each finding.
    known: BTreeMap<FindingId, usize>,
    /// The last screen without a finding. The same screen often comes back.
    last_clean_screen: Option<Arc<Screen>>,
}

impl PassiveOracles {
    pub fn new(oracles: Oracles, run: &Path) -> Self {
        let known = read_findings(run).kept.into_iter().map(|kept| {
            // No trace is shorter than zero events, so a dismissed finding is never kept again.
            let events = if kept.dismissed.is_some() { 0 } else { kept.events as usize };
            (kept.finding.id(), events)
        });
        Self { oracles, known: known.collect(), last_clean_screen: None }
    }

    /// Examines the observation at the end of a trace and keeps what is found.
    pub(crate) fn examine(
        &mut self,
        observation: &Observation,
        trace: &Trace,
        journal: &Journal,
    ) -> Result<(), ExploreError> {
        let last = self.last_clean_screen.as_ref();
        let is_same_screen = last.is_some_and(|last| Arc::ptr_eq(last, &observation.screen));
        if is_same_screen && observation.log.is_empty() {
            return Ok(());
        }
        let findings = self.oracles.judge_observation(observation);
        if findings.is_empty() {
            self.last_clean_screen = Some(Arc::clone(&observation.screen));
        }
        findings.iter().try_for_each(|finding| self.keep(finding, trace, journal))
    }

    /// Keeps a finding with a trace that shows it, unless a trace that is as short is known.
    pub(crate) fn keep(
        &mut self,
        finding: &Finding,
        trace: &Trace,
        journal: &Journal,
    ) -> Result<(), ExploreError> {
        let Some(dir) = journal.dir() else { return Ok(()) };
        let (id, events) = (finding.id(), trace.steps.len());
        if self.known.get(&id).is_none_or(|known| events < *known) {
            self.known.insert(id, events);
            keep_finding(dir, finding, &journal.info().trace_header(), trace)?;
        }
        Ok(())
    }
}
