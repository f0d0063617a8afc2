//! The command line as it is typed. The verbs decide what it means.

mod apps;
mod bench;
mod explore;
mod fleet;
mod instrument;
mod mcp;
mod minimize;
mod reduce;
mod serve;
mod shared;
mod test;
mod update;

pub use apps::{DiffArgs, ModelArgs};
pub use bench::{
    Bench, BenchApkArgs, BenchArgs, BenchDeviceArgs, BenchExploreArgs, BenchFaultsArgs,
    BenchFidelityArgs, BenchFleetArgs, BenchFleetFaultsArgs, BenchMinimizeArgs, BenchReduceArgs,
    JudgeArgs,
};
pub use explore::{ExploreArgs, OracleChoice};
pub use fleet::{
    FleetArgs, FleetCampaignArgs, FleetServerArgs, FleetStatusArgs, FleetVerb, FleetVerbArgs,
    WorkerArgs,
};
pub use instrument::InstrumentArgs;
pub use mcp::McpArgs;
pub use minimize::{MinimizeArgs, SchedulerName};
pub use reduce::ReduceArgs;
pub use serve::ServeArgs;
pub use shared::{AppArgs, ConsoleArgs, DeviceArgs, LimitArgs, OutputArgs, PageArgs, SeedArgs};
pub use test::{Clean, TestArgs};
pub use update::UpdateArgs;

use clap::{Args, Parser, Subcommand, ValueEnum};
use retap_engine::DeviceKind;
use std::path::PathBuf;
use std::str::FromStr;

/// Explores an Android app, rewinds it, and reduces what it finds to the few taps that matter.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    nothing wrong found
  1    a crash, regression or divergence was found
  2    bad usage or bad input, also an output directory that cannot be written
  3    the input does not reproduce
  4    the device failed
  5    --strict met something that the device lacks
  130  interrupted, results kept

Try it without a phone or a JDK:
  retap explore --device fake:fakes/notes.fake --seed 7 --max-events 5000";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Explore an app and keep every crash with the trace that leads to it
    Explore(Box<ExploreArgs>),
    /// Run a trace again, compare it step by step, and show where it diverges
    Replay(Box<ReplayArgs>),
    /// Reduce a trace to the few events that matter, and measure how often they reproduce
    Minimize(Box<MinimizeArgs>),
    /// Reduce recorded traces to a small suite with the same coverage, and prove it
    Reduce(Box<ReduceArgs>),
    /// Test what an update changed, with few inputs, and compare both versions screen by screen
    Update(Box<UpdateArgs>),
    /// Run an app's own instrumented tests, each from a clean install, with no emulator
    Test(Box<TestArgs>),
    /// Make an APK that counts its own coverage on any phone, without a rebuild
    Instrument(InstrumentArgs),
    /// Compare two versions of an app: what changed in code, resources and manifest, and nothing else
    Diff(DiffArgs),
    /// Read an app's windows, inputs and transitions from its code, without running it
    Model(ModelArgs),
    /// Write report.html, junit.xml and report.sarif of a run
    Report(ReportArgs),
    /// Import recordings and scripts of other tools as traces (Monkey, DroidBot, Maestro, uiautomator2)
    Import(ImportArgs),
    /// Export a trace as a script of another tool
    Export(ExportArgs),
    /// Open a local page that drives an app: live screen, widgets, states, traces and crashes
    Serve(Box<ServeArgs>),
    /// Let a coding assistant run, look at and test an app: a Model Context Protocol server on standard input and output
    Mcp(Box<McpArgs>),
    /// Run tasks of a fleet on this machine's devices
    Worker(Box<WorkerArgs>),
    /// Watch a fleet, pause and resume its campaigns, and make keys
    Fleet(Box<FleetVerbArgs>),
    /// Check what this machine needs and has
    Doctor(DoctorArgs),
    /// Measure retap itself, in counts that hold on every machine
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
  retap replay trace.jsonl --runs 20 --vary-world    how often does it reproduce with other world seeds?
  retap replay trace.jsonl#3                         the third trace of a file
  retap replay suite --junit out.xml -j 2            every trace of a suite folder
  retap replay trace.jsonl -d adb --against embedded  does a phone do what the embedded device does?
  retap replay differences/006/trace.jsonl --over old.apk   a fault that an update has on data of the old version")]
