//! The classes whose coverage a run or suite counts. Coverage of two recordings can be compared only where both count
//! the same classes.

use crate::suite_folder::{self, SuiteManifest};
use crate::{DeviceSettings, Failure, run_directory};
use retap_model::format::run;
use std::path::Path;

/// The values of `--include` and `--exclude`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassFilter {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

impl ClassFilter {
    /// Returns what the run or suite in this folder counts, or `None` where it does not say.
    pub fn in_folder(folder: &Path) -> Result<Option<Self>, Failure> {
        if suite_folder::is_suite(folder) {
            let SuiteManifest { include, exclude, .. } = suite_folder::read_manifest(folder)?;
            return Ok(Some(Self { include, exclude }));
        }
        if !folder.join(run::INFO).is_file() {
            return Ok(None);
        }
        let arguments = run_directory::read_info(folder)?.arguments;
        Ok(Some(Self {
            include: flag_values(&arguments, "--include"),
            exclude: flag_values(&arguments, "--exclude"),
        }))
    }

    pub fn of(device: &DeviceSettings) -> Self {
        Self { include: device.include.clone(), exclude: device.exclude.clone() }
    }

    /// Sets the classes of a device whose settings select none.
    pub fn fill(&self, device: &mut DeviceSettings) {
        if device.include.is_empty() && device.exclude.is_empty() && !device.is_fake() {
            device.include.clone_from(&self.include);
            device.exclude.clone_from(&self.exclude);
        }
    }
}

/// Collects the values of a flag that is written `--flag VALUE` or `--flag=VALUE`.
fn flag_values(arguments: &[String], flag: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == flag {
            values.extend(words.next().cloned());
        } else if let Some(value) = word.strip_prefix(flag).and_then(|rest| rest.strip_prefix('='))
        {
            values.push(value.to_string());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_flag_are_read() {
        let words =
            ["explore", "--include", "a.b", "--include=c.*", "--included", "x", "--exclude"];
        let words = words.map(String::from);
        assert_eq!(flag_values(&words, "--include"), ["a.b", "c.*"]);
        assert!(flag_values(&words, "--exclude").is_empty());
    }
}
