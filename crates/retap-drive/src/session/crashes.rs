//! The crashes that the session has met, and their minimised traces.

use super::DriveSession;
use retap_device::DeviceError;
use retap_engine::Failure;
use retap_engine::explore::check_budget::CheckBudget;
use retap_engine::explore::checks::{CheckSettings, check_crashes};
use retap_engine::explore::evidence::read_record;
use retap_model::format::run::{crash_folder, read_crash};
use retap_model::{Confidence, Crash, CrashId, Rate, RunPhase};
use serde::Serialize;

/// A crash of the session.
#[derive(Debug, Clone, Serialize)]
pub struct SessionCrash {
    pub id: CrashId,
    pub exception: String,
    pub message: String,
    /// The app's own frame that is nearest to the throw.
    pub place: String,
    pub confidence: Confidence,
    pub doubts: Vec<String>,
    /// The number of times that the session met it.
    pub seen: u64,
    /// The length of the shortest trace that ended in it.
    pub events: u64,
    /// The steps of the minimised trace; empty if there is none yet.
    pub steps: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<Rate>,
    pub minimized: bool,
    /// The folder of the crash.
    pub folder: String,
    pub stack: String,
}

impl DriveSession<'_, '_> {
    /// Lists the crashes, those with the fewest events first.
    pub fn crashes(&self) -> Vec<SessionCrash> {
        let ids: Vec<CrashId> = self.exploration.totals().crashes.keys().copied().collect();
        let mut crashes: Vec<SessionCrash> =
            ids.into_iter().filter_map(|id| self.crash(id)).collect();
        crashes.sort_by_key(|crash| (crash.events, crash.id));
        crashes
    }

    /// Returns a crash of the session.
    pub fn crash(&self, id: CrashId) -> Option<SessionCrash> {
        let totals = self.exploration.totals().crashes.get(&id)?;
        let package = &self.app.identity.package;
        let folder = crash_folder(&self.run, id);
        let crash = read_crash(&self.run, id).ok();
        let record = read_record(&folder);
        Some(SessionCrash {
            id,
            exception: totals.exception.clone(),
            message: crash.as_ref().map_or_else(String::new, |crash| crash.message().to_string()),
            place: crash.as_ref().and_then(|crash| crash.place(package)).unwrap_or_default(),
            confidence: crash.as_ref().map(Crash::confidence).unwrap_or_default(),
            doubts: crash.as_ref().map_or_else(Vec::new, |crash| crash.doubts.clone()),
            seen: totals.occurrences,
            events: record.as_ref().map_or(totals.events, |record| record.events),
            steps: record.as_ref().map_or_else(Vec::new, |record| record.steps.clone()),
            success: record.as_ref().map(|record| record.success),
            minimized: record.is_some(),
            folder: folder.display().to_string(),
            stack: crash.map_or_else(String::new, |crash| crash.stack),
        })
    }

    /// Finds a crash by the beginning of its id.
    pub fn find_crash(&self, name: &str) -> Result<CrashId, Failure> {
        let ids = self.exploration.totals().crashes.keys().copied();
        let found: Vec<CrashId> =
            ids.filter(|id| !name.is_empty() && id.to_string().starts_with(name)).collect();
        match found.as_slice() {
            [id] => Ok(*id),
            [] => {
                Err(Failure::input(format!("no crash is called {name:?}: list the crashes first")))
            }
            several => {
                Err(Failure::input(format!("{} crashes begin with {name:?}", several.len())))
            }
        }
    }

    /// Reduces the trace of a crash to the few events that matter, and measures how often they cause it. The app is
    /// where it was afterwards.
    pub fn minimize(&mut self, id: CrashId) -> Result<SessionCrash, Failure> {
        let settings = CheckSettings {
            app: &self.app,
            run: &self.run,
            oracles: &self.oracles,
            abstraction: self.exploration.info().abstraction,
            graph: self.exploration.graph(),
            minimizes: true,
            budget: CheckBudget::unlimited(),
        };
        self.lab.charge(RunPhase::Explore);
        let checked = check_crashes(&mut self.lab, std::iter::once(id), settings, self.context);
        match checked {
            Ok(_) | Err(Failure::Device(DeviceError::Interrupted)) => {}
            Err(error) => return Err(error),
        }
        self.come_back()?;
        let crash = self.crash(id);
        match crash {
            Some(crash) if crash.minimized => Ok(crash),
            _ => Err(Failure::NotReproduced(format!(
                "crash {id} did not show a second time, or the search was interrupted"
            ))),
        }
    }
}
