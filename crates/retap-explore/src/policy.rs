//! Policies as people write them: a name, then settings, `window,l=10,beta=0.8`.

use std::fmt::Display;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct PolicyError {
    expected: String,
    found: String,
}

pub fn by_name<P: Display + Copy>(text: &str, all: &[P]) -> Result<P, PolicyError> {
    all.iter().find(|policy| policy.to_string() == text).copied().ok_or_else(|| {
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        PolicyError { expected: format!("one of {}", names.join(", ")), found: text.into() }
    })
}

/// The name, and the settings that follow it.
pub fn split(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut parts = text.split(',').map(str::trim);
    (parts.next().unwrap_or_default(), parts)
}

/// One setting, `key=value`, if it is this key's.
pub fn setting<T: FromStr>(part: &str, key: &str, into: &mut T) -> Result<bool, PolicyError> {
    let Some((found, value)) = part.split_once('=') else { return Ok(false) };
    if found.trim() != key {
        return Ok(false);
    }
    *into = value.trim().parse().map_err(|_| unknown(&format!("{key}=NUMBER"), part))?;
    Ok(true)
}

pub fn unknown(expected: &str, found: &str) -> PolicyError {
    PolicyError { expected: expected.into(), found: found.into() }
}
