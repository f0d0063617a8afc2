//! Checks that this device does not pass yet, and why.

/// The name of a check, the API levels at which it fails (none: all of them), and the reason.
pub const KNOWN: &[(&str, &[u32], &str)] = &[];
