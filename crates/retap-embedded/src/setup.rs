//! Getting ready: a JDK that is there already, and, through the user's own Maven, the agent and the
//! Android framework of one API level. All of it once; afterwards nothing here needs the network.

mod agent;
mod android;
mod cache;
mod error;
mod framework;
mod inventory;
mod jdk;
mod machine;
mod maven;
mod prepared;
#[cfg(test)]
mod script;

pub use android::API_LEVELS;
pub use cache::Cache;
pub use error::SetupError;
pub use framework::Framework;
pub use jdk::Jdk;
pub use machine::Machine;
pub use maven::Maven;
pub use prepared::Prepared;

use std::path::PathBuf;

/// Something that a person may want to see while waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// What is being done; replaced by the next one.
    Progress(&'a str),
    /// Something to be kept in view.
    Remark(&'a str),
    /// A device is ready; there is nothing to wait for.
    Ready,
}

pub type Notify<'a> = &'a (dyn Fn(Notice<'_>) + Send + Sync);

/// All that it takes to start an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kit {
    pub jdk: Jdk,
    pub class_path: Vec<PathBuf>,
    /// The folder with the Android jar of the API level.
    pub android_jars: PathBuf,
    /// What spares the agent work when it starts.
    pub framework: Option<Framework>,
    /// Where the apps are kept that this version of the agent has translated.
    pub prepared: PathBuf,
}

/// Answers from the cache where that is complete and makes what is missing.
pub fn ready(machine: &Machine, api: u32, notify: Notify<'_>) -> Result<Kit, SetupError> {
    let cache = Cache::new(machine.cache.clone());
    let jdk = Jdk::find(machine)?;
    let class_path = agent::class_path(machine, &cache, notify)?;
    let android_jars = android::jars(machine, &cache, api, notify)?;
    let prepared = cache.prepared().join(agent::folder());
    let mut kit = Kit { jdk, class_path, android_jars, framework: None, prepared };
    kit.framework = Some(framework::ready(&kit, &cache, api, notify)?);
    Ok(kit)
}

/// The agent of this version of retap is built.
pub fn is_agent_built(cache: &Cache) -> bool {
    cache.sound(&agent::folder()).is_some()
}

/// The API levels whose jars are there.
pub fn fetched_levels(cache: &Cache) -> Vec<u32> {
    API_LEVELS.filter(|&api| cache.sound(&android::folder(api)).is_some()).collect()
}
