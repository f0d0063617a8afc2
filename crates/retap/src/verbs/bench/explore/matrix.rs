//! All cells: those that are there already are read, the others are explored, apps side by side. A device is kept
//! for all cells of its app.

use super::cell::{Cell, Measured};
use crate::cli::{BenchExploreArgs, DeviceArgs, DeviceChoice};
use crate::console::{Console, Progress};
use crate::failure::Failure;
use crate::{device, interrupt};
use retap_device::{DeviceError, Lab};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn run(args: &BenchExploreArgs, console: &Console) -> Result<Vec<Measured>, Failure> {
    let cells = cells(args)?;
    let all: usize = cells.iter().map(Vec::len).sum();
    let progress = console.progress(Some(all as u64));
    let done: Mutex<Vec<Measured>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(of_app) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            run_app(of_app, args, console, &mut |measured| keep(&done, measured, &progress))?;
        }
        Ok(())
    };
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().collect::<Result<Vec<()>, Failure>>()?;
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let order = |m: &Measured| {
        let at = |all: &[String], one: &String| all.iter().position(|other| other == one);
        (at(&args.apps, &m.app), at(&args.strategies, &m.strategy), m.run)
    };
    done.sort_by_key(order);
    Ok(done)
}

/// The command that makes these results, for who wants to see them made.
pub fn command(args: &BenchExploreArgs) -> String {
    let (apps, runs, events) = (args.apps.join(" "), args.runs, args.max_events);
    let what = match args.ablate {
        true => "--ablate".to_string(),
        false => format!("--strategies {}", args.strategies.join(" ")),
    };
    format!("retap bench explore --apps {apps} {what} --runs {runs} --max-events {events}")
}

fn keep(done: &Mutex<Vec<Measured>>, measured: Measured, progress: &Progress) {
    let Ok(mut done) = done.lock() else { return };
    let (app, strategy) = (measured.app.clone(), measured.strategy.clone());
    done.push(measured);
    progress.update(done.len() as u64, format!("{app} {strategy}"));
}

/// One list an app. Runs of all strategies take turns, so that a bench that is stopped has as much of each.
fn cells(args: &BenchExploreArgs) -> Result<Vec<Vec<Cell>>, Failure> {
    let of_app = |app: &String| {
        let runs = 1..=args.runs;
        let turn = |run: u64| {
            let cell =
                move |strategy: &String| Cell { app: app.clone(), strategy: strategy.clone(), run };
            args.strategies.iter().map(cell)
        };
        runs.flat_map(turn).collect::<Vec<Cell>>()
    };
    let cells: Vec<Vec<Cell>> = args.apps.iter().map(of_app).collect();
    for cell in cells.iter().flat_map(|cells| cells.iter().take(args.strategies.len())) {
        cell.arguments()?;
    }
    Ok(cells)
}

fn run_app(
    cells: &[Cell],
    args: &BenchExploreArgs,
    console: &Console,
    keep: &mut dyn FnMut(Measured),
) -> Result<(), Failure> {
    let mut missing: Vec<&Cell> = Vec::new();
    for cell in cells {
        match cell.read(&args.output, args.max_events) {
            Some(measured) => keep(measured),
            None => missing.push(cell),
        }
    }
    let Some(first) = missing.first() else { return Ok(()) };
    let (choice, apk) = match first.app.strip_prefix("fake:") {
        Some(file) => (DeviceChoice::Fake(file.into()), None),
        None => (DeviceChoice::Embedded, Some(Path::new(&first.app))),
    };
    let device = DeviceArgs { device: choice, ..args.device.clone() };
    let chosen = device::choose(&device, apk, console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), 1, &interrupt::INTERRUPTED);
    for cell in missing {
        match cell.explore(lab.rig(), &args.output, args.max_events) {
            Ok(Some(measured)) => keep(measured),
            Ok(None) => break,
            // One app that cannot be run must not cost the others.
            Err(Failure::Device(error @ (DeviceError::App(_) | DeviceError::Lost(_)))) => {
                console.remark(&format!("{} is left out: {error}", cell.app));
                break;
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}
