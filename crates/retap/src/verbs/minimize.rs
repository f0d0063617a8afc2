//! `retap minimize`.

mod directory;
mod film;
mod question;
mod summary;

use super::replay::check_same_app;
use super::report;
use crate::cli::MinimizeArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::minimizing::{self, Memory, Request, Store};
use crate::{device, interrupt, trace_file};
use directory::keep;
use retap_device::Lab;
use retap_model::format::run::{self, minimize_summary::MinimizeEnded};
use retap_model::format::trace::Header;
use retap_model::{Oracle, Trace};
use std::path::Path;
use std::time::Instant;
use summary::{render, summarize};

pub fn run(args: &MinimizeArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let started = Instant::now();
    let args = &if args.resume { directory::take_up(args)? } else { args.clone() };
    let name = args.trace.clone().unwrap_or_default();
    let (header, trace) = trace_file::read(&name)?;
    let oracle = question::oracle(args, &trace, &name)?;
    let device_args = args.device.as_recorded(&header);
    let apk = args.app.apk.as_deref();
    let chosen = device::choose_for_trace(&device_args, apk, (name.as_str(), &header), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_same_app(&header, &app, args.force, console)?;

    let (dir, _lock) = directory::open(args, &header, &chosen.apk)?;
    let store = Store::open();
    let request = Request {
        header: &header,
        trace: &trace,
        judge: question::judge(args, oracle, &app, &header)?,
        options: question::options(args, &store, console)?,
        vary_world: args.vary_world,
        hierarchy: args.hierarchy,
        simplify: !args.no_simplify,
        launch_at: args.launch_at_activity,
        worlds: args.worlds,
        prior: store.prior(),
        deadline: args.time.map(|time| started + time),
    };
    question::warn_of_fickle_program(&mut lab, &request, console)?;
    let mut memory = Memory::open(&dir.join("oracle.jsonl"))?;
    let progress = console.progress(None);
    let mut kept = usize::MAX;
    let answer = dir.join("minimized.jsonl");
    let result = minimizing::minimize(&mut lab, &request, &mut memory, &mut |best, calls| {
        progress.update(
            calls,
            format!("{calls} oracle calls, {} → {} events", trace.steps.len(), best.len()),
        );
        if best.len() < kept {
            kept = best.len();
            let so_far = Trace::of_events(trace.world_seed, best.iter().cloned());
            if let Err(error) = keep(&answer, &header, &so_far) {
                tracing::warn!("the best answer so far cannot be kept: {error}");
            }
        }
    });
    drop(progress);
    for remark in lab.take_remarks() {
        console.remark(&remark);
    }
    let mut minimized = result?;
    keep(&answer, &header, &minimized.trace)?;
    store.refine_prior(&minimized.outcome.observed)?;
    let summary = summarize(&header, &request, &minimized, &lab, &answer, started);
    run::write_json(&dir.join(run::RESULT), &summary)?;
    if !minimized.is_interrupted() {
        film(&mut lab, &dir, &answer, &header, &mut minimized.trace, console);
    }
    report::write_at_end(&dir, console);
    console.json(&summary);
    console.result(&render(&summary));
    Ok(match (&request.judge.oracle, summary.ended) {
        (_, MinimizeEnded::Interrupted) => Exit::Interrupted,
        (Oracle::Crash(_) | Oracle::NotResponding, _) => Exit::Found,
        _ => Exit::Clean,
    })
}

/// Pictures for the report. The answer is kept already: what goes wrong with them is a remark.
fn film(
    lab: &mut Lab<'_>,
    dir: &Path,
    answer: &Path,
    header: &Header,
    trace: &mut Trace,
    console: &Console,
) {
    let filmed = film::keep(lab.rig(), dir, header.abstraction, trace)
        .and_then(|()| keep(answer, header, trace));
    if let Err(error) = filmed {
        console.remark(&format!("the answer cannot be pictured: {error}"));
    }
}
