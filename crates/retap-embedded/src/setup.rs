//! Sets up everything an agent needs: finds a JDK and, through the user's own Maven, gets the agent and
//! the Android framework of one API level. Each is fetched once and needs no network afterwards.

mod agent;
mod android;
mod cache;
mod class_archive;
mod environment;
mod error;
mod framework;
mod inventory;
mod jdk;
mod maven;
mod prepared_app;
#[cfg(test)]
mod test_script;

use agent::FRAMEWORK_PREFIX;
pub use android::API_LEVELS;
pub use cache::Cache;
pub use environment::HostEnvironment;
pub use error::SetupError;
pub use framework::FrameworkFolders;
pub use jdk::Jdk;
pub use maven::Maven;
pub use prepared_app::PreparedApp;

use crate::process::SandboxLayers;
use std::path::PathBuf;

/// A message for a person who is waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// The current activity, which the next notice replaces.
    Progress(&'a str),
    /// A message that stays visible.
    Remark(&'a str),
    /// A device is ready, and there is nothing to wait for.
    Ready,
}

/// A function that shows notices.
pub type Notify<'a> = &'a (dyn Fn(Notice<'_>) + Send + Sync);

/// The files that are needed to start an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSetup {
    pub jdk: Jdk,
    pub class_path: Vec<PathBuf>,
    /// The folder with the Android jar of the API level.
    pub android_jars: PathBuf,
    /// Files made in advance to shorten an agent's start.
    pub framework: Option<FrameworkFolders>,
    /// The JVM's own archive of the classes that an agent loads.
    pub class_archive: Option<PathBuf>,
    /// The folder of the apps that this version of the agent has prepared.
    pub prepared_apps: PathBuf,
    /// Whether the agent loads the app's classes anew for each clean install.
    pub reloads_classes: bool,
    /// Whether the JVM records what its threads do.
    pub records_samples: bool,
    pub sandbox_layers: SandboxLayers,
}

/// The files that are needed to make and sign APKs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackagingSetup {
    pub jdk: Jdk,
    pub class_path: Vec<PathBuf>,
    /// A jar of the framework, for the shapes of its classes.
    pub framework: PathBuf,
    pub cache: Cache,
}

/// Returns the set-up for an API level. Takes it from the cache and makes only what is missing.
pub fn set_up_agent(
    environment: &HostEnvironment,
    api: u32,
    notify: Notify<'_>,
) -> Result<AgentSetup, SetupError> {
    let cache = Cache::new(environment.cache.clone());
    let jdk = Jdk::find(environment)?;
    let class_path = agent::class_path(environment, &cache, notify)?;
    let android_jars = android::jars(environment, &cache, api, notify)?;
    let prepared_apps = cache.prepared_apps().join(agent::folder_name());
    let mut setup = AgentSetup {
        jdk,
        class_path,
        android_jars,
        framework: None,
        class_archive: None,
        prepared_apps,
        reloads_classes: false,
        records_samples: false,
        sandbox_layers: SandboxLayers::default(),
    };
    setup.framework = Some(framework::prepare(&setup, &cache, api, notify)?);
    setup.class_archive = class_archive::prepare(&setup, &cache, api, notify)?;
    Ok(setup)
}

/// Returns the set-up of tools that make and sign APKs, which need no API level.
pub fn set_up_packaging(
    environment: &HostEnvironment,
    notify: Notify<'_>,
) -> Result<PackagingSetup, SetupError> {
    let cache = Cache::new(environment.cache.clone());
    let class_path = agent::packaging_class_path(environment, &cache, notify)?;
    let is_framework = |jar: &&PathBuf| {
        jar.file_name().is_some_and(|name| name.to_string_lossy().starts_with(FRAMEWORK_PREFIX))
    };
    let framework = class_path.iter().find(is_framework).cloned().unwrap_or_default();
    Ok(PackagingSetup { jdk: Jdk::find(environment)?, class_path, framework, cache })
}

/// Returns true if the agent of this version of retap is built.
pub fn is_agent_built(cache: &Cache) -> bool {
    cache.find(&agent::folder_name()).is_some()
}

/// Returns the API levels whose jars are in the cache.
pub fn fetched_levels(cache: &Cache) -> Vec<u32> {
    API_LEVELS.filter(|&api| cache.find(&android::folder_name(api)).is_some()).collect()
}
