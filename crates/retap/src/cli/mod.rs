//! The command line as it is typed. Nothing is decided here; verbs resolve what was asked for.

mod bench;
mod explore;
mod minimize;
mod reduce;
mod shared;

pub use bench::{
    Bench, BenchArgs, BenchDeviceArgs, BenchExploreArgs, BenchMinimizeArgs, BenchReduceArgs,
    JudgeArgs,
};
pub use explore::{ExploreArgs, OracleChoice, StrategyName};
pub use minimize::{MinimizeArgs, SchedulerName};
pub use reduce::ReduceArgs;
pub use shared::{AppArgs, ConsoleArgs, DeviceArgs, DeviceChoice, LimitArgs, OutputArgs, SeedArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Explores an Android app, rewinds it, and boils what it found down to the few taps that matter.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Verb,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

const EXIT_CODES: &str = "\
Exit codes: 0 nothing wrong found; 1 a crash, regression or divergence was found; 2 bad usage or bad
input (also an output directory that cannot be written); 3 the input does not reproduce; 4 the device
failed; 130 interrupted, results kept.

Try it without a phone or a JDK:
  retap explore --device fake:fakes/notes.fake --seed 7 --max-events 5000";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Explore an app and keep every crash with the trace that leads to it
    Explore(Box<ExploreArgs>),
    /// Run a trace again, step by step, and say where and how it diverges
    Replay(ReplayArgs),
    /// Find the few events of a trace that matter, and how often they work
    Minimize(Box<MinimizeArgs>),
    /// Make a suite of everything that was recorded: few traces, the same coverage, and the proof
    Reduce(Box<ReduceArgs>),
    /// Write the page of a run again, with junit.xml and report.sarif
    Report(ReportArgs),
    /// Turn other tools' recordings into traces (Monkey scripts, script.log + execute.log)
    Import(ImportArgs),
    /// Turn a trace into another tool's script
    Export(ExportArgs),
    /// Check what this machine has and what is missing
    Doctor(DoctorArgs),
    /// Measure retap itself, in counts that are the same on every machine
    Bench(BenchArgs),
    /// Print a completion script for your shell
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap replay retap-out/my-run/crashes/4f…/trace.jsonl
  retap replay trace.jsonl --runs 20 --vary-world    how often does it work in other worlds?
  retap replay trace.jsonl#3                         the third trace of a file
  retap replay suite --junit out.xml -j 2            every trace of a suite folder")]
pub struct ReplayArgs {
    /// The trace; FILE#N names the N-th of a file that holds several; or a suite folder
    pub trace: String,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How often to run it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Give every run after the first a world of its own
    #[arg(long)]
    pub vary_world: bool,
    /// When a widget is gone, act on the recorded coordinates instead
    #[arg(long)]
    pub coordinates: bool,
    /// Replay although the app is another or of another version
    #[arg(long)]
    pub force: bool,
    /// Write what came out of a suite in JUnit's format
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Devices to use side by side
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The run's directory, or a suite folder
    pub run: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// A Monkey script, or script.log followed by execute.log
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the trace; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// The app that was recorded, so that the trace can name its version
    #[arg(long, value_name = "APK")]
    pub apk: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
}

#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// The trace; FILE#N names the N-th of a file that holds several
    pub trace: String,
    #[arg(long, value_enum)]
    pub to: ExportFormat,
    /// The activity that the script launches first; without it the app must be in front already
    #[arg(long, value_name = "CLASS")]
    pub activity: Option<String>,
    /// Where to write it; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A script for `adb shell monkey -f`
    Monkey,
}

#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// Also say whether this app can run, and which parts of a phone it will miss
    #[arg(long, value_name = "APK")]
    pub app: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
}
