//! Opens a session: a device with the app on it, and a run directory that records it.

use crate::session::DriveSession;
use retap_device::Lab;
use retap_engine::connection::connect;
use retap_engine::explore::{ExploreSettings, StrategyKind, strategy};
use retap_engine::{Context, DeviceSettings, Failure, run_directory};
use retap_explore::{Exploration, FittestPolicy, InterestingPolicy, StuckPolicy};
use retap_model::format::run::{Recorder, RunInfo};
use retap_oracle::Oracles;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A trace of a session that reaches this many events ends and a new one begins.
const TRACE_LENGTH: usize = 1_000;

/// What a session is opened with.
#[derive(Debug, Clone)]
pub struct DriveSettings {
    pub device: DeviceSettings,
    /// The app; none for a fake device, which carries its own.
    pub apk: Option<PathBuf>,
    /// The run directory.
    pub run: PathBuf,
    /// True to go on with the run that is there.
    pub resume: bool,
    pub seed: u64,
    /// The command that explores the same app on the same device, so that `retap explore --resume` can go on.
    pub arguments: Vec<String>,
}

impl DriveSettings {
    /// Returns the settings that go on with a run, as it was begun.
    pub fn of_run(run: PathBuf, device: DeviceSettings) -> Result<Self, Failure> {
        let info = run_directory::read_info(&run)?;
        let header = info.trace_header();
        let mut device = device.as_recorded(&header);
        device.abstraction = Some(info.abstraction);
        let is_fake = info.device == "fake";
        if is_fake && !device.is_fake() {
            device.kind = retap_engine::DeviceKind::Fake(info.apk.clone().into());
        }
        let apk = (!device.is_fake()).then(|| PathBuf::from(&info.apk));
        Ok(Self { device, apk, run, resume: true, seed: info.seed, arguments: info.arguments })
    }
}

/// Opens a session, hands it over, and concludes it however that ends: the summary of the run is on disk afterwards.
pub fn open<R>(
    settings: &DriveSettings,
    context: Context<'_>,
    drive: impl FnOnce(&mut DriveSession<'_, '_>) -> R,
) -> Result<R, Failure> {
    let connection = connect(&settings.device, settings.apk.as_deref(), context)?;
    let mut lab = Lab::new(connection.connect.as_ref(), 1, context.interrupt);
    let app = lab.rig().app()?.clone();
    let description = lab.rig().describe()?.clone();
    let explore = explore_settings(&settings.device);
    let mut strategy = strategy::build(&explore, settings.seed, &app, &connection.apk)?;
    let interesting = explore.interesting();
    let exploration = if settings.resume {
        Exploration::resume(&settings.run, strategy.as_mut(), interesting, &app)?
    } else {
        let info = RunInfo {
            retap: RunInfo::KIND.into(),
            version: RunInfo::VERSION,
            retap_version: env!("CARGO_PKG_VERSION").into(),
            verb: "explore".into(),
            arguments: settings.arguments.clone(),
            seed: settings.seed,
            world_seed: settings.seed,
            app: app.identity.clone(),
            apk: connection.apk.display().to_string(),
            device: description.kind.clone(),
            api: description.api,
            display: description.display,
            outside: settings.device.outside.clone(),
            abstraction: settings.device.recorded_abstraction(),
        };
        let recorder = Recorder::create(&settings.run, info, &app.units)?;
        Exploration::new(recorder, strategy.as_mut(), interesting, &app)
    };
    let oracles = Oracles::new(BTreeSet::new(), &app, settings.device.recorded_abstraction());
    let mut session =
        DriveSession::new(lab, exploration, app, oracles, settings.run.clone(), context);
    session.begin()?;
    let result = drive(&mut session);
    session.conclude(connection.connect.as_ref())?;
    Ok(result)
}

fn explore_settings(device: &DeviceSettings) -> ExploreSettings {
    ExploreSettings {
        device: device.clone(),
        strategy: StrategyKind::Auto,
        interesting: InterestingPolicy::default(),
        stuck: StuckPolicy::default(),
        fittest: FittestPolicy::default(),
        without: Vec::new(),
        map: false,
        learn_from: None,
        seed_traces: Vec::new(),
        blind: false,
        trace_length: TRACE_LENGTH,
        max_events: None,
    }
}
