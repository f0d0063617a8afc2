//! The run directory of a minimisation: begun, or taken up again.

use super::super::{cannot_resume, fresh_directory, recorded_arguments};
use crate::cli::{Cli, MinimizeArgs, Verb};
use crate::failure::Failure;
use crate::{log, trace_file};
use clap::Parser;
use retap_model::Trace;
use retap_model::format::run::{self, Lock, RunInfo};
use retap_model::format::trace::Header;
use std::path::{Path, PathBuf};

pub fn open(args: &MinimizeArgs, header: &Header, apk: &Path) -> Result<(PathBuf, Lock), Failure> {
    let info = RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: "minimize".into(),
        arguments: std::env::args().skip(1).collect(),
        seed: 0,
        world_seed: header.world_seed,
        app: header.app.clone(),
        apk: apk.display().to_string(),
        device: header.device.clone(),
        api: header.api,
        display: header.display,
        outside: header.outside.clone(),
        abstraction: header.abstraction,
    };
    let dir = args.output.output.clone().unwrap_or_else(|| fresh_directory(&info.app.package));
    let lock = if args.resume {
        Lock::resume(&dir)?
    } else {
        let lock = Lock::create(&dir)?;
        run::write_json(&dir.join(run::INFO), &info)?;
        lock
    };
    log::open(&dir).map_err(run::RunError::io(&dir))?;
    Ok((dir, lock))
}

/// The arguments that the run in the directory was started with.
pub fn take_up(given: &MinimizeArgs) -> Result<MinimizeArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    match Cli::try_parse_from(recorded_arguments(&dir)?) {
        Ok(Cli { verb: Verb::Minimize(args), .. }) => {
            let budget = given.budget.or(args.budget);
            let time = given.time.or(args.time);
            Ok(MinimizeArgs { output: given.output.clone(), resume: true, budget, time, ..*args })
        }
        _ => Err(cannot_resume(&dir, "minimize")),
    }
}

pub fn keep(path: &Path, header: &Header, trace: &Trace) -> Result<(), Failure> {
    Ok(run::write_whole(path, &trace_file::to_bytes(header, trace)?)?)
}
