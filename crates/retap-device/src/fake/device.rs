//! The fake as a [`Device`].

use super::app::App;
use super::fault::{FaultKind, strikes};
use super::picture;
use super::render::{Gallery, Picture, foreign};
use super::world::{Place, Turn, World};
use crate::aim::{Aim, Gone, aim};
use crate::device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_model::{Coverage, Event, Observation, Outcome, WorldSeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes fakes of one file. A fault that strikes `once` strikes one of them.
#[derive(Debug, Clone)]
pub struct FakeConnect {
    path: PathBuf,
    app: Arc<App>,
}

impl FakeConnect {
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

#[derive(Debug)]
pub struct FakeDevice {
    app: Arc<App>,
    path: PathBuf,
    description: Description,
    /// `None` before the first reset.
    standing: Option<Standing>,
    snapshots: BTreeMap<SnapshotId, Standing>,
    saves: u64,
    gallery: Gallery,
    nothing: Arc<Coverage>,
    /// Over the device's whole life, for faults and for luck that no seed decides.
    events: u64,
    resets: u64,
    dead: bool,
}

#[derive(Debug, Clone)]
struct Standing {
    world: World,
    picture: Arc<Picture>,
}

fn read(path: &Path) -> Result<App, DeviceError> {
    let source = std::fs::read_to_string(path)
        .map_err(|error| DeviceError::Setup(format!("cannot read {}: {error}", path.display())))?;
    App::parse(&path.display().to_string(), &source)
        .map_err(|error| DeviceError::Setup(error.to_string()))
}

impl FakeDevice {
    pub fn load(path: &Path) -> Result<Self, DeviceError> {
        Ok(FakeConnect::load(path)?.device())
    }

    /// `name` is what the device calls itself.
    pub fn new(app: Arc<App>, name: &Path) -> Self {
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
            standing: None,
            snapshots: BTreeMap::new(),
            saves: 0,
            gallery: Gallery::default(),
            nothing: Arc::new(Coverage::new()),
            events: 0,
            resets: 0,
            dead: false,
        }
    }

    fn check_alive(&self) -> Result<(), DeviceError> {
        if self.dead { Err(lost(self.events)) } else { Ok(()) }
    }

    fn standing(&self) -> Result<&Standing, DeviceError> {
        self.check_alive()?;
        self.standing
            .as_ref()
            .ok_or_else(|| DeviceError::Setup("the fake device was not reset yet".into()))
    }

    fn show(&mut self, world: &World) -> Arc<Picture> {
        match world.stand_in() {
            Some(package) => foreign(&self.app, package, world.orientation),
            None => self.gallery.picture(&self.app, &world.stack, &world.values, world.orientation),
        }
    }

    fn observe(&self, picture: &Picture, turn: Turn) -> Observation {
        Observation {
            screen: Arc::clone(&picture.screen),
            coverage: turn.coverage.unwrap_or_else(|| Arc::clone(&self.nothing)),
            elapsed_ms: turn.elapsed_ms,
            outcome: turn.outcome,
            log: turn.log,
            host_limitations: Vec::new(),
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
        self.resets += 1;
        let world = World::new(&self.app, world_seed, self.resets);
        let picture = self.show(&world);
        let effect = &self.app.start.effect;
        let turn = Turn {
            coverage: Some(Arc::clone(&effect.coverage)),
            elapsed_ms: effect.takes,
            outcome: world.outcome(&self.app),
            log: effect.log.clone(),
        };
        let observation = self.observe(&picture, turn);
        self.standing = Some(Standing { world, picture });
        Ok(observation)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.standing()?;
        self.events += 1;
        let fault = strikes(&self.app.faults, self.events);
        if let Some(FaultKind::Die | FaultKind::Lose) = fault {
            self.dead = fault == Some(FaultKind::Die);
            return Err(lost(self.events));
        }
        let Some(Standing { mut world, picture }) = self.standing.take() else {
            return Err(lost(self.events));
        };
        let turn = match place(event, &picture) {
            Err(Gone) => {
                Turn { coverage: None, elapsed_ms: 0, outcome: Outcome::Missed, log: Vec::new() }
            }
            Ok(_) if fault == Some(FaultKind::Hang) => {
                let stack = "the device was told to hang\n".to_string();
                world.die(Outcome::NotResponding { stack }, None, 0)
            }
            Ok(place) => world.take(&self.app, &picture, event, place),
        };
        let missed = turn.outcome == Outcome::Missed;
        let shown = if missed { Arc::clone(&picture) } else { self.show(&world) };
        let seen = if fault == Some(FaultKind::Lie) { &picture } else { &shown };
        let observation = self.observe(seen, turn);
        self.standing = Some(Standing { world, picture: shown });
        Ok(observation)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let standing = self.standing()?.clone();
        if !self.description.snapshots {
            return Err(DeviceError::Unsupported("save its state"));
        }
        let id = SnapshotId(self.saves);
        self.saves += 1;
        self.snapshots.insert(id, standing);
        Ok(id)
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        if !self.description.snapshots {
            return Err(DeviceError::Unsupported("restore a saved state"));
        }
        let Some(standing) = self.snapshots.get(&snapshot).cloned() else {
            return Err(DeviceError::Lost(format!("it has no snapshot {}", snapshot.0)));
        };
        let outcome = standing.world.outcome(&self.app);
        let turn = Turn { coverage: None, elapsed_ms: 0, outcome, log: Vec::new() };
        let observation = self.observe(&standing.picture, turn);
        self.standing = Some(standing);
        Ok(observation)
    }

    fn forget(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        self.snapshots.remove(&snapshot);
        Ok(())
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        let standing = self.standing()?;
        if !self.description.screenshots {
            return Err(DeviceError::Unsupported("take screenshots"));
        }
        picture::png(&standing.picture.screen)
            .map_err(|error| DeviceError::Lost(format!("cannot encode the picture: {error}")))
    }
}

fn lost(event: u64) -> DeviceError {
    DeviceError::Lost(format!("a fault of the app file at event {event}"))
}

/// From the event's target to a widget of the front page.
fn place(event: &Event, picture: &Picture) -> Result<Option<Place>, Gone> {
    let aimed: Option<Aim<'_>> = aim(event, &picture.screen)?;
    Ok(aimed.map(|aim| Place {
        point: aim.point,
        origin: aim.widget.and_then(|widget| picture.origin(widget.index)),
    }))
}
