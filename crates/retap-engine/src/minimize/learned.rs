//! Stores what minimising learns once and uses again: solved scheduling policies, and the prior that every
//! run with several world seeds refines.

use crate::{Failure, cache};
use retap_minimize::{Check, JobRunner, PolicySetting, Prior, RunCounts, SchedulingPolicy};
use retap_model::format::run::{RunError, write_json, write_whole};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A policy for this many candidates is solved in seconds. For more the heuristic is nearly as good.
const CANDIDATES: u32 = 4;

#[derive(Debug)]
pub struct LearnedStore {
    dir: PathBuf,
}

impl LearnedStore {
    /// Opens the store below retap's cache.
    pub fn open() -> Self {
        Self { dir: cache::dir().join("minimize") }
    }

    /// Returns the refined prior, or the published one where none is stored or it is unreadable.
    pub fn prior(&self) -> Prior {
        let text = fs::read_to_string(self.dir.join("prior.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub fn refine_prior(&self, observed: &[RunCounts]) -> Result<(), RunError> {
        if observed.iter().all(|counts| counts.runs() < 2) {
            return Ok(());
        }
        fs::create_dir_all(&self.dir).map_err(RunError::io(&self.dir))?;
        write_json(&self.dir.join("prior.json"), &self.prior().refined(observed))
    }

    /// Returns the optimal policy for this check, and solves it first if it is not stored. It uses the published
    /// prior: a refined one changes with every run, so that no stored policy would ever fit.
    pub fn policy(
        &self,
        check: Check,
        remark: &dyn Fn(&str),
    ) -> Result<Arc<SchedulingPolicy>, Failure> {
        let setting = PolicySetting { candidates: CANDIDATES, check };
        let prior = Prior::default();
        let Check { runs, required, width } = check;
        let path = self.dir.join(format!("policy-{CANDIDATES}-{width}-{runs}-{required}"));
        let stored =
            fs::read(&path).ok().and_then(|bytes| SchedulingPolicy::from_bytes(&bytes).ok());
        if let Some(policy) = stored.filter(|policy| policy.is_for(&setting, &prior)) {
            return Ok(Arc::new(policy));
        }
        remark("solving the scheduling policy for this check, once");
        let policy = SchedulingPolicy::solve(&setting, &prior, &AllCores)
            .map_err(|error| Failure::input(error.to_string()))?;
        fs::create_dir_all(&self.dir).map_err(RunError::io(&self.dir))?;
        write_whole(&path, &policy.to_bytes())?;
        Ok(Arc::new(policy))
    }
}

/// Solves policies on all cores.
struct AllCores;

impl JobRunner for AllCores {
    fn threads(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let threads = self.threads();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                scope.spawn(move || (thread..count).step_by(threads).for_each(job));
            }
        });
    }
}
