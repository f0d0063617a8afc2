//! What is done with everything that exploring found, a crash or anything else: the few events that matter, how often
//! they work, and a picture of the screen before the last of them. All of it lies in the folder of what was found.

use super::pictures;
use crate::console::Console;
use crate::failure::Failure;
use crate::minimizing::{self, Judge, Memory, Minimized, Request};
use crate::trace_file;
use retap_device::{DeviceError, Lab, Rig};
use retap_minimize::{Budget, Options, Prior};
use retap_model::format::run;
use retap_model::format::trace::Header;
use retap_model::{Abstraction, Event, Rate, Trace};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};

/// For each; a longer search is `retap minimize`.
const TIME: Duration = Duration::from_secs(60);
const CALLS: u64 = 300;
const WORLDS: u32 = 10;

/// `minimized.json`: what the summary says of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Brief {
    pub events: u64,
    pub success: Rate,
    pub oracle_calls: u64,
    pub steps: Vec<String>,
}

/// What an earlier call of [`minimize`] found.
pub fn read_brief(folder: &Path) -> Option<Brief> {
    run::read_json(&folder.join("minimized.json"), "what was minimised").ok()
}

/// Minimises the trace kept in this folder, unless that was done before.
pub fn minimize(
    lab: &mut Lab<'_>,
    folder: &Path,
    judge: &Judge,
    console: &Console,
) -> Result<(), Failure> {
    if read_brief(folder).is_some() {
        return Ok(());
    }
    let (header, trace) = trace_file::read(&folder.join(run::TRACE).display().to_string())?;
    let minimized = search(lab, judge, &header, &trace, console)?;
    let answer = folder.join("minimized.jsonl");
    run::write_whole(&answer, &trace_file::to_bytes(&header, &minimized.trace)?)?;
    let brief = Brief {
        events: minimized.trace.steps.len() as u64,
        success: minimized.success,
        oracle_calls: minimized.outcome.cost.oracle_calls,
        steps: minimized.trace.events().map(ToString::to_string).collect(),
    };
    run::write_json(&folder.join("minimized.json"), &brief)?;
    picture(lab.rig(), &minimized.trace, folder)
}

/// `last.png`: the screen on which the last event was done.
pub fn picture(rig: &mut Rig<'_>, trace: &Trace, folder: &Path) -> Result<(), Failure> {
    let Some(before) = trace.steps.len().checked_sub(1) else { return Ok(()) };
    if !rig.device()?.describe().screenshots {
        return Ok(());
    }
    let events: Vec<Event> = trace.events().take(before).cloned().collect();
    rig.go_to(trace.world_seed, &events, &|_, _| false)?;
    pictures::take(rig, &folder.join("last.png"))?;
    rig.leave();
    Ok(())
}

fn search(
    lab: &mut Lab<'_>,
    judge: &Judge,
    header: &Header,
    trace: &Trace,
    console: &Console,
) -> Result<Minimized, Failure> {
    let budget = Budget { oracle_calls: Some(CALLS), ..Budget::default() };
    let request = Request {
        header,
        trace,
        judge: judge.clone(),
        options: Options { budget, ..Options::default() },
        vary_world: false,
        hierarchy: Abstraction::Activity,
        simplify: true,
        launch_at: false,
        worlds: WORLDS,
        prior: Prior::default(),
        deadline: Some(Instant::now() + TIME),
    };
    let progress = console.progress(None);
    let minimized =
        minimizing::minimize(lab, &request, &mut Memory::default(), &mut |best, calls| {
            let (before, after) = (trace.steps.len(), best.len());
            progress
                .update(calls, format!("minimising {}: {before} → {after} events", judge.oracle));
        })?;
    if minimized.is_interrupted() {
        // To be done anew when the run is taken up, not kept half done.
        return Err(Failure::Device(DeviceError::Interrupted));
    }
    Ok(minimized)
}
