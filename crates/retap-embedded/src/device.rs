//! The embedded device: aims events, asks the agent, and makes observations of its answers.

use crate::coverage::{Probes, Sources, Table};
use crate::embedded::{Listener, Options};
use crate::package::Package;
use crate::process::Agent;
use crate::setup::{self, Kit, Machine, Notice, Prepared};
use crate::wire::{Ending, Install, Malformed, Refusal, Reply, Request, Seen, VERSION};
use retap_device::aim::aim;
use retap_device::{Description, Device, DeviceError, SnapshotId};
use retap_model::{App, Coverage, Event, Observation, Outcome, Point, Screen, WorldSeed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Until the JVM speaks, on a machine that is busy.
const HELLO: Duration = Duration::from_secs(300);
/// Translating a big app takes minutes, once.
const INSTALL: Duration = Duration::from_secs(900);
/// The agent itself ends a step after a bounded amount of work; this is for when it cannot. Long, because
/// a machine with more to do than it can take must not look like a hung agent.
const STEP: Duration = Duration::from_secs(600);

/// An agent that refuses this many events in a row is broken, whatever it says.
const REFUSALS: usize = 3;

pub struct EmbeddedDevice {
    machine: Machine,
    options: Options,
    listener: Listener,
    description: Description,
    installed: Option<Installed>,
    agent: Option<Agent>,
    app: AppState,
    /// What the agent sent last; it does not repeat itself.
    screen: Option<Arc<Screen>>,
    probes: Probes,
    refusals: usize,
    work: Duration,
}

#[derive(Debug)]
struct Installed {
    kit: Kit,
    package: Package,
    /// Where the agent keeps the table of units; known once it has prepared the app.
    counted: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppState {
    NotLaunched,
    Launched,
    /// Crashed or not responding: until the next reset.
    Gone,
}

impl std::fmt::Debug for EmbeddedDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedDevice")
            .field("description", &self.description)
            .field("agent", &self.agent)
            .field("app", &self.app)
            .finish_non_exhaustive()
    }
}

impl EmbeddedDevice {
    /// A device on this machine, as its environment variables describe it.
    pub fn here(options: Options, listener: Listener) -> Result<Self, DeviceError> {
        Ok(Self::new(Machine::here()?, options, listener))
    }

    fn new(machine: Machine, options: Options, listener: Listener) -> Self {
        let description = Description {
            kind: "embedded".into(),
            serial: "embedded".into(),
            api: options.api,
            display: options.display,
            snapshots: false,
            screenshots: true,
            deterministic: true,
        };
        Self {
            machine,
            options,
            listener,
            description,
            installed: None,
            agent: None,
            app: AppState::NotLaunched,
            screen: None,
            probes: Probes::default(),
            refusals: 0,
            work: Duration::ZERO,
        }
    }

    /// Why the installed app may not run as it does on a phone.
    pub fn warnings(&self) -> &[String] {
        self.installed.as_ref().map_or(&[], |installed| &installed.package.warnings)
    }

    /// The process that the app runs in, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.agent.as_ref().map(Agent::id)
    }

    /// What its agents have spent on resets and events so far, without the way there and back.
    pub fn work(&self) -> Duration {
        self.work
    }

    /// What is needed to write a run's coverage down, once an app is installed.
    pub(crate) fn coverage_sources(&self) -> Option<Sources> {
        let Installed { kit, package, counted } = self.installed.as_ref()?;
        Some(Sources {
            kit: kit.clone(),
            table: Arc::clone(self.probes.table()),
            folder: counted.clone(),
            package: package.app.identity.package.clone(),
        })
    }

    fn start_agent(&mut self) -> Result<(), DeviceError> {
        let Some(Installed { kit, package, counted }) = &mut self.installed else {
            return Err(DeviceError::Unsupported("start before an app is installed"));
        };
        (self.listener)(Notice::Progress("starting the embedded device"));
        let prepared = Prepared::new(&kit.prepared, &package.app.identity.sha256);
        let mut readable: Vec<&Path> = package.files.iter().map(PathBuf::as_path).collect();
        readable.push(prepared.folder());
        let mut agent = Agent::start(kit, &readable)?;
        let lent = agent.folder().join("prepared");
        prepared.lend(&lent).map_err(|error| {
            DeviceError::Setup(format!("cannot write to {}: {error}", lent.display()))
        })?;
        match agent.call(&Request::Hello, HELLO)? {
            Reply::Hello { version: VERSION } => {}
            Reply::Refused(refusal) => return Err(lost(&refusal)),
            other => return Err(unexpected(&other)),
        }
        let install = Install {
            apks: &package.files,
            prepared: &lent,
            android_jars: &kit.android_jars,
            api: package.api,
            display: self.options.display,
            navigation_bar: self.options.navigation_bar,
            outside: &self.options.outside,
            counted: &package.counted,
        };
        (self.listener)(Notice::Progress("preparing the app"));
        let folder = match agent.call(&Request::Install(install), INSTALL)? {
            Reply::Installed { counted } => counted,
            Reply::Refused(refusal) => return Err(not_installed(&package.app, &refusal)),
            other => return Err(unexpected(&other)),
        };
        let mut home = prepared.folder();
        if let Err(error) = prepared.keep(&lent) {
            let text = format!("the prepared app cannot be kept for the next time: {error}");
            (self.listener)(Notice::Remark(&text));
            home = &lent;
        }
        *counted = home.join(folder);
        if package.app.units.is_empty() {
            let table = Table::read(&counted.join(Table::FILE))
                .map_err(|error| DeviceError::Setup(error.to_string()))?;
            package.app.units = Arc::clone(&table.units);
            self.probes = Probes::new(Arc::new(table));
        }
        (self.listener)(Notice::Ready);
        self.agent = Some(agent);
        self.screen = None;
        self.refusals = 0;
        Ok(())
    }

    fn call(&mut self, request: &Request<'_>) -> Result<Reply, DeviceError> {
        let Some(agent) = &mut self.agent else {
            return Err(DeviceError::Lost("the agent is gone".into()));
        };
        let reply = agent.call(request, STEP);
        if reply.is_err() {
            self.agent = None;
        }
        reply
    }

    fn observe(&mut self, seen: Seen) -> Result<Observation, DeviceError> {
        self.refusals = 0;
        self.work = self.work.saturating_add(seen.work);
        let screen = seen.screen.map(Arc::new).or_else(|| self.screen.clone());
        let Some(screen) = screen else {
            return Err(damaged(&Malformed::NoScreen));
        };
        self.screen = Some(screen.clone());
        let coverage = self.probes.coverage(&seen.covered).map_err(|error| damaged(&error))?;
        let outcome = match seen.ending {
            Ending::Running => Outcome::Running,
            Ending::Left { package } => Outcome::Left { package },
            Ending::Exited => Outcome::Exited,
            Ending::NotResponding { stack } => Outcome::NotResponding { stack },
            Ending::Crashed(crash) => Outcome::Crashed(Arc::new(crash)),
        };
        self.app = if outcome.is_final() { AppState::Gone } else { AppState::Launched };
        if matches!(outcome, Outcome::NotResponding { .. }) {
            // Its last word, by the protocol; the next reset starts another.
            self.agent = None;
        }
        let limitation = |(kind, detail): (String, String)| format!("{kind}: {detail}");
        Ok(Observation {
            screen,
            coverage,
            elapsed_ms: seen.elapsed_ms,
            outcome,
            log: seen.log,
            host_limitations: seen.host_limitations.into_iter().map(limitation).collect(),
        })
    }

    /// Nothing was done: the screen is as it was.
    fn stand_still(&self, outcome: Outcome) -> Observation {
        Observation {
            screen: self.screen.clone().unwrap_or_default(),
            coverage: Arc::new(Coverage::default()),
            elapsed_ms: 0,
            outcome,
            log: Vec::new(),
            host_limitations: Vec::new(),
        }
    }

    /// The host could not do it, and the app had no part in that. Kept as data, unless nothing works
    /// any more.
    fn refused(&mut self, event: &Event, refusal: &Refusal) -> Result<Observation, DeviceError> {
        self.refusals += 1;
        if self.refusals == REFUSALS {
            self.agent = None;
            return Err(lost(refusal));
        }
        let mut observation = self.stand_still(Outcome::Running);
        observation.host_limitations.push(format!("cannot {event}: {refusal}"));
        Ok(observation)
    }
}

