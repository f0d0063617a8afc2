//! Parses policies as people write them: a name, then settings, such as `window,l=10,beta=0.8`.

use std::fmt::Display;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct PolicyError {
    expected: String,
    found: String,
}

impl PolicyError {
    pub fn new(expected: &str, found: &str) -> Self {
        Self { expected: expected.into(), found: found.into() }
    }
}

/// Returns the value whose name is `text`.
pub fn parse_name<P: Display + Copy>(text: &str, values: &[P]) -> Result<P, PolicyError> {
    values.iter().find(|value| value.to_string() == text).copied().ok_or_else(|| {
        let names: Vec<String> = values.iter().map(ToString::to_string).collect();
        PolicyError::new(&format!("one of {}", names.join(", ")), text)
    })
}

/// Splits a policy into its name and the settings that follow it.
pub fn split_settings(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut parts = text.split(',').map(str::trim);
    (parts.next().unwrap_or_default(), parts)
}

/// Parses a setting `key=value` into `value`. Returns false if the setting has another key.
pub fn parse_setting<T: FromStr>(
    setting: &str,
    key: &str,
    value: &mut T,
) -> Result<bool, PolicyError> {
    let Some((found_key, text)) = setting.split_once('=') else { return Ok(false) };
    if found_key.trim() != key {
        return Ok(false);
    }
    *value =
        text.trim().parse().map_err(|_| PolicyError::new(&format!("{key}=NUMBER"), setting))?;
    Ok(true)
}
