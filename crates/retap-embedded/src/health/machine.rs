//! Checks whether this machine has everything the embedded device needs.

use super::HealthCheck;
use crate::process::{self, Protections};
use crate::setup::{self, API_LEVELS, Cache, HostEnvironment, Jdk, Maven};
use std::fs;
use std::path::Path;

/// The memory of one device. A run with several needs as many times that.
const MEMORY_MB: u64 = 1000;
/// The disk space of the agent's libraries, one Android jar, and copies of both in Maven's repository.
const DISK_MB: u64 = 1500;

/// Checks everything and changes nothing.
pub fn check_machine() -> Vec<HealthCheck> {
    let environment = match HostEnvironment::from_process() {
        Ok(environment) => environment,
        Err(error) => {
            return vec![HealthCheck::failed("cache", error.to_string(), "set RETAP_CACHE")];
        }
    };
    let cache = Cache::new(environment.cache.clone());
    let is_built = setup::is_agent_built(&cache);
    let levels = setup::fetched_levels(&cache);
    vec![
        check_jdk(&environment),
        check_maven(&environment, is_built),
        check_agent(&cache, is_built),
        check_android(&levels),
        check_disk(cache.root(), is_built),
        check_memory(),
        check_sandbox(&process::protections()),
    ]
}

fn check_jdk(environment: &HostEnvironment) -> HealthCheck {
    match Jdk::find(environment) {
        Ok(jdk) => HealthCheck::passed("JDK", jdk.to_string()),
        Err(error) => HealthCheck::failed(
            "JDK",
            error.to_string(),
            "on Debian or Ubuntu: apt install openjdk-17-jdk",
        ),
    }
}

fn check_maven(environment: &HostEnvironment, is_built: bool) -> HealthCheck {
    match Maven::find(environment, "the embedded device") {
        Ok(maven) => HealthCheck::passed("Maven", maven.program.display().to_string()),
        Err(error) if is_built => HealthCheck::passed("Maven", error.to_string())
            .with_advice("needed again only for another API level or another version of retap"),
        Err(error) => HealthCheck::failed(
            "Maven",
            error.to_string(),
            "on Debian or Ubuntu: apt install maven",
        ),
    }
}

fn check_agent(cache: &Cache, is_built: bool) -> HealthCheck {
    let root = cache.root().display();
    if is_built {
        return HealthCheck::passed("agent", format!("built, in {root}"));
    }
    let advice = "the first run builds it through Maven, which takes a minute and the network";
    HealthCheck::passed("agent", format!("not built yet in {root}")).with_advice(advice)
}

fn check_android(levels: &[u32]) -> HealthCheck {
    let (oldest, newest) = (API_LEVELS.start(), API_LEVELS.end());
    if levels.is_empty() {
        let advice =
            format!("each of the API levels {oldest} to {newest} is fetched when first used");
        return HealthCheck::passed("Android", "no API level fetched yet").with_advice(advice);
    }
    let levels: Vec<String> = levels.iter().map(u32::to_string).collect();
    HealthCheck::passed(
        "Android",
        format!("API levels {} of {oldest} to {newest}", levels.join(", ")),
    )
}

fn check_disk(cache: &Path, is_built: bool) -> HealthCheck {
    // The cache may not exist yet, so this asks for the nearest existing folder above it.
    let space = cache.ancestors().find_map(|folder| rustix::fs::statvfs(folder).ok());
    let Some(space) = space else {
        return HealthCheck::failed(
            "disk",
            "the free space for the cache is unknown",
            "set RETAP_CACHE",
        );
    };
    let free = (space.f_bavail * space.f_frsize) >> 20;
    let found = format!("{free} MB free for {}", cache.display());
    if is_built || free >= DISK_MB {
        return HealthCheck::passed("disk", found);
    }
    let advice =
        format!("the first run needs about {DISK_MB} MB; RETAP_CACHE can name another place");
    HealthCheck::failed("disk", found, advice)
}

fn check_memory() -> HealthCheck {
    match fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_mb(&text)) {
        None => HealthCheck::passed("memory", "unknown on this system"),
        Some(free) if free >= MEMORY_MB => HealthCheck::passed(
            "memory",
            format!("{free} MB free, enough for {} devices", free / MEMORY_MB),
        ),
        Some(free) => {
            let advice = format!("a device needs up to {MEMORY_MB} MB: close other programs");
            HealthCheck::failed("memory", format!("{free} MB free"), advice)
        }
    }
}

/// Reports missing protections as advice and not as a failure, because apps run without them too.
fn check_sandbox(Protections { layers, missing }: &Protections) -> HealthCheck {
    let layers = if layers.is_empty() { "nothing".to_string() } else { layers.join(", ") };
    if missing.is_empty() {
        let found = format!("{layers}: apps see no file, network or process of this machine");
        return HealthCheck::passed("sandbox", found);
    }
    HealthCheck::passed("sandbox", format!("{layers}; {}", missing.join("; ")))
        .with_advice("run only apps that you would run on this machine anyway")
}

/// Returns the available memory of `/proc/meminfo`.
fn available_mb(meminfo: &str) -> Option<u64> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_in_megabytes() {
        let text = "MemTotal: 99 kB\nMemAvailable:   2097152 kB\n";
        assert_eq!(available_mb(text), Some(2048));
        assert_eq!(available_mb("MemAvailable: much"), None);
    }

    #[test]
    fn layers_and_missing_protections_are_named() {
        let layers = vec!["Landlock 7".to_string()];
        let complete = check_sandbox(&Protections { layers, missing: Vec::new() });
        assert!(complete.advice.is_empty() && complete.found.contains("Landlock 7"));
        let missing = vec!["no Landlock".into(), "no seccomp".into()];
        let check = check_sandbox(&Protections { layers: Vec::new(), missing });
        assert_eq!(check.found, "nothing; no Landlock; no seccomp");
        assert!(!check.advice.is_empty());
    }

    #[test]
    fn free_space_is_found_for_a_cache_that_does_not_exist_yet() {
        let dir = tempfile::tempdir().unwrap();
        let check = check_disk(&dir.path().join("not/yet"), true);
        assert!(check.ok, "{check:?}");
    }

    #[test]
    fn a_missing_maven_matters_only_while_something_must_be_built() {
        assert!(!check_maven(&HostEnvironment::default(), false).ok);
        assert!(check_maven(&HostEnvironment::default(), true).ok);
    }
}
