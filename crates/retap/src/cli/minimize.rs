//! The flags of `retap minimize`.

use super::shared::parse_duration;
use super::{AppArgs, DeviceArgs, FleetArgs, OutputArgs, PageArgs};
use clap::{Args, ValueEnum};
use retap_minimize::Algorithm;
use retap_model::{Abstraction, Oracle};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Oracles: crash (the trace's own), crash:ID, not-responding, activity:NAME, method:SIGNATURE, state:ID,
text:REGEX, cmd:PROGRAM (exit 0 = interesting; the observation as JSON on its standard input), and what
retap explore finds besides crashes: rotation, background, back, layout, leak, property, each with or without
:ID. A trace in a folder of findings/ is minimised for its finding.

Examples:
  retap minimize retap-out/my-run/crashes/4f…/trace.jsonl
  retap minimize trace.jsonl --vary-world                  20 world seeds, 18 must succeed
  retap minimize trace.jsonl --oracle activity:Settings    the shortest path there
  retap minimize --resume -o retap-out/min                 resume after Ctrl-C or a kill")]
pub struct MinimizeArgs {
    /// The trace; FILE#N names the N-th of a file that holds several
    #[arg(required_unless_present = "resume")]
    pub trace: Option<String>,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub page: PageArgs,
    /// The oracle that must hold. Default: the crash at the end of the trace
    #[arg(long, value_name = "ORACLE", value_parser = Oracle::from_str, help_heading = "Search")]
    pub oracle: Option<Oracle>,
    /// The file of properties for --oracle property
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub properties: Option<PathBuf>,
    /// auto, dd, hdd, bhdd, lhdd, nd, probdd or cdd
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = Algorithm::from_str, help_heading = "Search")]
    pub algorithm: Algorithm,
    /// Runs of each candidate. Default: 1, or 20 with --vary-world
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Search")]
    pub runs: Option<u32>,
    /// Runs that must succeed. Default: nine in ten
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub required: Option<u32>,
    /// Use another world seed for every run of a candidate
    #[arg(long, help_heading = "Search")]
    pub vary_world: bool,
    /// Which of several candidates runs next
    #[arg(long, value_enum, default_value = "heuristic", help_heading = "Search")]
    pub scheduler: SchedulerName,
    /// The abstraction that the hierarchy of states is built from
    #[arg(long, value_name = "NAME", default_value = "activity", value_parser = Abstraction::from_str, help_heading = "Search")]
    pub hierarchy: Abstraction,
    /// Switch off LHDD's pre-selection
    #[arg(long, help_heading = "Search")]
    pub no_preselect: bool,
    /// ND3MIN's first number of parts; by default 5, or 4 with `--scheduler mdp`, whose policy is then solved in seconds
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub parts: Option<usize>,
    /// Do not simplify the remaining events
    #[arg(long, help_heading = "Search")]
    pub no_simplify: bool,
    /// Start the answer at a later activity if the oracle still holds. The answer says so: on a phone, only exported
    /// activities can be started this way
    #[arg(long, help_heading = "Search")]
    pub launch_at_activity: bool,
    /// Stop after this many oracle calls, with the best answer so far
    #[arg(long, value_name = "CALLS", help_heading = "Search")]
    pub budget: Option<u64>,
    /// Stop after this time, with the best answer so far
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Search")]
    pub time: Option<Duration>,
    /// Fresh world seeds in which the answer's success rate is measured
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Search")]
    pub worlds: u32,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
    /// Minimise even if the app or its version differs
    #[arg(long, help_heading = "Search")]
    pub force: bool,
    /// Resume the run in the directory that -o names
    #[arg(long, requires = "output", conflicts_with = "trace", help_heading = "Search")]
    pub resume: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchedulerName {
    /// All runs of the first candidate, then of the next
    Greedy,
    /// One run of each in turn
    RoundRobin,
    /// Confirm promising candidates first, then rule out bad ones
    Heuristic,
    /// The optimal policy for up to four candidates, solved once and cached
    Mdp,
}
