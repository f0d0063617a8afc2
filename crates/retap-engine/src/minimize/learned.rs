//! Stores what minimising learns once and uses again: solved scheduling policies, and the prior that every
//! run with several world seeds refines.

use crate::{Failure, cache};
use retap_minimize::{Check, JobRunner, PolicySetting, Prior, RunCounts, SchedulingPolicy};
use retap_model::format::run::{RunError, write_json, write_whole};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A stored policy is used as long as the prior has moved by no more than this share of its weight. Every run refines
/// the prior a little, and a policy for nearly the same prior is nearly optimal.
const MAX_PRIOR_DISTANCE: f64 = 0.05;

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

    /// Returns the optimal policy for this check, this many candidates and the refined prior. It is solved first if no
    /// stored one fits.
    pub fn policy(
        &self,
        candidates: u32,
        check: Check,
        remark: &dyn Fn(&str),
    ) -> Result<Arc<SchedulingPolicy>, Failure> {
        let setting = PolicySetting { candidates, check };
        let prior = self.prior();
        let Check { runs, required, width } = check;
        let path = self.dir.join(format!("policy-{candidates}-{width}-{runs}-{required}"));
        let stored =
            fs::read(&path).ok().and_then(|bytes| SchedulingPolicy::from_bytes(&bytes).ok());
        let fits = |policy: &SchedulingPolicy| {
            *policy.setting() == setting && policy.prior_distance(&prior) <= MAX_PRIOR_DISTANCE
        };
        if let Some(policy) = stored.filter(fits) {
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
