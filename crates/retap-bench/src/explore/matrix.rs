//! All cells of a bench. Measured ones are read, the others are explored: here, apps side by side, where the cells of an app
//! share a device, or on a fleet, one app after the other, cells side by side.

use super::cell::{Cell, CellBudget, MeasuredCell};
use super::{CommandLine, ExploreBench, JoinFleet, ParseStrategy};
use retap_device::{DeviceError, Lab, Rig};
use retap_engine::connection::connect;
use retap_engine::{Context, DeviceKind, DeviceSettings, Failure, ProgressBar};
use retap_fleet::{SharedPool, TaskResult};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn run(
    args: &ExploreBench,
    command_line: CommandLine<'_>,
    context: Context<'_>,
) -> Result<Vec<MeasuredCell>, Failure> {
    let CommandLine { parse, join } = command_line;
    let cells = cells(args, parse)?;
    let all: usize = cells.iter().map(Vec::len).sum();
    let progress = context.progress(Some(all as u64));
    let progress = progress.as_ref();
    let done: Mutex<Vec<MeasuredCell>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(of_app) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            let budget = CellBudget { output: &args.output, max_events: args.max_events, parse };
            let bench = AppBench { device: &args.device, budget, join, context };
            bench.run(of_app, &mut |measured| keep(&done, measured, progress))?;
        }
        Ok(())
    };
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let threads = if join.is_some() { 1 } else { args.jobs.max(1) };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().collect::<Result<Vec<()>, Failure>>()?;
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let order = |m: &MeasuredCell| {
        let at = |all: &[String], one: &String| all.iter().position(|other| other == one);
        (at(&args.apps, &m.app), at(&args.strategies, &m.strategy), m.run)
    };
    done.sort_by_key(order);
    Ok(done)
}

/// Returns the command that reproduces these results.
pub fn command(args: &ExploreBench) -> String {
    let (apps, runs, events) = (args.apps.join(" "), args.runs, args.max_events);
    let what = match args.ablate {
        true => "--ablate".to_string(),
        false => format!("--strategies {}", args.strategies.join(" ")),
    };
    format!("retap bench explore --apps {apps} {what} --runs {runs} --max-events {events}")
}

fn keep(done: &Mutex<Vec<MeasuredCell>>, measured: MeasuredCell, progress: &dyn ProgressBar) {
    let Ok(mut done) = done.lock() else { return };
    let (app, strategy) = (measured.app.clone(), measured.strategy.clone());
    done.push(measured);
    progress.update(done.len() as u64, format!("{app} {strategy}"));
}

/// Lists the cells of each app. Strategies take turns, so that an interrupted bench has equally many runs of each.
fn cells(args: &ExploreBench, parse: ParseStrategy<'_>) -> Result<Vec<Vec<Cell>>, Failure> {
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
        parse(&cell.strategy)?;
    }
    Ok(cells)
}

/// How the cells of an app are explored.
#[derive(Clone, Copy)]
struct AppBench<'b> {
    device: &'b DeviceSettings,
    budget: CellBudget<'b>,
    join: Option<JoinFleet<'b>>,
    context: Context<'b>,
}

impl AppBench<'_> {
    fn run(self, cells: &[Cell], keep: &mut dyn FnMut(MeasuredCell)) -> Result<(), Failure> {
        let mut missing: Vec<&Cell> = Vec::new();
        for cell in cells {
            match cell.read(self.budget.output, self.budget.max_events) {
                Some(measured) => keep(measured),
                None => missing.push(cell),
            }
        }
        let Some(first) = missing.first() else { return Ok(()) };
        let (kind, apk) = match first.app.strip_prefix("fake:") {
            Some(file) => (DeviceKind::Fake(file.into()), None),
            None => (DeviceKind::Embedded, Some(Path::new(&first.app))),
        };
        let device = DeviceSettings { kind, ..self.device.clone() };
        let connection = connect(&device, apk, self.context)?;
        let mut lab = Lab::new(connection.connect.as_ref(), 1, self.context.interrupt);
        let explored = match self.join {
            Some(join) => {
                self.explore_elsewhere(&missing, &join(&connection, &device)?, lab.rig(), keep)
            }
            None => self.explore_here(&missing, lab.rig(), keep),
        };
        match explored {
            Err(Failure::Device(DeviceError::Interrupted)) => Ok(()),
            // An app that cannot run must not end the bench.
            Err(Failure::Device(error @ (DeviceError::App(_) | DeviceError::Lost(_)))) => {
                self.context.remark(&format!("{} is left out: {error}", first.app));
                Ok(())
            }
            explored => explored,
        }
    }

    fn explore_here(
        self,
        cells: &[&Cell],
        rig: &mut Rig<'_>,
        keep: &mut dyn FnMut(MeasuredCell),
    ) -> Result<(), Failure> {
        for cell in cells {
            match cell.explore(rig, self.budget, self.context)? {
                Some(measured) => keep(measured),
                None => break,
            }
        }
        Ok(())
    }

    /// Lets workers explore, and records each cell when its result arrives.
    fn explore_elsewhere(
        self,
        cells: &[&Cell],
        pool: &SharedPool<'_>,
        rig: &mut Rig<'_>,
        keep: &mut dyn FnMut(MeasuredCell),
    ) -> Result<(), Failure> {
        let work = cells.iter().map(|cell| cell.work(self.budget)).collect::<Result<_, _>>()?;
        let mut record = |index: usize, result: TaskResult| {
            let Some(leg) = result.into_leg(&|text| self.context.remark(text))? else {
                return Ok(());
            };
            let measured = cells[index].record_leg(rig, leg, self.budget)?;
            measured.into_iter().for_each(&mut *keep);
            Ok(())
        };
        let mut recorded: Result<(), Failure> = Ok(());
        pool.run_each(work, &mut |index, result| {
            if recorded.is_ok() {
                recorded = record(index, result);
            }
        })?;
        recorded
    }
}
