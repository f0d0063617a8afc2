//! The run directory of a minimisation: created, or opened to resume.

use super::super::{cannot_resume, fresh_directory, resumed_verb};
use crate::cli::{MinimizeArgs, Verb};
use crate::log;
use retap_engine::{Failure, trace_file};
use retap_model::Trace;
use retap_model::format::run::{self, Lock, RunInfo};
use retap_model::format::trace::Header;
use std::path::{Path, PathBuf};

/// Creates the run directory, or opens it to resume. The lock is held while it is in use.
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

/// Returns the arguments of the run to resume. New limits replace the recorded ones.
pub fn resumed_arguments(given: &MinimizeArgs) -> Result<MinimizeArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    match resumed_verb(&dir)?.0 {
        Some(Verb::Minimize(args)) => {
            let budget = given.budget.or(args.budget);
            let time = given.time.or(args.time);
            Ok(MinimizeArgs { output: given.output.clone(), resume: true, budget, time, ..*args })
        }
        _ => Err(cannot_resume(&dir, "minimize")),
    }
}

/// Writes a trace whole, or not at all.
pub fn write_trace(path: &Path, header: &Header, trace: &Trace) -> Result<(), Failure> {
    Ok(run::write_whole(path, &trace_file::to_bytes(header, trace)?)?)
}
