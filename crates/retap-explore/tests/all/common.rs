//! Explores fakes, each in a temporary directory of its own.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_device::Rig;
use retap_device::fake::FakeConnect;
use retap_explore::{
    Ape, Auto, AutoParts, DroidBot, Exploration, ExplorationLimits, ExplorationTotals, Fastbot,
    FittestPolicy, InterestingPolicy, QTesting, Random, RandomRestart, SearchOrder, Stoat,
    Strategy, StuckPolicy, TimeMachine, Vocabulary,
};
use retap_model::format::run::{Recorder, RunInfo, TRACE};
use retap_model::format::trace::{TraceEntry, TraceReader};
use retap_model::{Abstraction, App, Cost};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// The events by which the strategy `stoat` builds its model.
pub const STOAT_MODEL_EVENTS: u64 = 100;

pub struct Subject {
    pub trace_length: usize,
    pub temp: TempDir,
    pub app: PathBuf,
}

pub struct Explored {
    pub totals: ExplorationTotals,
    pub cost: Cost,
    pub entries: Vec<TraceEntry>,
}

/// Reads one of the repository's fakes.
pub fn fake(name: &str) -> String {
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes");
    fs::read_to_string(fakes.join(name)).unwrap()
}

/// Returns the same app on a device without snapshots.
pub fn without_snapshots(source: &str) -> String {
    format!("snapshots off\n{source}")
}

/// Returns a strategy by its name, by `name:stuck policy`, or by `auto-PART` for `auto` without a part.
pub fn strategy(name: &str, seed: u64, app: &App) -> Box<dyn Strategy> {
    let random = Random::new(seed);
    if let Some(part) = name.strip_prefix("auto-") {
        let without = part.split(',').map(|part| part.parse().unwrap()).collect();
        let parts = AutoParts { without };
        return Box::new(Auto::new(random, app.clone(), Vocabulary::default(), parts));
    }
    let (name, stuck) = match name.split_once(':') {
        Some((name, policy)) => (name, policy.parse().unwrap()),
        None => (name, StuckPolicy::default()),
    };
    match name {
        "random" => Box::new(random),
        "random-restart" => Box::new(RandomRestart::new(random, stuck)),
        "timemachine" => Box::new(TimeMachine::new(random, stuck, FittestPolicy::default())),
        "auto" => {
            let (vocabulary, parts) = (Vocabulary::default(), AutoParts::default());
            Box::new(Auto::new(random, app.clone(), vocabulary, parts))
        }
        "droidbot-dfs" => Box::new(DroidBot::new(seed, SearchOrder::DepthFirst, app.clone())),
        "droidbot-bfs" => Box::new(DroidBot::new(seed, SearchOrder::BreadthFirst, app.clone())),
        "fastbot" => Box::new(Fastbot::new(seed, app.clone())),
        "ape" => Box::new(Ape::new(random, app.clone())),
        "stoat" => Box::new(Stoat::new(seed, app.clone(), STOAT_MODEL_EVENTS)),
        "q-testing" => Box::new(QTesting::new(seed, app.clone())),
        other => panic!("no strategy {other}"),
    }
}

impl Subject {
    pub fn new(source: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let app = temp.path().join("app.fake");
        fs::write(&app, source).unwrap();
        Self { temp, app, trace_length: 1000 }
    }

    pub fn dir(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    pub fn explore(&self, name: &str, seed: u64, max_events: u64) -> Explored {
        self.run(&self.dir(&format!("{name}-{seed}")), name, seed, max_events, false)
    }

    pub fn resume(&self, dir: &Path, name: &str, seed: u64, max_events: u64) -> Explored {
        self.run(dir, name, seed, max_events, true)
    }

    /// Cuts a run at `cuts` places, resumes it there and checks that it ends as the uninterrupted run did.
    pub fn assert_resumes(&self, name: &str, max_events: u64, cuts: usize) {
        const SEED: u64 = 3;
        let whole = self.explore(name, SEED, max_events);
        let dir = self.dir(&format!("{name}-{SEED}"));
        let trace = fs::read(dir.join(TRACE)).unwrap();
        let header = trace.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in (header..trace.len()).step_by(trace.len() / cuts) {
            fs::write(dir.join(TRACE), &trace[..cut]).unwrap();
            let resumed = self.resume(&dir, name, SEED, max_events);
            assert_eq!(resumed.totals, whole.totals, "cut at {cut}");
            let resumed_trace = fs::read(dir.join(TRACE)).unwrap();
            assert!(resumed_trace == trace, "the trace differs when cut at {cut}");
        }
    }

    fn run(&self, dir: &Path, name: &str, seed: u64, max_events: u64, resumes: bool) -> Explored {
        let connect = FakeConnect::load(&self.app).unwrap();
        let interrupt = AtomicBool::new(false);
        let mut rig = Rig::new(&connect, &interrupt);
        let app = rig.app().unwrap().clone();
        let mut strategy = strategy(name, seed, &app);
        let interesting = InterestingPolicy::default();
        let mut exploration = if resumes {
            Exploration::resume(dir, strategy.as_mut(), interesting, &app).unwrap()
        } else {
            let info = info(&app, seed);
            let recorder = Recorder::create(dir, info, &app.units).unwrap();
            Exploration::new(recorder, strategy.as_mut(), interesting, &app)
        };
        let limits = ExplorationLimits { max_events, trace_length: self.trace_length };
        exploration.run(&mut rig, limits, &mut |_| true).unwrap();
        let totals = exploration.totals().clone();
        drop(exploration);
        Explored { totals, cost: rig.cost(), entries: entries(dir) }
    }
}

pub fn info(app: &App, seed: u64) -> RunInfo {
    RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: "0".into(),
        verb: "explore".into(),
        arguments: Vec::new(),
        seed,
        world_seed: seed,
        app: app.identity.clone(),
        apk: String::new(),
        device: "fake".into(),
        api: None,
        display: retap_model::Display::default(),
        abstraction: Abstraction::Layout,
        outside: Vec::new(),
    }
}

pub fn entries(dir: &Path) -> Vec<TraceEntry> {
    let file = fs::File::open(dir.join(TRACE)).unwrap();
    let mut reader = TraceReader::new(std::io::BufReader::new(file), "trace").unwrap();
    std::iter::from_fn(|| reader.next_entry().unwrap()).collect()
}
