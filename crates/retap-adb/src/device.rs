//! A phone or an emulator as a [`Device`].

mod content;
mod event;
mod install;
mod judge;
mod look;
mod settings;
mod shell;
mod sight;
mod snapshots;
mod splits;
mod text;

use crate::apk::PhoneApp;
use crate::connect::PhoneLease;
use crate::console::EmulatorConsole;
use crate::failure::AdbFailure;
use crate::host::AdbHost;
use crate::parse::display::parse_display;
use crate::parse::picture::parse_picture;
use crate::parse::properties::PhoneProperties;
use crate::wait_limit::WaitLimit;
use event::{EventCommands, EventRefusal};
use look::LookOptions;
use retap_device::{Description, Device, DeviceError, SnapshotId};
use retap_model::format::shell::quote;
use retap_model::{App, Coverage, Event, Observation, Outcome, Screen, WorldSeed};
use settings::KeptSettings;
use shell::PhoneShell;
use snapshots::SavedPhone;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A phone that was just plugged in or restored answers within this time.
const BOOT: Duration = Duration::from_secs(120);
const MOMENT: Duration = Duration::from_millis(500);
const PICTURE: Duration = Duration::from_secs(30);

/// A phone with at most one app.
#[derive(Debug)]
pub struct AdbDevice {
    shell: PhoneShell,
    description: Description,
    properties: PhoneProperties,
    options: LookOptions,
    installed: Option<PhoneApp>,
    life: AppLife,
    screen: Arc<Screen>,
    /// How the last event ended, for those that do nothing.
    outcome: Outcome,
    /// The time in the log from which on lines may be new.
    log_since: String,
    /// The app's processes after the last event.
    pids: Vec<u32>,
    /// Numbers the marks in the log and in answers.
    marks: u64,
    console: Option<EmulatorConsole>,
    saved: BTreeMap<SnapshotId, SavedPhone>,
    saves: u64,
    kept_settings: KeptSettings,
    /// Dropped last: the next device may use the phone then.
    _lease: PhoneLease,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppLife {
    NotLaunched,
    Launched,
    /// The app crashed or does not respond, and only a reset brings it back.
    Gone,
}

impl AdbDevice {
    /// Begins to use a phone: waits until it has started, and learns what it is.
    pub(crate) fn start(
        host: AdbHost,
        lease: PhoneLease,
        console: Option<SocketAddr>,
    ) -> Result<Self, DeviceError> {
        let environment = host.environment().clone();
        let console = match console {
            Some(address) => Some(EmulatorConsole::at(address, &environment)),
            None => EmulatorConsole::of(&lease.serial, &environment),
        };
        // An emulator whose console does not answer has no snapshots.
        let console = console.filter(|console| console.command("avd status").is_ok());
        let shell = PhoneShell::connect(host, &lease.serial).map_err(AdbFailure::at_start)?;
        let started = start_up(&shell)?;
        let api = started.properties.api();
        let description = Description {
            kind: "adb".into(),
            serial: lease.serial.clone(),
            api,
            display: started.display,
            snapshots: console.is_some(),
            screenshots: true,
            deterministic: false,
        };
        let kept_settings = KeptSettings::take(&shell).map_err(|failure| failure.lost())?;
        Ok(Self {
            options: LookOptions { has_timeout: started.has_timeout, api: api.unwrap_or(21) },
            properties: started.properties,
            description,
            installed: None,
            life: AppLife::NotLaunched,
            screen: Arc::default(),
            outcome: Outcome::Exited,
            log_since: started.log_since,
            pids: Vec::new(),
            marks: 0,
            console,
            saved: BTreeMap::new(),
            saves: 0,
            kept_settings,
            shell,
            _lease: lease,
        })
    }

    /// Returns the number of services that were opened on this phone and others of the same connection.
    pub fn round_trips(&self) -> u64 {
        self.shell.round_trips()
    }

    fn installed(&self) -> Result<&PhoneApp, DeviceError> {
        self.installed
            .as_ref()
            .ok_or(DeviceError::Unsupported("run events before an app is installed"))
    }

    /// Returns an observation of the last screen, for an event that was not performed.
    fn observe_unchanged(&self, outcome: Outcome) -> Observation {
        Observation {
            screen: Arc::clone(&self.screen),
            coverage: Arc::new(Coverage::default()),
            elapsed_ms: 0,
            outcome,
            log: Vec::new(),
            host_limitations: Vec::new(),
        }
    }

