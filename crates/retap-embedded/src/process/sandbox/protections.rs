//! What protects this machine from apps, in words.

/// The layers that this machine has, and what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Protections {
    pub layers: Vec<String>,
    /// Empty if the sandbox is complete.
    pub missing: Vec<String>,
}

/// Finds out what this machine has.
#[cfg(target_os = "linux")]
pub fn protections() -> Protections {
    use super::{landlock, seccomp, trial};
    let landlock = landlock::version();
    let mut found = Protections::default();
    match trial::try_namespaces() {
        Ok(()) => found.layers.push("namespaces".into()),
        Err(reason) => found.missing.push(format!(
            "no namespaces ({reason}): an app can see which files and processes exist, and cannot set modes and times of its own files"
        )),
    }
    if landlock > 0 {
        found.layers.push(format!("Landlock {landlock}"));
    }
    found.missing.extend(missing_of_landlock(landlock));
    if seccomp::is_supported() {
        found.layers.push("seccomp".into());
    } else {
        found.missing.push("no seccomp filters: sockets and processes are not refused".into());
    }
    found
}

#[cfg(target_os = "linux")]
fn missing_of_landlock(version: i32) -> Option<String> {
    let uncovered = super::landlock::uncovered(version).join(", ");
    match version {
        _ if uncovered.is_empty() => None,
        ..=0 => Some(format!("no Landlock in this kernel: it does not guard {uncovered}")),
        _ => Some(format!("Landlock {version} is older than 6: it does not guard {uncovered}")),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn protections() -> Protections {
    let missing = vec!["apps are not confined: the sandbox needs Linux".into()];
    Protections { layers: Vec::new(), missing }
}
