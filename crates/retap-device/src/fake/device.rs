//! The fake as a [`Device`].

mod world;

use crate::aim::{Aim, MissingTarget, aim};
use crate::device::{Connect, Description, Device, DeviceError, SnapshotId};
use crate::fake::app::FakeApp;
use crate::fake::drawing::render::{RenderCache, RenderedScreen, render_other_app};
use crate::fake::drawing::screenshot::encode_png;
use crate::fake::fault::{FaultKind, find_fault};
use retap_model::{Coverage, Event, Loss, Observation, Outcome, WorldSeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use world::{EventPlace, EventResult, World};

/// Makes fakes of one file. A fault with `once` strikes only one of them.
#[derive(Debug, Clone)]
pub struct FakeConnect {
    path: PathBuf,
    app: Arc<FakeApp>,
}

impl FakeConnect {
    /// Loads an app file.
    pub fn load(path: &Path) -> Result<Self, DeviceError> {
        Ok(Self { path: path.to_path_buf(), app: Arc::new(read(path)?) })
    }

    pub fn device(&self) -> FakeDevice {
        FakeDevice::new(Arc::clone(&self.app), &self.path)
    }
}

impl Connect for FakeConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, retap_model::App), DeviceError> {
        Ok((Box::new(self.device()), self.app.describe()))
    }
}

/// A device that runs an app file.
#[derive(Debug)]
pub struct FakeDevice {
    app: Arc<FakeApp>,
    path: PathBuf,
    description: Description,
    /// `None` before the first reset.
    state: Option<DeviceState>,
    snapshots: BTreeMap<SnapshotId, DeviceState>,
    save_count: u64,
    render_cache: RenderCache,
    no_coverage: Arc<Coverage>,
    /// Counted over the device's whole life, for faults and for chances that no seed decides.
    events: u64,
    reset_count: u64,
    dead: bool,
}

#[derive(Debug, Clone)]
struct DeviceState {
    world: World,
    rendered: Arc<RenderedScreen>,
}

fn read(path: &Path) -> Result<FakeApp, DeviceError> {
    let source = std::fs::read_to_string(path)
        .map_err(|error| DeviceError::App(format!("cannot read {}: {error}", path.display())))?;
    FakeApp::parse(&path.display().to_string(), &source)
        .map_err(|error| DeviceError::App(error.to_string()))
}

impl FakeDevice {
    pub fn load(path: &Path) -> Result<Self, DeviceError> {
        Ok(FakeConnect::load(path)?.device())
    }

    /// Creates a device that takes its serial from `name`.
    pub fn new(app: Arc<FakeApp>, name: &Path) -> Self {
        let serial = name.file_stem().unwrap_or(name.as_os_str()).to_string_lossy();
        let description = Description {
            kind: "fake".into(),
            serial: serial.into_owned(),
            api: None,
            display: app.display,
            snapshots: app.snapshots,
            screenshots: app.screenshots,
            deterministic: app.deterministic,
        };
        Self {
            app,
            path: name.to_path_buf(),
            description,
            state: None,
            snapshots: BTreeMap::new(),
            save_count: 0,
            render_cache: RenderCache::default(),
            no_coverage: Arc::new(Coverage::new()),
            events: 0,
            reset_count: 0,
            dead: false,
        }
    }

    fn check_alive(&self) -> Result<(), DeviceError> {
        if self.dead { Err(lost(self.events)) } else { Ok(()) }
    }

    fn state(&self) -> Result<&DeviceState, DeviceError> {
        self.check_alive()?;
        self.state
            .as_ref()
            .ok_or_else(|| DeviceError::Setup("the fake device was not reset yet".into()))
    }

    fn render(&mut self, world: &World) -> Arc<RenderedScreen> {
        match world.app_in_front() {
            Some(package) => render_other_app(&self.app, package, world.orientation),
            None => {
                self.render_cache.render(&self.app, &world.stack, &world.values, world.orientation)
            }
        }
    }

    fn check_lost(&mut self, result: &EventResult) -> Result<(), DeviceError> {
        let Outcome::DeviceLost(loss) = &result.outcome else { return Ok(()) };
        self.dead = true;
        Err(DeviceError::Lost(Loss::clone(loss)))
    }

