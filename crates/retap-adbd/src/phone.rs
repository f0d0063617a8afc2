//! The phone that clients see: installed apps, each on a device of its own, the one in front, the log and the settings.

mod app;
mod clock;
mod install;
mod leaving;
mod log;
mod properties;
mod providers;
mod sessions;

pub use app::InstalledApp;
pub use clock::{parse_time, show_time};
pub use install::{InstallFailure, InstallOptions};
pub use leaving::LeavingConnections;
pub use log::{Buffer, Log, LogEntry};
pub use sessions::InstallSessions;

use crate::files::FileTree;
use app::Life;
use retap_device::{Device, DeviceError};
use retap_model::event::SystemEvent;
use retap_model::format::rotation;
use retap_model::{App, Display, Event, Observation, Orientation, Outcome, Point, Rect, Screen};
use retap_model::{Flags, Target, Widget, Window, WindowKind, WorldSeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Starts a device with an app: the APK of that name, or the app that the device itself carries.
pub type StartDevice =
    Box<dyn Fn(Option<&Path>) -> Result<(Box<dyn Device>, App), DeviceError> + Send + Sync>;

/// The package that is in front when no app is.
pub const HOME: &str = "com.android.launcher3";
const HOME_ACTIVITY: &str = "com.android.launcher3.Launcher";

/// What a phone is made with.
pub struct PhoneSettings {
    pub start: StartDevice,
    /// The API level that was asked for; by default that of the newest app's device.
    pub api: Option<u32>,
    pub display: Display,
    pub world_seed: WorldSeed,
}

impl std::fmt::Debug for PhoneSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PhoneSettings").field("api", &self.api).finish_non_exhaustive()
    }
}

/// A phone that several clients use.
#[derive(Debug)]
pub struct Phone {
    state: Mutex<PhoneState>,
    files: Mutex<FileTree>,
    pub log: Log,
    pub leaving: LeavingConnections,
}

/// What one command at a time may see and change.
#[derive(Debug)]
pub struct PhoneState {
    settings: PhoneSettings,
    pub apps: BTreeMap<String, InstalledApp>,
    /// The package whose device is shown.
    front: Option<String>,
    /// Namespace and name to value.
    pub stored: BTreeMap<(String, String), String>,
    pub properties: BTreeMap<String, String>,
    /// Where the last tap was: a field there takes typed text on devices that show no focus.
    pub touched: Option<Point>,
    /// The field that was typed into, and what it then held.
    pub typed: Option<(Rect, String)>,
    /// False after the screen was put to sleep.
    pub is_awake: bool,
    next_pid: u32,
    /// The folder of the installed APKs.
    folder: tempfile::TempDir,
    installs: u32,
    /// Apps in parts that are being installed.
    pub sessions: InstallSessions,
    log: Log,
}

/// The activity in front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontActivity {
    pub package: String,
    pub class: String,
    pub pid: u32,
}

impl FrontActivity {
    /// Returns `package/class`, the class shortened as Android does.
    pub fn component(&self) -> String {
        let class = self.class.strip_prefix(&self.package).filter(|rest| rest.starts_with('.'));
        format!("{}/{}", self.package, class.unwrap_or(&self.class))
    }
}

impl Phone {
    pub fn new(settings: PhoneSettings) -> std::io::Result<Self> {
        let log = Log::default();
        let state = PhoneState {
            settings,
            apps: BTreeMap::new(),
            front: None,
            stored: properties::stored(),
            properties: BTreeMap::new(),
            touched: None,
            typed: None,
            is_awake: true,
            next_pid: 2_000,
            folder: tempfile::Builder::new().prefix("retap-adb-").tempdir()?,
            installs: 0,
            sessions: InstallSessions::default(),
            log: log.clone(),
        };
        Ok(Self {
            state: Mutex::new(state),
            files: Mutex::default(),
            log,
            leaving: LeavingConnections::default(),
        })
    }

    /// Installs the app of a file, or the one that the device carries.
    pub fn install(&self, apk: Option<PathBuf>) -> Result<String, InstallFailure> {
        self.state().install_file(apk, InstallOptions::default())
    }

