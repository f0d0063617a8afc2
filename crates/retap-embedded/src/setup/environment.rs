//! The environment variables and usual folders of this machine. They are read in one place, so that
//! tests can use made-up ones.

use crate::setup::SetupError;
use std::path::PathBuf;

/// The locations of the cache, of JDKs and of Maven on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostEnvironment {
    pub cache: PathBuf,
    pub java_home: Option<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// Folders that hold one folder per JDK.
    pub jdk_folders: Vec<PathBuf>,
    /// Folders that may hold `mvn` outside of `PATH`.
    pub maven_folders: Vec<PathBuf>,
    /// A Maven repository to add if the user's settings do not suffice.
    pub repository: Option<String>,
}

impl HostEnvironment {
    /// Reads the environment variables of this process.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads variables")]
    pub fn from_process() -> Result<Self, SetupError> {
        let home = folder("HOME");
        let in_home = |name: &str| home.as_ref().map(|home| home.join(name));
        let cache = folder("RETAP_CACHE")
            .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("retap")))
            .or_else(|| in_home(".cache/retap"))
            .ok_or(SetupError::NoCache)?;
        let cache = std::path::absolute(&cache)
            .map_err(|source| SetupError::Cache { path: cache, source })?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let system_jdks =
            ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"];
        let own_jdks = [".sdkman/candidates/java", ".asdf/installs/java", ".jdks"];
        let mavens = ["MAVEN_HOME", "M2_HOME"].into_iter().filter_map(folder);
        let sdkman = in_home(".sdkman/candidates/maven/current");
        Ok(Self {
            cache,
            java_home: folder("JAVA_HOME"),
            path: std::env::split_paths(&path).collect(),
            jdk_folders: system_jdks
                .iter()
                .map(PathBuf::from)
                .chain(own_jdks.iter().filter_map(|name| in_home(name)))
                .collect(),
            maven_folders: mavens
                .chain(sdkman)
                .chain(["/usr/share/maven", "/opt/maven"].map(PathBuf::from))
                .map(|maven| maven.join("bin"))
                .collect(),
            repository: std::env::var("RETAP_MAVEN_REPOSITORY").ok().filter(|url| !url.is_empty()),
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads variables")]
fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
