//! The one session that the page drives, shared by the threads that answer it.

use crate::choices::Choice;
use retap_drive::{
    DriveSession, DriveSettings, Driver, MoveAnswer, ProgressReport, SharedProgress,
};
use retap_engine::{DeviceKind, DeviceSettings, Failure};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the page is started with.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    pub device: DeviceSettings,
    /// An APK, a fake or a run to open at once.
    pub what: Option<PathBuf>,
    /// The directory of a new run; another one is made from `new_run` if it is taken.
    pub run: Option<PathBuf>,
    pub seed: u64,
    /// The secret of the page's address.
    pub token: String,
    /// The port to listen on; 0 lets the system choose.
    pub port: u16,
    /// Makes the name of a new run directory for an app's file.
    pub new_run: fn(&str) -> PathBuf,
    /// Where runs and apps to choose from lie.
    pub runs: PathBuf,
    pub apps: PathBuf,
}

/// The session and what is known of it without asking it.
#[derive(Debug)]
pub struct SharedSession {
    settings: ServeSettings,
    driver: Mutex<Option<Driver>>,
    /// The last answer of the session, shown while it is busy.
    last: Mutex<Option<MoveAnswer>>,
    pub progress: SharedProgress,
    pub choices: Vec<Choice>,
}

impl SharedSession {
    /// Opens what was named, if anything was.
    pub fn new(settings: ServeSettings) -> Result<Self, Failure> {
        let session = Self {
            choices: Choice::list(&settings.runs, &settings.apps),
            driver: Mutex::new(None),
            last: Mutex::new(None),
            progress: SharedProgress::default(),
            settings,
        };
        if let Some(what) = session.settings.what.clone() {
            session.open(&what)?;
        } else if session.settings.device.is_fake() {
            session.start(session.settings_of_app(None))?;
        }
        Ok(session)
    }

    /// Ends the session before, and opens a run or an app.
    pub fn open(&self, what: &Path) -> Result<(), Failure> {
        let settings = if what.join("run.json").is_file() {
            DriveSettings::of_run(what.to_path_buf(), self.settings.device.clone())?
        } else if what.is_dir() {
            return Err(Failure::input(format!(
                "{} holds no run: name a run's directory or an APK",
                what.display()
            )));
        } else {
            check_app(what)?;
            self.settings_of_app(Some(what))
        };
        self.start(settings)
    }

    fn settings_of_app(&self, app: Option<&Path>) -> DriveSettings {
        let mut device = self.settings.device.clone();
        let is_fake = app.is_some_and(|file| file.extension().is_some_and(|end| end == "fake"));
        if let Some(file) = app.filter(|_| is_fake) {
            device.kind = DeviceKind::Fake(file.to_path_buf());
        }
        let apk = app.filter(|_| !is_fake).map(Path::to_path_buf);
        let (name, named) = match (&device.kind, &apk) {
            (DeviceKind::Fake(file), _) => {
                (stem(file), vec!["--device".to_string(), format!("fake:{}", file.display())])
            }
            (_, Some(file)) => (stem(file), vec![file.display().to_string()]),
            (_, None) => ("app".to_string(), Vec::new()),
        };
        let wanted = self.settings.run.clone().filter(|run| !run.exists());
        DriveSettings {
            device,
            apk,
            run: wanted.unwrap_or_else(|| (self.settings.new_run)(&name)),
            resume: false,
            seed: self.settings.seed,
            arguments: ["explore".to_string()].into_iter().chain(named).collect(),
        }
    }

    fn start(&self, settings: DriveSettings) -> Result<(), Failure> {
        let mut driver = lock(&self.driver);
        // The run before is concluded first.
        *driver = None;
        *lock(&self.last) = None;
        *driver = Some(Driver::start(settings, self.progress.clone()));
        Ok(())
    }

    /// Asks the session and waits for the answer, without keeping others from asking meanwhile.
    pub fn ask<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut DriveSession<'_, '_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let answer = lock(&self.driver).as_ref().map(|driver| driver.send(task));
        let Some(answer) = answer else {
            return Err(Failure::input("no app is open: choose one first"));
        };
        let received = answer.and_then(|answer| answer.recv().ok());
        received.unwrap_or_else(|| Err(self.why_ended()))
    }

    /// Asks for a move, and remembers where it led.
    pub fn make_move(
        &self,
        task: impl FnOnce(&mut DriveSession<'_, '_>) -> Result<MoveAnswer, Failure> + Send + 'static,
    ) -> Result<MoveAnswer, Failure> {
        let answer = self.ask(task)?;
        *lock(&self.last) = Some(answer.clone());
        Ok(answer)
    }

    /// Returns where the app was when the session was last asked.
    pub fn last(&self) -> Option<MoveAnswer> {
        lock(&self.last).clone()
    }

    pub fn report(&self) -> ProgressReport {
        self.progress.report()
    }

    /// Returns the run directory of the session.
    pub fn run(&self) -> Option<PathBuf> {
        lock(&self.driver).as_ref().map(|driver| driver.settings.run.clone())
    }

    /// Interrupts what the session is doing.
    pub fn stop(&self) {
        if let Some(driver) = lock(&self.driver).as_ref() {
            driver.interrupt();
        }
    }

    /// Ends the session and concludes its run.
    pub fn end(&self) -> Result<(), Failure> {
        let driver = lock(&self.driver).take();
        driver.map_or(Ok(()), |mut driver| driver.end())
    }

    /// Returns why the session is over, and forgets it.
    fn why_ended(&self) -> Failure {
        let driver = lock(&self.driver).take();
        driver.map_or_else(
            || Failure::input("the session has ended"),
            |mut driver| driver.why_ended(),
        )
    }
}

/// Refuses what can be no app, before a page is opened for it.
fn check_app(file: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| Failure::input(format!("{}: {why}", file.display()));
    let mut head = [0; 2];
    let read = File::open(file).and_then(|mut file| file.read(&mut head));
    read.map_err(|error| refuse(&error.to_string()))?;
    let is_fake = file.extension().is_some_and(|end| end == "fake");
    if !is_fake && head != *b"PK" {
        return Err(refuse("not an APK, because it is not a zip archive"));
    }
    Ok(())
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "app".into(), |stem| stem.to_string_lossy().into_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