    /// Returns the names of this phone as the handshake tells them.
    pub fn banner(&self) -> String {
        let names = ["name", "model", "device"].map(|name| {
            let value = properties::PRODUCT;
            format!("ro.product.{name}={value}")
        });
        names.join(";")
    }

    pub fn state(&self) -> MutexGuard<'_, PhoneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn files(&self) -> MutexGuard<'_, FileTree> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PhoneState {
    pub fn display(&self) -> Display {
        self.described(|device| Some(device.describe().display)).unwrap_or(self.settings.display)
    }

    pub fn api(&self) -> u32 {
        let described = self.described(|device| device.describe().api);
        described.or(self.settings.api).unwrap_or(properties::DEFAULT_API)
    }

    pub fn orientation(&self) -> Orientation {
        self.shown().map_or(Orientation::Portrait, |screen| screen.orientation)
    }

    fn described<T>(&self, read: impl Fn(&dyn Device) -> Option<T>) -> Option<T> {
        let front = self.front.as_ref().and_then(|package| self.apps.get(package));
        front.or_else(|| self.apps.values().next_back()).and_then(|app| read(app.device.as_ref()))
    }

    fn next_world_seed(&self) -> WorldSeed {
        let set = self.properties.get(properties::WORLD_SEED).and_then(|seed| seed.parse().ok());
        set.unwrap_or(self.settings.world_seed)
    }

    /// Starts an app as its icon does: where it is, or anew.
    pub fn launch(&mut self, package: &str) -> Result<(), String> {
        let (world_seed, pid) = (self.next_world_seed(), self.take_pid());
        let app = self.apps.get_mut(package).ok_or_else(|| unknown(package))?;
        let observed = app.launch(world_seed, pid);
        self.front = Some(package.to_string());
        self.observe(package, observed);
        Ok(())
    }

    /// Does something to the app in front. Returns false if no app runs.
    pub fn perform(&mut self, event: &Event) -> bool {
        if let Event::System(SystemEvent::ScreenOn(is_awake)) = event {
            self.is_awake = *is_awake;
        }
        let Some(package) = self.front.clone() else { return false };
        self.perform_on(&package, event)
    }

    /// Does something to an app that was launched. Returns false if it was not.
    pub fn perform_on(&mut self, package: &str, event: &Event) -> bool {
        let Some(app) = self.apps.get_mut(package).filter(|app| app.life == Life::Live) else {
            return false;
        };
        if let Event::Tap(Target { at, .. }) = event {
            self.touched = *at;
        }
        let observed = app.device.perform(event);
        self.observe(package, observed);
        true
    }

    /// Returns true if the app was launched and has not ended.
    pub fn runs(&self, package: &str) -> bool {
        let runs = |app: &InstalledApp| app.life == Life::Live && *app.outcome() != Outcome::Exited;
        self.apps.get(package).is_some_and(runs)
    }

    /// Turns the screen as the setting says.
    pub fn apply_rotation(&mut self) {
        let key = ("system".to_string(), "user_rotation".to_string());
        let wanted = self.stored.get(&key).and_then(|turns| rotation::parse(turns));
        if let Some(orientation) = wanted.filter(|wanted| *wanted != self.orientation()) {
            self.perform(&Event::Rotate(orientation));
        }
    }

    /// Ends an app; its data stay.
    pub fn stop(&mut self, package: &str) {
        if self.perform_on(package, &Event::Close)
            && let Some(app) = self.apps.get_mut(package)
        {
            app.pid = None;
        }
    }

    /// Ends an app and deletes its data.
    pub fn clear(&mut self, package: &str) -> Result<(), String> {
        let app = self.apps.get_mut(package).ok_or_else(|| unknown(package))?;
        app.life = Life::Fresh;
        app.pid = None;
        app.last = None;
        self.leave(package);
        Ok(())
    }

    pub fn uninstall(&mut self, package: &str) -> bool {
        self.leave(package);
        self.apps.remove(package).is_some()
    }

    fn leave(&mut self, package: &str) {
        if self.front.as_deref() == Some(package) {
            self.front = None;
        }
    }

    fn take_pid(&mut self) -> u32 {
        self.next_pid += 1;
        self.next_pid
    }

    fn observe(&mut self, package: &str, observed: Result<Observation, DeviceError>) {
        let Some(app) = self.apps.get_mut(package) else { return };
        let observation = observed.unwrap_or_else(|error| match error {
            DeviceError::Lost(loss) => Observation::of_loss(loss),
            // The device refused the event and did nothing.
            error => Observation {
                outcome: app.outcome().clone(),
                host_limitations: vec![error.to_string()],
                screen: app.screen(),
                coverage: Arc::default(),
                elapsed_ms: 0,
                log: Vec::new(),
            },
        });
        self.log.add_observation(package, app.pid.unwrap_or_default(), &observation);
        if matches!(observation.outcome, Outcome::DeviceLost(_)) {
            // A fresh device takes its place; what the app had stored is gone, as the log says.
            if let Ok((device, _)) = (self.settings.start)(app.file()) {
                app.device = device;
            }
        }
        app.observed(observation);
    }

    /// Returns the app in front and its last observation, if an app was launched.
    pub fn front_app(&self) -> Option<&InstalledApp> {
        let app = self.apps.get(self.front.as_ref()?)?;
        app.last.is_some().then_some(app)
    }

    fn shown(&self) -> Option<Arc<Screen>> {
        let app = self.front_app()?;
        let shows =
            matches!(app.outcome(), Outcome::Running | Outcome::Missed | Outcome::Left { .. });
        shows.then(|| app.screen()).filter(|screen| !screen.windows.is_empty())
    }

    /// Returns what is on the screen: the app's windows, another app's, or the home screen.
    pub fn screen(&self) -> Arc<Screen> {
        self.shown().unwrap_or_else(|| Arc::new(home_screen(self.display())))
    }

    pub fn front_activity(&self) -> FrontActivity {
        let home =
            || FrontActivity { package: HOME.into(), class: HOME_ACTIVITY.into(), pid: 1_200 };
        let (Some(app), Some(screen)) = (self.front_app(), self.shown()) else { return home() };
        let package = match app.outcome() {
            Outcome::Left { package } => package.clone(),
            _ => app.package().to_string(),
        };
        let is_app = package == app.package();
        let class = match screen.activity.as_str() {
            "" => format!("{package}.Main"),
            activity => activity.to_string(),
        };
        let pid = app.pid.filter(|_| is_app).unwrap_or(1_300);
        FrontActivity { package, class, pid }
    }

    /// Returns the activities of apps that are open behind the one in front.
    pub fn behind(&self) -> Vec<FrontActivity> {
        let front = self.front_activity().package;
        let is_open = |app: &&InstalledApp| {
            app.package() != front
                && match app.life {
                    Life::Live => *app.outcome() != Outcome::Exited,
                    Life::Killed => true,
                    Life::Fresh | Life::Updated | Life::Gone => false,
                }
        };
        let name = |app: &InstalledApp| FrontActivity {
            package: app.package().to_string(),
            class: app.launcher().unwrap_or_default(),
            pid: app.pid.unwrap_or_default(),
        };
        self.apps.values().filter(is_open).map(name).collect()
    }

    /// Returns a PNG of the screen.
    pub fn screenshot(&mut self) -> Result<Vec<u8>, String> {
        let live = |app: &&mut InstalledApp| app.life == Life::Live;
        let front = self.front.clone().and_then(|package| self.apps.get_mut(&package)).filter(live);
        let app = front.ok_or("no app is in front, and the home screen has no picture")?;
        app.device.screenshot().map_err(|error| error.to_string())
    }
}

pub fn unknown(package: &str) -> String {
    format!("no app {package} is installed")
}

/// Returns the screen of a phone on which no app is open.
fn home_screen(display: Display) -> Screen {
    let bounds = Rect::new(0, 0, display.width as i32, display.height as i32);
    let widget = Widget {
        class: "android.widget.FrameLayout".into(),
        bounds,
        flags: Flags::VISIBLE | Flags::ENABLED,
        ..Widget::default()
    };
    let window = Window {
        kind: WindowKind::Outside,
        package: HOME.into(),
        title: String::new(),
        bounds,
        focused: true,
        widgets: vec![widget],
    };
    Screen { activity: HOME_ACTIVITY.into(), windows: vec![window], ..Screen::default() }
}
