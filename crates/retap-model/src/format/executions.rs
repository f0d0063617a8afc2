//! Observations of whole executions as plain data, to carry them to another machine. Every screen and every coverage is
//! written once, because most come back again and again.

use super::FormatError;
use crate::coverage::Coverage;
use crate::observation::{Observation, Outcome};
use crate::screen::Screen;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The observations of several executions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutionTable {
    screens: Vec<Arc<Screen>>,
    coverages: Vec<Arc<Coverage>>,
    /// One list for each execution.
    executions: Vec<Vec<ObservationRow>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ObservationRow {
    /// Positions in the two lists of the table.
    screen: usize,
    coverage: usize,
    elapsed_ms: u64,
    outcome: Outcome,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    log: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    host_limitations: Vec<String>,
}

impl ExecutionTable {
    /// Writes the observations of each execution down.
    pub fn new<'o>(executions: impl IntoIterator<Item = &'o [Observation]>) -> Self {
        let mut table = Self::default();
        let (mut screens, mut coverages) = (BTreeMap::new(), BTreeMap::new());
        for observations in executions {
            let row = |observation: &Observation| ObservationRow {
                screen: *screens.entry(observation.screen.id()).or_insert_with(|| {
                    table.screens.push(Arc::clone(&observation.screen));
                    table.screens.len() - 1
                }),
                coverage: *coverages.entry(observation.coverage.id()).or_insert_with(|| {
                    table.coverages.push(Arc::clone(&observation.coverage));
                    table.coverages.len() - 1
                }),
                elapsed_ms: observation.elapsed_ms,
                outcome: observation.outcome.clone(),
                log: observation.log.clone(),
                host_limitations: observation.host_limitations.clone(),
            };
            let rows = observations.iter().map(row).collect();
            table.executions.push(rows);
        }
        table
    }

    /// Returns the observations of each execution. An execution has at least that of its launch.
    pub fn observations(&self) -> Result<Vec<Vec<Observation>>, FormatError> {
        self.executions.iter().map(|rows| self.read_execution(rows)).collect()
    }

    fn read_execution(&self, rows: &[ObservationRow]) -> Result<Vec<Observation>, FormatError> {
        let malformed = |expected: &str, found: String| {
            FormatError::malformed("the observations of an execution", 1, expected, found)
        };
        if rows.is_empty() {
            return Err(malformed("the observation of a launch", String::new()));
        }
        let read = |row: &ObservationRow| {
            let screen = self.screens.get(row.screen);
            let screen = screen.ok_or_else(|| malformed("a screen", row.screen.to_string()))?;
            let coverage = self.coverages.get(row.coverage);
            let coverage =
                coverage.ok_or_else(|| malformed("a coverage", row.coverage.to_string()))?;
            Ok(Observation {
                screen: Arc::clone(screen),
                coverage: Arc::clone(coverage),
                elapsed_ms: row.elapsed_ms,
                outcome: row.outcome.clone(),
                log: row.log.clone(),
                host_limitations: row.host_limitations.clone(),
            })
        };
        rows.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::Crash;

    fn observation(activity: &str, unit: u32, outcome: Outcome) -> Observation {
        let screen = Screen { activity: activity.into(), ..Screen::default() };
        Observation {
            screen: Arc::new(screen),
            coverage: Arc::new([unit].into_iter().collect()),
            elapsed_ms: 3,
            outcome,
            log: vec!["I/app: hello".into()],
            host_limitations: vec!["no camera".into()],
        }
    }

    fn observations() -> Vec<Observation> {
        let crash = Crash { thread: "main".into(), stack: "a.B: c".into(), doubts: Vec::new() };
        let outcomes = [
            Outcome::Running,
            Outcome::Missed,
            Outcome::Left { package: "a.b".into() },
            Outcome::Exited,
            Outcome::NotResponding { stack: "at a.b".into() },
            Outcome::Crashed(Arc::new(crash)),
        ];
        let lost = Observation::of_loss(crate::Loss::new("gone"));
        let named = outcomes.into_iter().map(|outcome| observation("a.Main", 1, outcome));
        named.chain([observation("a.Other", 2, Outcome::Running), lost]).collect()
    }

    #[test]
    fn observations_come_back_as_they_were() {
        let observations = observations();
        let table = ExecutionTable::new([&observations[..], &observations[..2]]);
        let text = serde_json::to_string(&table).unwrap();
        let read: ExecutionTable = serde_json::from_str(&text).unwrap();
        let executions = read.observations().unwrap();
        assert_eq!(executions, [observations.clone(), observations[..2].to_vec()]);
    }

    #[test]
    fn a_screen_is_written_once() {
        let table = ExecutionTable::new([&observations()[..], &observations()[..]]);
        assert_eq!((table.screens.len(), table.coverages.len()), (3, 3));
    }

    #[test]
    fn rows_without_their_screen_are_refused() {
        let mut table = ExecutionTable::new([&observations()[..]]);
        table.screens.pop();
        assert!(table.observations().is_err());
        table.executions = vec![Vec::new()];
        assert!(table.observations().is_err());
    }
}
