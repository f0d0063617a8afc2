//! The evidence for a crash or a finding: its minimised trace, its success rate and a screenshot, kept in its folder.

use super::screenshots;
use crate::minimize::{self, AnswerLog, Judge, MinimizeRequest, MinimizedTrace};
use crate::{Context, Failure, trace_file};
use retap_device::{DeviceError, Lab, Rig};
use retap_minimize::{MinimizeOptions, Prior, SearchBudget};
use retap_model::format::run::{self, minimize_summary::MinimizedRecord};
use retap_model::format::trace::Header;
use retap_model::{Abstraction, Event, Trace};
use std::path::Path;
use std::time::{Duration, Instant};

/// Limits for each trace. `retap minimize` searches longer.
const MAX_TIME: Duration = Duration::from_secs(60);
const MAX_ORACLE_CALLS: u64 = 300;
/// World seeds in which the answer's success rate is measured.
const FRESH_WORLDS: u32 = 10;

/// Reads the record that an earlier call of [`minimize`] wrote.
pub fn read_record(folder: &Path) -> Option<MinimizedRecord> {
    run::read_json(&folder.join(MinimizedRecord::FILE), "the record of a minimised trace").ok()
}

/// Minimises the trace kept in this folder, unless that was done before.
pub fn minimize(
    lab: &mut Lab<'_>,
    folder: &Path,
    judge: &Judge,
    context: Context<'_>,
) -> Result<(), Failure> {
    if read_record(folder).is_some() {
        return Ok(());
    }
    let (header, trace) = trace_file::read(&folder.join(run::TRACE).display().to_string())?;
    let minimized = search(lab, judge, &header, &trace, context)?;
    let answer = folder.join("minimized.jsonl");
    run::write_whole(&answer, &trace_file::to_bytes(&header, &minimized.trace)?)?;
    let record = MinimizedRecord {
        events: minimized.trace.steps.len() as u64,
        success: minimized.success,
        oracle_calls: minimized.outcome.cost.oracle_calls,
        steps: minimized.trace.events().map(ToString::to_string).collect(),
    };
    run::write_json(&folder.join(MinimizedRecord::FILE), &record)?;
    picture_last_screen(lab.rig(), &minimized.trace, folder)
}

/// Writes `last.png`: the screen on which the last event acts.
pub fn picture_last_screen(rig: &mut Rig<'_>, trace: &Trace, folder: &Path) -> Result<(), Failure> {
    let Some(before) = trace.steps.len().checked_sub(1) else { return Ok(()) };
    if !rig.describe()?.screenshots {
        return Ok(());
    }
    let events: Vec<Event> = trace.events().take(before).cloned().collect();
    rig.go_to(trace.world_seed, &events, &|_, _| false)?;
    screenshots::take(rig, &folder.join("last.png"))?;
    rig.forget_position();
    Ok(())
}

fn search(
    lab: &mut Lab<'_>,
    judge: &Judge,
    header: &Header,
    trace: &Trace,
    context: Context<'_>,
) -> Result<MinimizedTrace, Failure> {
    let budget = SearchBudget { oracle_calls: Some(MAX_ORACLE_CALLS), ..SearchBudget::default() };
    let request = MinimizeRequest {
        header,
        trace,
        judge: judge.clone(),
        options: MinimizeOptions { budget, ..MinimizeOptions::default() },
        vary_world: false,
        hierarchy: Abstraction::Activity,
        simplify: true,
        launch_at_activity: false,
        fresh_worlds: FRESH_WORLDS,
        prior: Prior::default(),
        deadline: Some(Instant::now() + MAX_TIME),
    };
    let progress = context.progress(None);
    let before = trace.steps.len();
    let mut answers = AnswerLog::default();
    let minimized = minimize::minimize(lab, &request, &mut answers, &mut |best, calls| {
        let after = best.len();
        progress.update(calls, format!("minimising {}: {before} → {after} events", judge.oracle));
    })?;
    if minimized.is_interrupted() {
        // An unfinished answer is not kept: a resumed run minimises the trace again.
        return Err(Failure::Device(DeviceError::Interrupted));
    }
    Ok(minimized)
}
