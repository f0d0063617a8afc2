//! What minimising learned once and uses again, in the cache: solved policies, and the prior that every
//! run with several worlds refines.

use crate::failure::Failure;
use retap_minimize::mdp::Setting;
use retap_minimize::{Check, Policy, Prior, Tally};
use retap_model::format::run::{RunError, write_json, write_whole};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// For so many candidates a policy is solved in seconds; for more the heuristic is nearly as good.
const CANDIDATES: u32 = 4;

pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// Below retap's cache.
    pub fn open() -> Self {
        Self { dir: crate::cache::dir().join("minimize") }
    }

    /// What was seen so far; the published one where nothing was, or where it cannot be read.
    pub fn prior(&self) -> Prior {
        let text = fs::read_to_string(self.dir.join("prior.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub fn refine_prior(&self, observed: &[Tally]) -> Result<(), RunError> {
        if observed.iter().all(|tally| tally.runs() < 2) {
            return Ok(());
        }
        fs::create_dir_all(&self.dir).map_err(RunError::io(&self.dir))?;
        write_json(&self.dir.join("prior.json"), &self.prior().refined(observed))
    }

    /// The optimal policy for this check, solved now if it never was. It belongs to the published
    /// prior: one that moved with every run would never be found again.
    pub fn policy(&self, check: Check, say: &dyn Fn(&str)) -> Result<Arc<Policy>, Failure> {
        let setting = Setting { candidates: CANDIDATES, check };
        let prior = Prior::default();
        let Check { runs, required, width } = check;
        let path = self.dir.join(format!("policy-{CANDIDATES}-{width}-{runs}-{required}"));
        let kept = fs::read(&path).ok().and_then(|bytes| Policy::from_bytes(&bytes).ok());
        if let Some(policy) = kept.filter(|policy| policy.is_for(&setting, &prior)) {
            return Ok(Arc::new(policy));
        }
        say("solving the scheduling policy for this check, once");
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let policy = Policy::solve(&setting, &prior, threads)
            .map_err(|error| Failure::input(error.to_string()))?;
        fs::create_dir_all(&self.dir).map_err(RunError::io(&self.dir))?;
        write_whole(&path, &policy.to_bytes())?;
        Ok(Arc::new(policy))
    }
}
