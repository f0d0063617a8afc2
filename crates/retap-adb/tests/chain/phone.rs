//! A phone behind a stock adb server of its own, on loopback.

use retap_adb::{AdbConnect, AdbEnvironment, AdbOptions};
use retap_adbd::{AdbServer, Phone, PhoneSettings, StartDevice};
use retap_device::fake::FakeConnect;
use retap_device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, InstrumentedApp, Notice};
use retap_model::{App, Display, Event, Observation, WorldSeed};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns true if stock adb is here. Continuous integration installs it.
#[allow(clippy::print_stdout)] // a test that cannot run says so
pub fn is_here() -> bool {
    let found = Command::new("adb").arg("version").stdout(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("adb is not installed: nothing was checked");
    }
    found
}

/// Returns true if long tests are asked for: those with a JVM behind adb, or with many runs of the binary.
pub fn is_long_wanted() -> bool {
    std::env::var_os("RETAP_LONG").is_some()
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A phone, and the adb server that knows it.
pub struct ServedPhone {
    pub serial: String,
    pub server_port: u16,
    home: tempfile::TempDir,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ServedPhone {
    pub fn start(start: StartDevice, api: Option<u32>) -> Self {
        let settings = PhoneSettings { start, api, display: Display::default(), world_seed: 1 };
        let phone = Phone::new(settings).unwrap();
        let server = AdbServer::listen("0".parse().unwrap(), phone).unwrap();
        let serial = server.address().unwrap().to_string();
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        let thread = std::thread::spawn(move || server.run(&flag, &|_| {}));
        let home = tempfile::tempdir().unwrap();
        Self { serial, server_port: free_port(), home, interrupt, thread: Some(thread) }
    }

    /// Serves a fake that stands in for the app of any APK.
    pub fn of_fake(name: &str, api: Option<u32>) -> Self {
        let fake = FakeConnect::load(&root().join("fakes").join(name)).unwrap();
        let start = move |_: Option<&Path>| {
            let (device, app) = fake.connect()?;
            let stand_in: Box<dyn Device> = Box::new(StandIn { device, app: app.clone() });
            Ok((stand_in, app))
        };
        Self::start(Box::new(start), api)
    }

    /// Serves the embedded device.
    pub fn of_embedded() -> Self {
        let start = |apk: Option<&Path>| {
            let apk = apk.map(Path::to_path_buf).unwrap_or_default();
            let quiet = Arc::new(|_: Notice<'_>| {});
            let mut options = EmbeddedOptions::default();
            if InstrumentedApp::open(&apk)?.is_some() {
                // As `retap serve` does: the app counts by itself.
                options.selection.exclude = vec!["*".into()];
            }
            EmbeddedConnect::new(apk, options, quiet).connect()
        };
        Self::start(Box::new(start), None)
    }

    /// Runs stock adb with this phone's server.
    pub fn adb(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("adb");
        command.args(["-P", &self.server_port.to_string()]).args(arguments).stdin(Stdio::null());
        command
            .env("HOME", self.home.path())
            .env_remove("ANDROID_SERIAL")
            .env_remove("ADB_SERVER_SOCKET");
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    }

    pub fn environment(&self) -> AdbEnvironment {
        let home = Some(self.home.path().to_path_buf());
        AdbEnvironment { home, ..AdbEnvironment::at_port(self.server_port) }
    }

    pub fn options(&self) -> AdbOptions {
        AdbOptions::new(self.environment(), vec![self.serial.clone()])
    }

    pub fn connect(&self, apk: &str) -> AdbConnect {
        AdbConnect::new(root().join("fixtures").join(apk), self.options())
    }
}

/// A fake that stands in for the app of whatever APK is installed.
struct StandIn {
    device: Box<dyn Device>,
    app: App,
}

impl Device for StandIn {
    fn describe(&self) -> &Description {
        self.device.describe()
    }

    fn install(&mut self, _: &Path) -> Result<App, DeviceError> {
        Ok(self.app.clone())
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.device.reset(world_seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.device.perform(event)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.device.save()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.device.restore(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot()
    }
}

impl Drop for ServedPhone {
    fn drop(&mut self) {
        self.adb(&["kill-server"]);
        self.interrupt.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // Its panic is the test's own.
            let _ = thread.join();
        }
    }
}