pub struct ReplayArgs {
    /// The trace; FILE#N names the N-th of a file that holds several; or a suite folder
    pub trace: String,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The number of runs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Replaying")]
    pub runs: u32,
    /// Use another world seed for every run after the first
    #[arg(long, help_heading = "Replaying")]
    pub vary_world: bool,
    /// Act on the recorded coordinates instead of the widgets
    #[arg(long, help_heading = "Replaying")]
    pub coordinates: bool,
    /// Exit with code 5 if the device lacked something that the trace needs
    #[arg(long, help_heading = "Replaying")]
    pub strict: bool,
    /// Replay even if the app or its version differs
    #[arg(long, help_heading = "Replaying")]
    pub force: bool,
    /// Do the trace on this old version first, install the app over it with the data kept, and do the trace again
    #[arg(long, value_name = "OLD", conflicts_with_all = ["junit", "jobs", "strict"], help_heading = "Replaying")]
    pub over: Option<PathBuf>,
    /// Run the trace on a second device too (embedded, adb or fake:FILE), compare both step by step, and list where they differ
    #[arg(long, value_name = "KIND", value_parser = DeviceKind::from_str, conflicts_with_all = ["junit", "jobs", "over", "strict"], help_heading = "Replaying")]
    pub against: Option<DeviceKind>,
    /// Write the results of a suite in JUnit's format
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Replaying")]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap report retap-out/my-run --open
  retap report retap-out/my-run --sources app/src/main     coverage down to the lines of the source
  retap report run-1 run-2 run-3                           several runs of one app as one
  retap report today --earlier yesterday                   which crashes are new, gone, still there
  retap report retap-out/my-run --github                   annotations for the code of a pull request")]
pub struct ReportArgs {
    /// The run's directory, or a suite folder. Several runs of one app give one report
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Compare with an earlier run: which crashes are new, gone and still there (repeatable)
    #[arg(long, value_name = "RUN")]
    pub earlier: Vec<PathBuf>,
    /// The directory for the report of several runs. Default: retap-out/PACKAGE-TIME
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print the crashes and findings as annotations that GitHub shows in the code
    #[arg(long)]
    pub github: bool,
    #[command(flatten)]
    pub page: PageArgs,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
What has no counterpart is listed with its line. Nothing in a script is run.

Examples:
  retap import monkey.txt --apk app.apk -o trace.jsonl     a Monkey script, or what monkey -v -v printed
  retap import droidbot-output --apk app.apk -o trace.jsonl
  retap import flow.yaml --apk app.apk -o trace.jsonl      a Maestro flow
  retap import test.py --apk app.apk -o trace.jsonl        a plain uiautomator2 script: d(text=\"Add\").click()")]
pub struct ImportArgs {
    /// A Monkey script or log, an output folder of DroidBot, a Maestro flow (.yaml), a uiautomator2 script (.py), or
    /// script.log followed by execute.log
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The output file; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// The recorded app, so that the trace names its version
    #[arg(long, value_name = "APK")]
    pub apk: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
A step that the language cannot say stands in the script as a comment; retap lists it and exits with 2.

Examples:
  retap export retap-out/my-run/crashes/4f… --to adb -o crash.sh     then: sh crash.sh, with a phone
  retap export retap-out/my-run/crashes/4f… --to espresso -o RetapTest.java
  retap export retap-out/my-run/crashes/4f… --to markdown            a bug report to paste
  retap export retap-out/my-run --to maestro                         a run with one crash")]
pub struct ExportArgs {
    /// The trace, or the folder of a crash or of a run with one crash; FILE#N names the N-th of a file that holds several
    pub trace: String,
    /// The language of the script; needed
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<ExportFormat>,
    /// The activity that the script launches first. Default: the app's launcher activity; a Monkey script without it
    /// expects the app in front
    #[arg(long, value_name = "CLASS")]
    pub activity: Option<String>,
    /// The output file; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A shell script that needs nothing but adb, and says whether the app crashed
    Adb,
    /// A Python script for Appium's UiAutomator2 driver
    Appium,
    /// A Java test for Espresso
    Espresso,
    /// A flow for Maestro
    Maestro,
    /// A bug report in Markdown
    Markdown,
    /// A script for `adb shell monkey -f`
    Monkey,
    /// A Robo script for Firebase Test Lab
    Robo,
    /// A Java test for UI Automator
    #[value(name = "uiautomator")]
    UiAutomator,
    /// A Python script for uiautomator2
    #[value(name = "uiautomator2")]
    UiAutomator2,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap doctor
  retap doctor --app app.apk     can this app run here, and what does it need that the device lacks?")]
pub struct DoctorArgs {
    /// Also check whether this app can run, and list what it needs that the device lacks
    #[arg(long, value_name = "APK")]
    pub app: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
}
