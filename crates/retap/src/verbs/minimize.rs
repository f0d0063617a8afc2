//! `retap minimize`.

mod directory;
mod question;
mod screenshots;
mod summary;

use super::fleet::{LabRequest, open_lab};
use super::report;
use crate::cli::MinimizeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use directory::write_trace;
use retap_device::Lab;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::minimize::{
    self, AnswerLog, FreshWorlds, LearnedStore, MinimizeRequest, MinimizedTrace,
};
use retap_engine::{Failure, Reporter, same_app, trace_file};
use retap_model::format::run::{self, minimize_summary::MinimizeEnded};
use retap_model::format::trace::Header;
use retap_model::{Oracle, Trace};
use std::path::Path;
use std::time::Instant;
use summary::{render, summarize};

pub fn run(args: &MinimizeArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let args = &if args.resume { directory::resumed_arguments(args)? } else { args.clone() };
    let name = args.trace.clone().unwrap_or_default();
    let (header, trace) = trace_file::read(&name)?;
    let oracle = question::oracle(args, &trace, &name)?;
    let settings = args.device.settings().as_recorded(&header);
    let named = NamedTrace { name: &name, header: &header };
    let apk = args.app.apk.as_deref();
    let connection = connect_for_trace(&settings, apk, named, console.context())?;
    let wanted = LabRequest::new("minimize", &settings, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    // Setting up the device does not use up `--time`.
    let started = Instant::now();
    same_app::check(&header, &app, args.force, console.context())?;

    let (dir, _lock) = directory::open(args, &header, &connection.apk)?;
    let store = LearnedStore::open();
    let request = MinimizeRequest {
        header: &header,
        trace: &trace,
        judge: question::judge(args, oracle, &app, &header)?,
        options: question::options(args, &store, console)?,
        vary_world: args.vary_world,
        hierarchy: args.hierarchy,
        simplify: !args.no_simplify,
        launch_at_activity: args.launch_at_activity,
        fresh_worlds: FreshWorlds::all(args.worlds),
        prior: store.prior(),
        deadline: args.time.map(|time| started + time),
    };
    question::warn_of_flaky_program(&mut lab, &request, console)?;
    let result = search(&mut lab, &request, &dir, console);
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    let mut minimized = result?;
    let answer = dir.join(ANSWER);
    write_trace(&answer, &header, &minimized.trace)?;
    store.refine_prior(&minimized.outcome.observed)?;
    let summary = summarize(&header, &request, &minimized, &lab, &answer, started);
    run::write_json(&dir.join(run::RESULT), &summary)?;
    if !minimized.is_interrupted() {
        take_screenshots(&mut lab, &dir, &header, &mut minimized.trace, console);
    }
    report::write_at_end(&dir, &args.page, console);
    console.json(&summary);
    console.result(&render(&summary, &dir.join("report.html"), console.paint()));
    Ok(match (&request.judge.oracle, summary.ended) {
        (_, MinimizeEnded::Interrupted) => Exit::Interrupted,
        (Oracle::Crash(_) | Oracle::NotResponding, _) => Exit::Found,
        _ => Exit::Clean,
    })
}

/// The file of the answer in the run directory.
const ANSWER: &str = "minimized.jsonl";

/// Minimises, shows progress and keeps the best answer so far on disk.
fn search(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    dir: &Path,
    console: &Console,
) -> Result<MinimizedTrace, Failure> {
    let trace = request.trace;
    let before = trace.steps.len();
    let answer = dir.join(ANSWER);
    let mut answers = AnswerLog::open(&dir.join("oracle.jsonl"))?;
    let progress = console.progress(None);
    let mut shortest = usize::MAX;
    minimize::minimize(lab, request, &mut answers, &mut |best, calls| {
        let after = best.len();
        progress.update(calls, format!("{calls} oracle calls, {before} → {after} events"));
        if after < shortest {
            shortest = after;
            let so_far = Trace::of_events(trace.world_seed, best.iter().cloned());
            if let Err(error) = write_trace(&answer, request.header, &so_far) {
                tracing::warn!("the best answer so far cannot be kept: {error}");
            }
        }
    })
}

/// Takes screenshots for the report. A failure is only remarked, because the answer is on disk already.
fn take_screenshots(
    lab: &mut Lab<'_>,
    dir: &Path,
    header: &Header,
    trace: &mut Trace,
    console: &Console,
) {
    let taken = screenshots::keep(lab.rig(), dir, header.abstraction, trace)
        .and_then(|()| write_trace(&dir.join(ANSWER), header, trace));
    if let Err(error) = taken {
        console.remark(&format!("no screenshots of the answer: {error}"));
    }
}
