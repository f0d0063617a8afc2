//! Limits on memory, files and privileges of the process.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use std::io;

const MEGABYTE: u64 = 1 << 20;

/// Limits for everything outside the Java heap, which Java itself bounds. They are generous enough
/// that an app meets Java's own limit, and its own OutOfMemoryError, first.
const MAXIMA: [(Resource, u64); 5] = [
    // Writable memory.
    (Resource::Data, 3072 * MEGABYTE),
    // Reserved addresses, of which a JVM uses only a small share.
    (Resource::As, 12 * 1024 * MEGABYTE),
    (Resource::Fsize, 1024 * MEGABYTE),
    (Resource::Nofile, 4096),
    (Resource::Core, 0),
];

/// The limits to set on the process.
#[derive(Debug)]
pub struct ResourceLimits([(Resource, Rlimit); MAXIMA.len()]);

impl ResourceLimits {
    /// Returns the limits. A lower limit of this process stays.
    pub fn for_this_process() -> Self {
        Self(MAXIMA.map(|(resource, allowed)| {
            let maximum = getrlimit(resource).maximum;
            let limit = Some(maximum.map_or(allowed, |maximum| maximum.min(allowed)));
            (resource, Rlimit { current: limit, maximum: limit })
        }))
    }

    pub fn set(&self) -> io::Result<()> {
        for (resource, limit) in &self.0 {
            setrlimit(*resource, *limit)?;
        }
        Ok(())
    }
}

/// Drops all capabilities, so that even a process of root has none.
pub fn drop_privileges() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(set_capabilities(None, sets)?)
}
