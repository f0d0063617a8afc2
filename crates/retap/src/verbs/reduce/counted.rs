//! Which classes a run or suite counted the coverage of: what it covered can be compared only where the
//! same ones are counted again.

use super::super::recorded_arguments;
use crate::cli::{Cli, DeviceArgs, Verb};
use crate::failure::Failure;
use crate::suite_folder;
use clap::Parser;
use retap_model::format::run;
use std::path::Path;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

impl Counted {
    /// As the run or suite in this folder counted; nothing where it does not say.
    pub fn in_folder(folder: &Path) -> Result<Option<Self>, Failure> {
        if suite_folder::is_suite(folder) {
            let suite_folder::Manifest { include, exclude, .. } = suite_folder::manifest(folder)?;
            return Ok(Some(Self { include, exclude }));
        }
        if !folder.join(run::INFO).is_file() {
            return Ok(None);
        }
        // Other verbs, and runs of other versions, leave arguments that say nothing of it.
        Ok(match Cli::try_parse_from(recorded_arguments(folder)?).map(|cli| cli.verb) {
            Ok(Verb::Explore(args)) => Some(Self::of(&args.device)),
            Ok(Verb::Minimize(args)) => Some(Self::of(&args.device)),
            _ => None,
        })
    }

    pub fn of(device: &DeviceArgs) -> Self {
        Self { include: device.include.clone(), exclude: device.exclude.clone() }
    }

    /// These, where the flags choose none.
    pub fn fill(&self, device: &mut DeviceArgs) {
        if device.include.is_empty() && device.exclude.is_empty() && !device.is_fake() {
            device.include.clone_from(&self.include);
            device.exclude.clone_from(&self.exclude);
        }
    }
}
