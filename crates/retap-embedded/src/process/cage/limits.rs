//! How much the process may take, and that it may do nothing a plain user may not.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use std::io;

const MEGABYTE: u64 = 1 << 20;

/// The Java heap is bounded by Java; these are for what is beside it, and far enough away that an app
/// meets Java's own limit, and its own OutOfMemoryError, first.
const MOST: [(Resource, u64); 5] = [
    // Memory that can be written.
    (Resource::Data, 3072 * MEGABYTE),
    // Reserved addresses, of which a JVM uses a small part.
    (Resource::As, 12 * 1024 * MEGABYTE),
    (Resource::Fsize, 1024 * MEGABYTE),
    (Resource::Nofile, 4096),
    (Resource::Core, 0),
];

#[derive(Debug)]
pub struct Limits([(Resource, Rlimit); MOST.len()]);

impl Limits {
    /// Where this process has lower limits, those stay.
    pub fn here() -> Self {
        Self(MOST.map(|(resource, most)| {
            let maximum = getrlimit(resource).maximum;
            let least = Some(maximum.map_or(most, |maximum| maximum.min(most)));
            (resource, Rlimit { current: least, maximum: least })
        }))
    }

    pub fn set(&self) -> io::Result<()> {
        for (resource, limit) in &self.0 {
            setrlimit(*resource, *limit)?;
        }
        Ok(())
    }
}

/// A process of root's is root in name only.
pub fn drop_privileges() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(set_capabilities(None, sets)?)
}