    fn observe(&self, rendered: &RenderedScreen, result: EventResult) -> Observation {
        Observation {
            screen: Arc::clone(&rendered.screen),
            coverage: result.coverage.unwrap_or_else(|| Arc::clone(&self.no_coverage)),
            elapsed_ms: result.elapsed_ms,
            outcome: result.outcome,
            log: result.log,
            host_limitations: result.limitation.into_iter().collect(),
        }
    }
}

impl Device for FakeDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, apk: &Path) -> Result<retap_model::App, DeviceError> {
        self.check_alive()?;
        if apk != self.path {
            *self = FakeDevice::load(apk)?;
        }
        Ok(self.app.describe())
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        self.reset_count += 1;
        let mut world = World::new(&self.app, world_seed, self.reset_count);
        let result = world.launch(&self.app);
        self.check_lost(&result)?;
        let rendered = self.render(&world);
        let observation = self.observe(&rendered, result);
        self.state = Some(DeviceState { world, rendered });
        Ok(observation)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.state()?;
        self.events += 1;
        let fault = find_fault(&self.app.faults, self.events);
        if let Some(FaultKind::Die | FaultKind::Lose) = fault {
            self.dead = fault == Some(FaultKind::Die);
            return Err(lost(self.events));
        }
        let Some(DeviceState { mut world, rendered }) = self.state.take() else {
            return Err(lost(self.events));
        };
        let places: Result<Vec<Option<EventPlace>>, MissingTarget> =
            event.parts().iter().map(|part| place(part, &rendered)).collect();
        let result = match places {
            Err(MissingTarget) => EventResult {
                coverage: None,
                elapsed_ms: 0,
                outcome: Outcome::Missed,
                log: Vec::new(),
                limitation: None,
            },
            Ok(_) if fault == Some(FaultKind::Hang) => {
                let stack = "the device was told to hang\n".to_string();
                world.end_process(Outcome::NotResponding { stack }, None, 0)
            }
            Ok(places) => world.perform(&self.app, &rendered, event, &places),
        };
        self.check_lost(&result)?;
        let missed = result.outcome == Outcome::Missed;
        let shown = if missed { Arc::clone(&rendered) } else { self.render(&world) };
        let seen = if fault == Some(FaultKind::Lie) { &rendered } else { &shown };
        let observation = self.observe(seen, result);
        self.state = Some(DeviceState { world, rendered: shown });
        Ok(observation)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let state = self.state()?.clone();
        if !self.description.snapshots {
            return Err(DeviceError::Unsupported("save its state"));
        }
        let id = SnapshotId(self.save_count);
        self.save_count += 1;
        self.snapshots.insert(id, state);
        Ok(id)
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        if !self.description.snapshots {
            return Err(DeviceError::Unsupported("restore a saved state"));
        }
        let Some(state) = self.snapshots.get(&snapshot).cloned() else {
            return Err(unknown_snapshot(snapshot));
        };
        let outcome = state.world.outcome(&self.app);
        let result = EventResult {
            coverage: None,
            elapsed_ms: 0,
            outcome,
            log: Vec::new(),
            limitation: None,
        };
        let observation = self.observe(&state.rendered, result);
        self.state = Some(state);
        Ok(observation)
    }

    fn forget(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        self.snapshots.remove(&snapshot).map(|_| ()).ok_or_else(|| unknown_snapshot(snapshot))
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        let state = self.state()?;
        if !self.description.screenshots {
            return Err(DeviceError::Unsupported("take screenshots"));
        }
        encode_png(&state.rendered.screen)
            .map_err(|error| DeviceError::lost(format!("cannot encode the rendered: {error}")))
    }
}

fn unknown_snapshot(snapshot: SnapshotId) -> DeviceError {
    DeviceError::lost(format!("it has no snapshot {}", snapshot.0))
}

fn lost(event: u64) -> DeviceError {
    DeviceError::lost(format!("a fault of the app file at event {event}"))
}

/// Finds the place on the front window where an event acts.
fn place(event: &Event, rendered: &RenderedScreen) -> Result<Option<EventPlace>, MissingTarget> {
    let aimed: Option<Aim<'_>> = aim(event, &rendered.screen)?;
    Ok(aimed.map(|aim| EventPlace {
        point: aim.point,
        source: aim.widget.and_then(|widget| rendered.source(widget.index)),
    }))
}