    fn commands(&self, event: &Event) -> Result<EventCommands, EventRefusal> {
        let app = self.installed.as_ref().ok_or(EventRefusal::Missed)?;
        let phone = event::EventPhone {
            app,
            screen: &self.screen,
            api: self.options.api,
            types_everything: self.properties.is_of_retap(),
            has_console: self.console.is_some(),
        };
        event::commands(event, &phone)
    }
}

/// What is learned of a phone when it is connected.
struct StartedPhone {
    properties: PhoneProperties,
    display: retap_model::Display,
    has_timeout: bool,
    log_since: String,
}

fn start_up(shell: &PhoneShell) -> Result<StartedPhone, DeviceError> {
    let patience = WaitLimit::of(BOOT);
    loop {
        let asked = shell.run_batch(&[
            "getprop",
            "wm size; wm density",
            "timeout 1 true",
            "date '+%m-%d %H:%M:%S.000'",
            "dumpsys power | grep -E 'mWakefulness=|Display Power: state='",
        ]);
        let sections = asked.map_err(AdbFailure::at_start)?;
        let properties = PhoneProperties::parse(&sections[0].text);
        let display = parse_display(&sections[1].text);
        match display {
            Some(display) if properties.has_booted() => {
                if sections[4].text.contains("Asleep") {
                    let wake = "input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard";
                    shell.run_batch(&[wake]).map_err(AdbFailure::at_start)?;
                }
                return Ok(StartedPhone {
                    properties,
                    display,
                    has_timeout: sections[2].code == 0,
                    log_since: sections[3].text.trim().to_string(),
                });
            }
            _ if patience.wait(MOMENT) => {}
            _ => {
                let serial = shell.serial();
                return Err(DeviceError::Setup(format!("{serial} has not finished starting")));
            }
        }
    }
}

impl Device for AdbDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        let app = PhoneApp::open(apk)?;
        let phone = install::InstallPhone {
            shell: &self.shell,
            api: self.options.api,
            abis: self.properties.abis(),
            // What this device has installed may give way to an older version.
            is_ours: self.installed.as_ref().is_some_and(|it| it.package() == app.package()),
        };
        install::install(&phone, &app, apk)?;
        self.life = AppLife::NotLaunched;
        self.pids.clear();
        let described = app.app.clone();
        self.installed = Some(app);
        Ok(described)
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        let app = self.installed()?.clone();
        let package = quote(app.package());
        let mut commands = vec![format!("am force-stop {package}")];
        if self.properties.is_of_retap() {
            commands.push(format!("setprop debug.retap.world_seed {world_seed}"));
        } else {
            // A dialog about the app's last crash would lie over it.
            commands.push(
                "am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS > /dev/null".into(),
            );
        }
        commands.push("settings put system accelerometer_rotation 0".into());
        commands.push("settings put system user_rotation 0".into());
        let cleared = format!("pm clear {package}");
        let mut prepared = vec![commands.join("; "), cleared];
        if self.options.api >= 23 && !app.dangerous.is_empty() {
            let grant = |name: &String| format!("pm grant {package} {} 2> /dev/null", quote(name));
            prepared.push(app.dangerous.iter().map(grant).collect::<Vec<_>>().join("; "));
        }
        let launch = event::launch(&app);
        let observation = self.look_after(&prepared, &launch, "", Duration::ZERO)?;
        if !observation.prepared[1].text.contains("Success") {
            let said = observation.prepared[1].text.trim().to_string();
            return Err(DeviceError::lost(format!(
                "it does not clear the data of {package}: {said}"
            )));
        }
        if observation.did.text.contains("Error") && observation.seen.outcome == Outcome::Exited {
            let said = observation.did.text.trim().replace('\n', " ");
            return Err(DeviceError::App(format!("{package} does not start: {said}")));
        }
        self.remember(observation.seen)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        match self.life {
            AppLife::NotLaunched if *event == Event::Launch => {}
            AppLife::NotLaunched => {
                return Err(DeviceError::Unsupported("take events before a reset"));
            }
            AppLife::Gone => return Ok(self.observe_unchanged(Outcome::Exited)),
            AppLife::Launched => {}
        }
        let commands = match self.commands(event) {
            Ok(commands) => commands,
            Err(EventRefusal::Missed) => return Ok(self.observe_unchanged(Outcome::Missed)),
            Err(EventRefusal::Cannot(reason)) => {
                let mut observation = self.observe_unchanged(self.outcome.clone());
                let limitation = format!("cannot {}: {reason}", event.stable_name());
                observation.host_limitations.push(limitation);
                return Ok(observation);
            }
        };
        for line in &commands.console {
            if let Some(console) = &self.console {
                console.command(line).map_err(|failure| failure.lost())?;
            }
        }
        let takes = Duration::from_millis(commands.takes_ms.into());
        let looked = self.look_after(&[], &commands.line, &commands.after, takes)?;
        let mut observation = looked.seen;
        observation.elapsed_ms = observation.elapsed_ms.max(commands.takes_ms.into());
        if looked.did.code != 0 && !observation.outcome.is_final() {
            let said: Vec<&str> = looked.did.text.split_whitespace().take(40).collect();
            let reason = format!("the phone says: {}", said.join(" "));
            let limitation = format!("cannot {}: {reason}", event.stable_name());
            observation.host_limitations.push(limitation);
        }
        self.remember(observation)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.save_snapshot()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.restore_snapshot(snapshot)
    }

    fn forget(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        self.forget_snapshot(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        let bytes = self.shell.exec("screencap -p", PICTURE).map_err(|failure| failure.lost())?;
        // A window that forbids pictures is no fault of the phone.
        parse_picture(&bytes).map_err(|_| DeviceError::Unsupported("take a picture of this screen"))
    }

    fn read_content(&mut self, uri: &str) -> Result<Vec<u8>, DeviceError> {
        if self.pids.is_empty() && self.life != AppLife::Gone {
            // Reading would start the app's process, and it has nothing to tell.
            return Ok(Vec::new());
        }
        content::read(&self.shell, uri)
    }
}

impl Drop for AdbDevice {
    fn drop(&mut self) {
        self.kept_settings.give_back(&self.shell);
    }
}