impl Device for EmbeddedDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        let package = Package::open(apk, self.options.api, &self.options.selection)?;
        let kit = setup::ready(&self.machine, package.api, &*self.listener)?;
        self.description.api = Some(package.api);
        self.description.serial = format!("embedded API {}", package.api);
        let installed = Installed { kit, package, counted: PathBuf::new() };
        self.installed = Some(installed);
        self.start_agent()?;
        self.installed
            .as_ref()
            .map(|installed| installed.package.app.clone())
            .ok_or(DeviceError::Unsupported("start before an app is installed"))
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        if self.agent.is_none() {
            self.start_agent()?;
        }
        self.app = AppState::NotLaunched;
        match self.call(&Request::Reset(world_seed))? {
            Reply::Seen(seen) => self.observe(*seen),
            Reply::Refused(refusal) => Err(lost(&refusal)),
            other => Err(unexpected(&other)),
        }
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        match self.app {
            AppState::NotLaunched => {
                return Err(DeviceError::Unsupported("take events before a reset"));
            }
            AppState::Gone => return Ok(self.stand_still(Outcome::Exited)),
            AppState::Launched => {}
        }
        let screen = self.screen.clone().unwrap_or_default();
        let Ok(aim) = aim(event, &screen) else {
            return Ok(self.stand_still(Outcome::Missed));
        };
        let at = aim.map_or(Point::new(0, 0), |aim| aim.point);
        let display = self.options.display;
        match self.call(&Request::Perform { event, at, display })? {
            Reply::Seen(seen) => self.observe(*seen),
            Reply::Refused(refusal) => self.refused(event, &refusal),
            other => Err(unexpected(&other)),
        }
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(DeviceError::Unsupported("save its state"))
    }

    fn restore(&mut self, _snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        Err(DeviceError::Unsupported("restore a saved state"))
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        if self.app != AppState::Launched {
            return Err(DeviceError::Unsupported("take a picture of an app that is gone"));
        }
        match self.call(&Request::Screenshot)? {
            Reply::Screenshot(png) => Ok(png),
            Reply::Refused(_) => Err(DeviceError::Unsupported("take a picture of this screen")),
            other => Err(unexpected(&other)),
        }
    }
}

fn lost(refusal: &Refusal) -> DeviceError {
    DeviceError::Lost(format!("the agent failed: {refusal}"))
}

fn damaged(error: &Malformed) -> DeviceError {
    DeviceError::Lost(format!("the agent's reply is damaged: {error}"))
}

fn unexpected(reply: &Reply) -> DeviceError {
    DeviceError::Lost(format!("the agent answered with {}", reply.name()))
}

fn not_installed(app: &App, refusal: &Refusal) -> DeviceError {
    let message =
        format!("{} cannot be prepared for the embedded device: {refusal}", app.identity.package);
    // Files that cannot be read or written are this machine's fault, all else the app's.
    let files =
        refusal.class.starts_with("java.io.") || refusal.class.starts_with("java.nio.file.");
    if files { DeviceError::Setup(message) } else { DeviceError::App(message) }
}
