//! The flags of `retap explore`.

use super::{AppArgs, DeviceArgs, FleetArgs, LimitArgs, OutputArgs, PageArgs, SeedArgs};
use clap::Args;
use retap_engine::explore::{ExploreSettings, StrategyKind};
use retap_explore::{AutoPart, FittestPolicy, InterestingPolicy, StuckPolicy};
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
    #[command(flatten)]
    pub page: PageArgs,
    /// How the next event is chosen, and when to return to an earlier state: auto, timemachine, random, random-restart,
    /// droidbot-dfs, droidbot-bfs, fastbot, ape, stoat, q-testing; or cmd:PROGRAM, which is asked for every event (docs/explore.md)
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = parse_strategy, help_heading = "Strategy")]
    pub strategy: StrategyKind,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// Switch off parts of the strategy auto: families, walk, return, text, forms, bursts, credit, fill
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = AutoPart::from_str, help_heading = "Strategy")]
    pub without: Vec<AutoPart>,
    /// Let the strategy auto read the app's code as a map: prefer what leads to code that has not run
    #[arg(long, help_heading = "Strategy")]
    pub map: bool,
    /// Let the strategy auto begin with what an earlier run of this app, or of another version of it, learnt
    #[arg(long, value_name = "RUN", help_heading = "Strategy")]
    pub learn_from: Option<PathBuf>,
    /// What to look for besides crashes: rotation, background, back, layout, leak; or all, or none
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "all", value_parser = OracleChoice::from_str, help_heading = "What to look for")]
    pub oracle: Vec<OracleChoice>,
    /// Look for screens that break the properties in this file, `when … then …` (docs/oracles.md)
    #[arg(long, value_name = "FILE", help_heading = "What to look for")]
    pub properties: Option<PathBuf>,
    /// Run these traces first: files, FILE#N for one of several, or run directories
    #[arg(long, value_name = "TRACE", num_args = 1.., help_heading = "Strategy")]
    pub seed_traces: Vec<String>,
    /// The number of explorers to run in parallel, each on its own device. Explorers with the strategy auto share what they
    /// learn; if a core is left, one more device minimises crashes meanwhile. Only a single explorer repeats itself for the same seed
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Strategy")]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
    /// Explain every move on standard error; with one explorer only
    #[arg(long, help_heading = "Strategy")]
    pub explain: bool,
    /// Choose every event yourself, with commands on standard input; `help` lists them
    #[arg(long, conflicts_with = "jobs", help_heading = "Strategy")]
    pub interactive: bool,
    /// Act on random coordinates instead of widgets, as Monkey does
    #[arg(long, help_heading = "Strategy")]
    pub blind: bool,
    /// Start a new trace after this many events
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Strategy")]
    pub trace_length: u32,
    /// End at the first host limitation, something that the device lacks and a phone has, with exit code 5
    #[arg(long, help_heading = "What to look for")]
    pub strict: bool,
    /// Do not minimise crashes and findings
    #[arg(long, help_heading = "What to look for")]
    pub no_minimize: bool,
    /// Take screenshots of this many states, the most visited ones, which the report shows
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "What to look for")]
    pub pictures: u32,
    /// Resume the run in the directory that -o names
    #[arg(long, requires = "output", conflicts_with_all = ["seed", "world_seed", "apk", "device", "api", "screen", "outside"])]
    pub resume: bool,
}

impl ExploreArgs {
    pub fn settings(&self) -> ExploreSettings {
        ExploreSettings {
            device: self.device.settings(),
            strategy: self.strategy.clone(),
            interesting: self.policies.interesting,
            stuck: self.policies.stuck,
            fittest: self.policies.fittest,
            without: self.without.clone(),
            map: self.map,
            learn_from: self.learn_from.clone(),
            seed_traces: self.seed_traces.clone(),
            blind: self.blind,
            trace_length: self.trace_length as usize,
            max_events: self.limits.max_events,
        }
    }
}

/// TimeMachine's three policies, by name. The defaults are the paper's.
#[derive(Debug, Clone, Args)]
pub struct PolicyArgs {
    /// Which new states are worth returning to: new-code, new-state, new-activity
    #[arg(long, value_name = "POLICY", default_value = "new-code", value_parser = InterestingPolicy::from_str, help_heading = "Strategy")]
    pub interesting: InterestingPolicy,
    /// When exploration is stuck: window, dead-end, flat or never, and settings
    #[arg(long, value_name = "POLICY", default_value = "window,l=10,max=200,alpha=0.2,beta=0.8", value_parser = StuckPolicy::from_str, help_heading = "Strategy")]
    pub stuck: StuckPolicy,
    /// Which state to return to: neighbourhood, own, rarest or any, and settings
    #[arg(long, value_name = "POLICY", default_value = "neighbourhood,k=3,r=0.1,p=0.1,f0=6,c=0", value_parser = FittestPolicy::from_str, help_heading = "Strategy")]
    pub fittest: FittestPolicy,
}

/// The strategies by the names that users type.
const STRATEGIES: [(&str, StrategyKind); 10] = [
    // At every event, the most promising state for its cost, and the most promising event there.
    ("auto", StrategyKind::Auto),
    // Random events; when stuck, returns to the fittest state met so far (TimeMachine as published).
    ("timemachine", StrategyKind::TimeMachine),
    // Random events; restarts only after a crash (TimeMachine's baseline MS).
    ("random", StrategyKind::Random),
    // Random events; restarts when exploration is stuck (TimeMachine's baseline MR).
    ("random-restart", StrategyKind::RandomRestart),
    // Untried events of the state at hand, Back last; else a walk to a state that has one (DroidBot).
    ("droidbot-dfs", StrategyKind::DroidBotDfs),
    // The same with Back first.
    ("droidbot-bfs", StrategyKind::DroidBotBfs),
    // Untried events first, then those that may lead to new activities, by n-step SARSA (Fastbot2).
    ("fastbot", StrategyKind::Fastbot),
    // Untried actions by a model whose abstraction is refined and coarsened (APE).
    ("ape", StrategyKind::Ape),
    // A model by weighted exploration, then test suites drawn from mutations of it (Stoat).
    ("stoat", StrategyKind::Stoat),
    // Q-learning with a reward for states unlike all remembered ones (Q-testing).
    ("q-testing", StrategyKind::QTesting),
];

fn parse_strategy(text: &str) -> Result<StrategyKind, String> {
    if let Some(program) = text.strip_prefix("cmd:").filter(|program| !program.is_empty()) {
        return Ok(StrategyKind::Program(program.into()));
    }
    let known = STRATEGIES.into_iter().find(|(name, _)| *name == text);
    known.map(|(_, kind)| kind).ok_or_else(|| {
        let names = STRATEGIES.map(|(name, _)| name).join(", ");
        format!("expected one of {names}, or cmd:PROGRAM, found {text:?}")
    })
}

/// One word of `--oracle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OracleChoice {
    All,
    None,
    One(FindingKind),
}

impl OracleChoice {
    /// Returns the oracles that the words choose together.
    pub fn kinds(choices: &[Self]) -> Result<BTreeSet<FindingKind>, String> {
        // Properties are chosen by naming their file.
        let all = FindingKind::ALL.into_iter().filter(|kind| *kind != FindingKind::Property);
        match choices {
            [Self::All] => Ok(all.collect()),
            [Self::None] => Ok(BTreeSet::new()),
            _ => {
                choices
                    .iter()
                    .map(|choice| match choice {
                        Self::One(kind) => Ok(*kind),
                        _ => Err("--oracle: all and none cannot be combined with other words"
                            .to_string()),
                    })
                    .collect()
            }
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
