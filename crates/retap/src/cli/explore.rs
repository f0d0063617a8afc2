//! The flags of `retap explore`.

use super::{AppArgs, DeviceArgs, LimitArgs, OutputArgs, SeedArgs};
use clap::{Args, ValueEnum};
use retap_explore::auto::Ingredient;
use retap_explore::fittest::Fittest;
use retap_explore::interesting::Interesting;
use retap_explore::stuck::StuckRule;
use retap_model::FindingKind;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap explore app.apk                          ten minutes on the embedded device
  retap explore app.apk --seed 7 --max-events 5000 --json
  retap explore app.apk --strategy timemachine --explain
  retap explore --resume -o retap-out/my-run     go on after Ctrl-C or a kill")]
pub struct ExploreArgs {
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub seed: SeedArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How to choose the next event, and when to go back
    #[arg(long, value_enum, default_value = "auto")]
    pub strategy: StrategyName,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// Leave parts of the strategy auto out, to see what they are good for: kin, walk, return, text, forms, shake
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = Ingredient::from_str)]
    pub without: Vec<Ingredient>,
    /// What to look for besides crashes: rotation, background, back, layout, leak; all or none
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "all", value_parser = OracleChoice::from_str)]
    pub oracle: Vec<OracleChoice>,
    /// Look for screens that break the rules in this file, `when … then …` (docs/oracles.md)
    #[arg(long, value_name = "FILE")]
    pub properties: Option<PathBuf>,
    /// Run these traces first: files, FILE#N for one of several, or run directories
    #[arg(long, value_name = "TRACE", num_args = 1..)]
    pub seed_traces: Vec<String>,
    /// Explorers to run side by side, each on a device of its own. Those of the strategy auto share what they
    /// learn; a further device minimises crashes as they are found. Only one alone does the same again for the same seed
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Say on standard error why the run goes where it goes; with one explorer only
    #[arg(long)]
    pub explain: bool,
    /// Choose every event yourself: commands on standard input, `help` lists them
    #[arg(long, conflicts_with = "jobs")]
    pub interactive: bool,
    /// Act on random coordinates instead of widgets, as Monkey does
    #[arg(long)]
    pub blind: bool,
    /// Begin a new trace after this many events
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub trace_length: u32,
    /// Leave crashes as they were found
    #[arg(long)]
    pub no_minimize: bool,
    /// Keep a picture of this many states, the first ones that are met
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub pictures: u32,
    /// Go on with the run in the directory that -o names
    #[arg(long, requires = "output", conflicts_with_all = ["seed", "world_seed", "apk"])]
    pub resume: bool,
}

/// TimeMachine's three policies, each by name, with the paper's settings unless others are given.
#[derive(Debug, Clone, Args)]
pub struct PolicyArgs {
    /// Which new states are worth going back to: new-code, new-state, new-activity
    #[arg(long, value_name = "POLICY", default_value = "new-code", value_parser = Interesting::from_str)]
    pub interesting: Interesting,
    /// When exploration is stuck: window, dead-end, flat or never, and settings
    #[arg(long, value_name = "POLICY", default_value = "window,l=10,max=200,alpha=0.2,beta=0.8", value_parser = StuckRule::from_str)]
    pub stuck: StuckRule,
    /// Which state to go back to: neighbourhood, own, rarest or any, and settings
    #[arg(long, value_name = "POLICY", default_value = "neighbourhood,k=3,r=0.1,p=0.1,f0=6,c=0", value_parser = Fittest::from_str)]
    pub fittest: Fittest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    /// Random events, no restarts but after a crash (TimeMachine's baseline MS)
    Random,
    /// Random events, a restart whenever exploration is stuck (TimeMachine's baseline MR)
    RandomRestart,
    /// Whatever promises most for what it costs to get there, at every event
    Auto,
    /// Random events; when stuck, back to the fittest state met so far (TimeMachine as published)
    Timemachine,
}

/// One word after `--oracle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OracleChoice {
    All,
    None,
    One(FindingKind),
}

impl OracleChoice {
    /// What the words mean together.
    pub fn kinds(choices: &[Self]) -> Result<BTreeSet<FindingKind>, String> {
        // Properties are asked for by their file.
        let all = FindingKind::ALL.into_iter().filter(|kind| *kind != FindingKind::Property);
        match choices {
            [Self::All] => Ok(all.collect()),
            [Self::None] => Ok(BTreeSet::new()),
            _ => choices
                .iter()
                .map(|choice| match choice {
                    Self::One(kind) => Ok(*kind),
                    _ => Err("--oracle: all and none stand alone".to_string()),
                })
                .collect(),
        }
    }
}

impl FromStr for OracleChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::None),
            _ => match text.parse() {
                Ok(FindingKind::Property) | Err(_) => Err(format!(
                    "expected rotation, background, back, layout, leak, all or none, found {text:?}"
                )),
                Ok(kind) => Ok(Self::One(kind)),
            },
        }
    }
}
