//! The flags of `retap bench`.

use super::{AppArgs, DeviceArgs, FleetArgs};
use clap::{Args, Subcommand};
use retap_bench::faults::DisturbanceKind;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub what: Bench,
}

#[derive(Debug, Clone, Subcommand)]
pub enum Bench {
    /// What reading, comparing and modelling APKs costs, beside androguard if it is there
    Apk(BenchApkArgs),
    /// Speed, memory and repeatability of the embedded device, app by app
    Device(BenchDeviceArgs),
    /// What of the embedded device is real, what a stand-in, what missing, and whether it does what a phone does
    Fidelity(BenchFidelityArgs),
    /// Explorations that are killed, stopped, interrupted or starved: do they end as if nothing had happened?
    Faults(BenchFaultsArgs),
    /// How a fleet scales: workers on this machine with slow fakes, and a simulation of many more
    Fleet(BenchFleetArgs),
    /// What a fleet loses when its processes are killed and its network falls apart: nothing
    FleetFaults(BenchFleetFaultsArgs),
    /// Every minimiser on generated traces, on traces of your own, and beside other tools' minimisers
    Minimize(Box<BenchMinimizeArgs>),
    /// Every strategy on every app, at an equal number of events, with statistics and curves
    Explore(Box<BenchExploreArgs>),
    /// Suites of thousands of steps, recorded and reduced: what each phase takes away, what k changes
    Reduce(Box<BenchReduceArgs>),
    /// Answers an oracle call of another tool about a generated trace
    #[command(hide = true)]
    Judge(JudgeArgs),
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap bench apk a.apk b.apk
  retap bench apk 1.0.apk 1.1.apk               two versions side by side in the list are compared with each other
  retap bench apk a.apk b.apk --join 50         how does the cost grow with the code?
  retap bench apk a.apk --androguard venv/bin/python     a Python in which `pip install androguard` was run
  retap bench apk a.apk --flowdroid 'lib/*' --android-jar android.jar
                                                jars of de.fraunhofer.sit.sse.flowdroid:soot-infoflow-android")]
pub struct BenchApkArgs {
    /// The apps
    #[arg(value_name = "APK", required = true)]
    pub apks: Vec<PathBuf>,
    /// Also measure androguard, in this Python
    #[arg(long, value_name = "PYTHON")]
    pub androguard: Option<PathBuf>,
    /// Also measure FlowDroid, with this class path
    #[arg(long, value_name = "CLASSPATH", requires = "android_jar")]
    pub flowdroid: Option<String>,
    /// The framework's classes for FlowDroid
    #[arg(long, value_name = "JAR")]
    pub android_jar: Option<PathBuf>,
    /// Also measure diffuse, with this class path
    #[arg(long, value_name = "CLASSPATH")]
    pub diffuse: Option<String>,
    /// A run of one of the apps: how many of the methods that ran does each call graph reach?
    #[arg(long = "ran", value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Also join the code of the apps to ever larger ones, up to so many megabytes
    #[arg(long, value_name = "MB")]
    pub join: Option<u64>,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap bench device app.apk --runs 20           does it observe the same in every process?
  retap bench device app.apk --runs 1 --events 50000 --json   does its memory grow?
  retap bench device app.apk --profile -o DIR    where does its time go? See DIR/app-flame.svg")]
pub struct BenchDeviceArgs {
    /// The apps. Default: those in the folder fixtures
    #[arg(value_name = "APK")]
    pub apks: Vec<PathBuf>,
    /// Android API level. Default: each app's target level
    #[arg(long, value_name = "N")]
    pub api: Option<u32>,
    /// Events of each run
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub events: u64,
    /// Tell where the time of each app's first run goes: events, restarts and the start; compiling, collecting garbage,
    /// loading classes, interpreted, compiled and native code. Makes --runs 1 and --prefixes 0 the defaults. With -o a flame
    /// graph (APP-flame.svg, opened in a browser) and its stacks (APP-folded.txt)
    #[arg(long)]
    pub profile: bool,
    /// Runs of each app, each in its own process; all must observe the same
    #[arg(long, value_name = "N", default_value_t = 3, default_value_if("profile", "true", "1"), value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: u16,
    /// Compare with a further run that loads the app's classes anew for each clean install
    #[arg(long)]
    pub verify_restarts: bool,
    /// A clean install after this many events at the latest
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub trace_length: u64,
    /// Threads that keep the machine busy during every second run
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub load: usize,
    /// Prefixes of the first trace to run, to measure what shared prefixes save
    #[arg(
        long,
        alias = "beginnings",
        value_name = "N",
        default_value_t = 8,
        default_value_if("profile", "true", "0")
    )]
    pub prefixes: usize,
    /// Devices that share those prefixes
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub jobs: u16,
    /// Keep all observations of every run in this folder, to compare them line by line, and the files of --profile
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Seed of the events
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// World seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub world_seed: u64,
}

