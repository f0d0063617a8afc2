//! What the tools work with: the settings, and the session of the app that was launched last.

use crate::access::Access;
use retap_drive::{DriveSession, DriveSettings, Driver, SharedProgress};
use retap_engine::{DeviceKind, DeviceSettings, Failure};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// What the server is started with.
#[derive(Debug, Clone)]
pub struct McpSettings {
    pub access: Access,
    pub device: DeviceSettings,
    /// The folder that gets a run directory for each launch.
    pub output: PathBuf,
    pub seed: u64,
    /// The program that runs whole verbs, such as `update`: retap itself.
    pub program: PathBuf,
}

/// The flag that stops what a session is doing; none while no session runs.
pub type StopFlag = Arc<Mutex<Option<Arc<AtomicBool>>>>;

/// The state behind the tools: one device at a time.
#[derive(Debug)]
pub struct Toolbox {
    pub settings: McpSettings,
    driver: Option<Driver>,
    launches: u32,
    pub stop: StopFlag,
}

impl Toolbox {
    pub fn new(settings: McpSettings) -> Self {
        Self { settings, driver: None, launches: 0, stop: StopFlag::default() }
    }

    /// Ends the session before, and starts one with this app.
    pub fn launch(&mut self, apk: Option<&Path>) -> Result<(), Failure> {
        self.end();
        self.launches += 1;
        let mut device = self.settings.device.clone();
        let is_fake = apk.is_some_and(|file| file.extension().is_some_and(|end| end == "fake"));
        if let Some(file) = apk.filter(|_| is_fake) {
            device.kind = DeviceKind::Fake(file.to_path_buf());
        }
        let apk = apk.filter(|_| !is_fake).map(Path::to_path_buf);
        let named = match &device.kind {
            DeviceKind::Fake(file) => {
                vec!["--device".to_string(), format!("fake:{}", file.display())]
            }
            _ => apk.iter().map(|file| file.display().to_string()).collect(),
        };
        let settings = DriveSettings {
            device,
            apk,
            run: self.settings.output.join(self.launches.to_string()),
            resume: false,
            seed: self.settings.seed,
            arguments: ["explore".to_string()].into_iter().chain(named).collect(),
        };
        let driver = Driver::start(settings, SharedProgress::default());
        *self.lock_stop() = Some(driver.stop_flag());
        self.driver = Some(driver);
        Ok(())
    }

    /// Asks the session. Without one the answer says how to get one.
    pub fn ask<T: Send + 'static>(
        &mut self,
        task: impl FnOnce(&mut DriveSession<'_, '_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let driver = self.driver.as_mut().ok_or_else(|| {
            let reach = self.settings.access.describe();
            Failure::input(format!("no app runs yet: call `launch` first. {reach}"))
        })?;
        driver.ask(task)
    }

    /// Returns what the session remarked since the last call.
    pub fn remarks(&mut self) -> Vec<String> {
        self.driver.as_ref().map_or_else(Vec::new, |driver| driver.progress.take_remarks())
    }

    /// Ends the session and writes what it found.
    pub fn end(&mut self) {
        *self.lock_stop() = None;
        // A session that failed has told so already.
        self.driver = None;
    }

    fn lock_stop(&self) -> std::sync::MutexGuard<'_, Option<Arc<AtomicBool>>> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
