//! What is done with every crash that exploring found: the few events that matter, how often they
//! work, and a picture of the screen before the last of them.

use super::pictures;
use crate::console::Console;
use crate::failure::Failure;
use crate::minimizing::{self, Judge, Memory, Minimized, Request};
use crate::trace_file;
use retap_device::{Lab, Rig};
use retap_minimize::{Budget, Options, Prior};
use retap_model::format::run;
use retap_model::format::trace::Header;
use retap_model::{Abstraction, App, CrashId, Event, Oracle, Rate, Trace};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// For one crash; a longer search is `retap minimize`.
const TIME: Duration = Duration::from_secs(60);
const CALLS: u64 = 300;
const WORLDS: u32 = 10;

/// `crashes/ID/minimized.json`: what the summary says of a minimised crash.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Brief {
    pub events: u64,
    pub success: Rate,
    pub oracle_calls: u64,
    pub steps: Vec<String>,
}

pub fn folder(run: &Path, id: CrashId) -> PathBuf {
    run.join("crashes").join(id.to_string())
}

/// What an earlier call of [`minimize`] found.
pub fn read_brief(run: &Path, id: CrashId) -> Option<Brief> {
    run::read_json(&folder(run, id).join("minimized.json"), "a minimised crash").ok()
}

/// Minimises the crash kept under this id, unless that was done before.
pub fn minimize(
    lab: &mut Lab<'_>,
    app: &App,
    run: &Path,
    id: CrashId,
    console: &Console,
) -> Result<(), Failure> {
    let folder = folder(run, id);
    let (header, trace) = trace_file::read(&folder.join(run::TRACE).display().to_string())?;
    if read_brief(run, id).is_none() {
        let minimized = search(lab, app, id, &header, &trace, console)?;
        let answer = folder.join("minimized.jsonl");
        run::write_whole(&answer, &trace_file::to_bytes(&header, &minimized.trace)?)?;
        let brief = Brief {
            events: minimized.trace.steps.len() as u64,
            success: minimized.success,
            oracle_calls: minimized.outcome.cost.oracle_calls,
            steps: minimized.trace.events().map(ToString::to_string).collect(),
        };
        run::write_json(&folder.join("minimized.json"), &brief)?;
        picture(lab.rig(), &minimized.trace, &folder.join("last.png"))?;
    }
    Ok(())
}

/// `last.png`: the screen on which the last event was done.
pub fn picture(rig: &mut Rig<'_>, trace: &Trace, path: &Path) -> Result<(), Failure> {
    let Some(before) = trace.steps.len().checked_sub(1) else { return Ok(()) };
    if !rig.device()?.describe().screenshots {
        return Ok(());
    }
    let events: Vec<Event> = trace.events().take(before).cloned().collect();
    rig.go_to(trace.world_seed, &events, &|_, _| false)?;
    pictures::take(rig, path)?;
    rig.leave();
    Ok(())
}

fn search(
    lab: &mut Lab<'_>,
    app: &App,
    id: CrashId,
    header: &Header,
    trace: &Trace,
    console: &Console,
) -> Result<Minimized, Failure> {
    let budget = Budget { oracle_calls: Some(CALLS), ..Budget::default() };
    let request = Request {
        header,
        trace,
        judge: Judge::new(Oracle::Crash(Some(id)), app, header.abstraction),
        options: Options { budget, ..Options::default() },
        vary_world: false,
        hierarchy: Abstraction::Activity,
        simplify: true,
        worlds: WORLDS,
        prior: Prior::default(),
        deadline: Some(Instant::now() + TIME),
    };
    let progress = console.progress(None);
    minimizing::minimize(lab, &request, &mut Memory::default(), &mut |best, calls| {
        let (before, after) = (trace.steps.len(), best.len());
        progress.update(calls, format!("minimising {id}: {before} → {after} events"));
    })
}