#[derive(Debug, Clone, Args)]
pub struct BenchFidelityArgs {
    /// The app that checks its phone
    #[arg(value_name = "APK", default_value = "fixtures/checks.apk")]
    pub apk: PathBuf,
    /// Android API levels
    #[arg(long, value_name = "N", default_values_t = [28, 34, 35])]
    pub api: Vec<u32>,
    /// Write the page here
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap bench faults fake:fakes/notes.fake --runs 500
  retap bench faults app.apk --runs 30 --max-events 60
  retap bench faults app.apk --runs 30 --fault kill-device --json")]
pub struct BenchFaultsArgs {
    /// The apps: APKs, or fake:FILE
    #[arg(value_name = "APP", required = true)]
    pub apps: Vec<String>,
    /// Disturbed runs of each app
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub runs: u32,
    /// The number of events of a run
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub max_events: u64,
    /// How often a fault strikes one run. More strikes need more events
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub strikes: u32,
    /// Decides what happens to which run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Only these faults: kill-device, kill-retap, interrupt, stop, full-disk, cut-file, clock-jump
    #[arg(long = "fault", value_name = "NAME,…", value_delimiter = ',', value_parser = DisturbanceKind::from_str)]
    pub faults: Vec<DisturbanceKind>,
    /// Keep the run directories of lost runs here
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct BenchFleetArgs {
    /// The fake that the workers run
    #[arg(value_name = "FILE", default_value = "fakes/notes.fake")]
    pub app: PathBuf,
    /// Numbers of workers
    #[arg(long, value_name = "N,N…", value_delimiter = ',', default_values_t = [1, 2, 4, 8, 16, 64])]
    pub workers: Vec<usize>,
    /// Events of each worker
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub events: usize,
    /// Events of each task
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    pub task_events: u16,
    /// How long a device takes for an event
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = super::shared::parse_duration)]
    pub delay: Duration,
}

#[derive(Debug, Clone, Args)]
pub struct BenchFleetFaultsArgs {
    /// An APK, or fake:FILE
    #[arg(value_name = "APP", default_value = "fake:fakes/notes.fake")]
    pub app: String,
    /// Events of the exploration
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_events: u64,
    /// Decides who is killed and when
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub seed: u64,
    /// Kill a worker or a coordinator about this often
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = super::shared::parse_duration)]
    pub pause: Duration,
    /// Do not cut the network, which needs root
    #[arg(long)]
    pub no_partition: bool,
    /// Cut the network for this long
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = super::shared::parse_duration)]
    pub partition: Duration,
    /// The folder for the runs
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct BenchMinimizeArgs {
    /// Crash traces to minimise as well, each with every algorithm
    #[arg(long = "trace", value_name = "TRACE")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Lengths of the generated traces
    #[arg(long, value_name = "N,N…", value_delimiter = ',', default_values_t = [16, 36, 64, 128, 256, 512, 1024, 1500])]
    pub lengths: Vec<usize>,
    /// Generated traces of each length
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub seeds: u64,
    /// Runs in a thousand that fail by chance
    #[arg(long, value_name = "‰", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..1000))]
    pub flakiness: u64,
    /// Also run picire and shrinkray (from PyPI) as they are, on traces of up to this many events
    #[arg(long, alias = "rivals", value_name = "N", num_args = 0..=1, default_missing_value = "128")]
    pub other_tools: Option<usize>,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Measurements in the same directory are reused. Examples:
  retap bench explore --apps fake:fakes/vault.fake fake:fakes/notes.fake -o bench
  retap bench explore --apps a.apk b.apk --strategies auto auto:without=walk --runs 10 -j 2 -o bench
  retap bench explore --apps a.apk b.apk --ablate -o bench
  retap bench explore --study benches/explore.toml -o bench")]
pub struct BenchExploreArgs {
    /// APKs, or fake:FILE
    #[arg(long, value_name = "APP", num_args = 1.., required_unless_present = "study")]
    pub apps: Vec<String>,
    /// A file that names the apps to choose on and to report on, the budgets, runs, strategies and known crashes
    /// (docs/explore.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["apps", "strategies", "ablate", "runs", "max_events", "known"])]
    pub study: Option<PathBuf>,
    /// Strategies; flags of `retap explore` may follow: auto:without=walk, timemachine:fittest=any
    #[arg(long, value_name = "NAME", num_args = 1.., default_values_t = ["random", "random-restart", "timemachine", "auto"].map(String::from))]
    pub strategies: Vec<String>,
    /// Compare the strategy auto with itself, each of its parts switched off in turn
    #[arg(long, conflicts_with = "strategies")]
    pub ablate: bool,
    /// Runs of each strategy on each app; a run's number is its seed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,
    /// Events of each run
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_events: u64,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Apps to run in parallel; on a fleet, runs of an app
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
    /// The folder for results.csv, results.json, results.md, report.html and the runs
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Crashes that are known bugs, to see which strategy finds them and when: lines with the app, the exception and a
    /// frame of the app, with tabs between them
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// Also write results.md here
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct BenchReduceArgs {
    /// APKs, fake:FILE, or synthetic (a generated app). Default: synthetic and fakes of the folder fakes
    #[arg(long, value_name = "APP", num_args = 1.., default_values_t = ["fake:fakes/notes.fake", "fake:fakes/conform.fake", "fake:fakes/vault.fake", "fake:fakes/worn.fake", "synthetic"].map(String::from))]
    pub apps: Vec<String>,
    /// Strategies that record the suites; flags of `retap explore` may follow, as in random:blind
    #[arg(long, value_name = "NAME", num_args = 1.., default_values_t = ["random"].map(String::from))]
    pub strategies: Vec<String>,
    /// Steps of each suite
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,
    /// Start a new trace after this many steps. Default: the length of traces in the paper's suites
    #[arg(long, value_name = "N", default_value_t = 17, value_parser = clap::value_parser!(u32).range(1..))]
    pub trace_length: u32,
    /// Join at most this many fragments into one trace; 0 is phase 1 alone
    #[arg(short, long, value_name = "K,K…", value_delimiter = ',', default_values_t = [1, 2, 3, 5])]
    pub k: Vec<usize>,
    /// Seed of the recording
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// The folder for runs and measurements; a second call continues there
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct JudgeArgs {
    /// seed:length:arms:flakiness of the generated trace
    pub case: String,
    /// The log: every call adds a line
    pub log: PathBuf,
    /// The candidate: a position on each line
    pub candidate: PathBuf,
}
