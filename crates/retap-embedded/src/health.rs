//! What this machine has for the embedded device, what is missing, and how to get it.

use crate::process;
use crate::setup::{self, API_LEVELS, Cache, Jdk, Machine, Maven};
use std::fs;
use std::path::Path;

/// One device's worth; a run with several needs as many times that.
const MEMORY_MB: u64 = 1000;
/// The agent's libraries, one Android jar, and the same again in Maven's repository.
const DISK_MB: u64 = 1500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub what: &'static str,
    pub ok: bool,
    pub found: String,
    /// What to do about it; empty when there is nothing to do.
    pub advice: String,
}

impl Finding {
    pub(crate) fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, ok: true, found: found.into(), advice: String::new() }
    }

    pub(crate) fn bad(
        what: &'static str,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { what, ok: false, found: found.into(), advice: advice.into() }
    }
}

/// Looks at everything and changes nothing.
pub fn examine() -> Vec<Finding> {
    let machine = match Machine::here() {
        Ok(machine) => machine,
        Err(error) => return vec![Finding::bad("cache", error.to_string(), "set RETAP_CACHE")],
    };
    let cache = Cache::new(machine.cache.clone());
    let built = setup::is_agent_built(&cache);
    let levels = setup::fetched_levels(&cache);
    vec![
        jdk(&machine),
        maven(&machine, built),
        agent(&cache, built),
        android(&levels),
        disk(cache.root(), built),
        memory(),
        containment(&process::gaps()),
    ]
}

fn jdk(machine: &Machine) -> Finding {
    match Jdk::find(machine) {
        Ok(jdk) => Finding::good("JDK", jdk.to_string()),
        Err(error) => Finding::bad(
            "JDK",
            error.to_string(),
            "on Debian or Ubuntu: apt install openjdk-17-jdk",
        ),
    }
}

fn maven(machine: &Machine, built: bool) -> Finding {
    match Maven::find(machine, "the embedded device") {
        Ok(maven) => Finding::good("Maven", maven.program.display().to_string()),
        Err(error) if built => Finding {
            advice: "needed again only for another API level or another version of retap".into(),
            ..Finding::good("Maven", error.to_string())
        },
        Err(error) => {
            Finding::bad("Maven", error.to_string(), "on Debian or Ubuntu: apt install maven")
        }
    }
}

fn agent(cache: &Cache, built: bool) -> Finding {
    let root = cache.root().display();
    if built {
        return Finding::good("agent", format!("built, in {root}"));
    }
    let advice = "the first run builds it through Maven, which takes a minute and the network";
    Finding { advice: advice.into(), ..Finding::good("agent", format!("not built yet in {root}")) }
}

fn android(levels: &[u32]) -> Finding {
    let (oldest, newest) = (API_LEVELS.start(), API_LEVELS.end());
    if levels.is_empty() {
        let advice =
            format!("each of the API levels {oldest} to {newest} is fetched when first used");
        return Finding { advice, ..Finding::good("Android", "no API level fetched yet") };
    }
    let levels: Vec<String> = levels.iter().map(u32::to_string).collect();
    Finding::good("Android", format!("API levels {} of {oldest} to {newest}", levels.join(", ")))
}

fn disk(cache: &Path, built: bool) -> Finding {
    // The cache may not exist yet: ask for the nearest folder above it that does.
    let space = cache.ancestors().find_map(|folder| rustix::fs::statvfs(folder).ok());
    let Some(space) = space else {
        return Finding::bad("disk", "the cache's disk cannot be asked", "set RETAP_CACHE");
    };
    let free = (space.f_bavail * space.f_frsize) >> 20;
    let found = format!("{free} MB free for {}", cache.display());
    if built || free >= DISK_MB {
        return Finding::good("disk", found);
    }
    let advice =
        format!("the first run needs about {DISK_MB} MB; RETAP_CACHE can name another place");
    Finding::bad("disk", found, advice)
}

fn memory() -> Finding {
    match fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_mb(&text)) {
        None => Finding::good("memory", "unknown on this system"),
        Some(free) if free >= MEMORY_MB => Finding::good(
            "memory",
            format!("{free} MB free, enough for {} devices", free / MEMORY_MB),
        ),
        Some(free) => {
            let advice = format!("a device wants up to {MEMORY_MB} MB: close something");
            Finding::bad("memory", format!("{free} MB free"), advice)
        }
    }
}

/// Apps run without it too, so it is said and not held against the machine.
fn containment(gaps: &[&str]) -> Finding {
    if gaps.is_empty() {
        return Finding::good(
            "containment",
            "apps see no file, network or process of this machine",
        );
    }
    let advice = "run only apps that you would run on this machine anyway".into();
    Finding { advice, ..Finding::good("containment", gaps.join("; ")) }
}

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
    fn what_containment_lacks_is_named() {
        assert!(containment(&[]).advice.is_empty());
        let finding = containment(&["no walls", "no roof"]);
        assert_eq!(finding.found, "no walls; no roof");
        assert!(!finding.advice.is_empty());
    }

    #[test]
    fn a_disk_is_found_for_a_cache_that_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        let finding = disk(&dir.path().join("not/yet"), true);
        assert!(finding.ok, "{finding:?}");
    }

    #[test]
    fn a_missing_maven_matters_only_while_something_must_be_built() {
        assert!(!maven(&Machine::default(), false).ok);
        assert!(maven(&Machine::default(), true).ok);
    }
}
