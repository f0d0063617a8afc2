//! Chooses phones and hands each of them to one rig at a time. A phone that disappears is waited for, or another takes its
//! place.

use crate::apk::PhoneApp;
use crate::device::AdbDevice;
use crate::environment::AdbEnvironment;
use crate::health::{advise, describe};
use crate::host::AdbHost;
use crate::parse::devices::{ListedDevice, TransportState};
use crate::wait_limit::WaitLimit;
use retap_device::{Connect, Device, DeviceError};
use retap_model::App;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A phone that was there comes back within this time, or is gone.
const PATIENCE: Duration = Duration::from_secs(60);
const MOMENT: Duration = Duration::from_millis(250);

/// Which phones to use.
#[derive(Debug, Clone)]
pub struct AdbOptions {
    pub environment: AdbEnvironment,
    /// The serials that were named; without any, `ANDROID_SERIAL` or the only device.
    pub serials: Vec<String>,
    /// The console of the device, where its serial does not tell it. No flag sets it.
    #[doc(hidden)]
    pub console: Option<SocketAddr>,
}

impl AdbOptions {
    pub fn new(environment: AdbEnvironment, serials: Vec<String>) -> Self {
        Self { environment, serials, console: None }
    }
}

/// Connects to phones with one app.
#[derive(Debug)]
pub struct AdbConnect {
    apk: PathBuf,
    options: AdbOptions,
    host: AdbHost,
    known: KnownPhones,
}

/// The phones that are in use, of every server, by all connections of this process.
static TAKEN: Mutex<BTreeSet<(SocketAddr, String)>> = Mutex::new(BTreeSet::new());

/// The phones that a connection has used.
#[derive(Debug, Default)]
struct KnownPhones(Mutex<BTreeSet<String>>);

/// The right to use one phone. It ends with the device.
#[derive(Debug)]
pub struct PhoneLease {
    pub serial: String,
    server: SocketAddr,
}

impl Drop for PhoneLease {
    fn drop(&mut self) {
        lock(&TAKEN).remove(&(self.server, self.serial.clone()));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KnownPhones {
    fn take(&self, server: SocketAddr, serial: &str) -> Option<PhoneLease> {
        let free = lock(&TAKEN).insert((server, serial.into()));
        if free {
            lock(&self.0).insert(serial.into());
        }
        free.then(|| PhoneLease { serial: serial.into(), server })
    }

    fn has_any(&self) -> bool {
        !lock(&self.0).is_empty()
    }
}

/// What the list of devices allows.
#[derive(Debug, PartialEq, Eq)]
enum PhoneChoice {
    /// Any of these may be taken.
    Ready(Vec<String>),
    /// None yet; the sentence says why.
    NotReady(String),
}

impl AdbConnect {
    pub fn new(apk: PathBuf, options: AdbOptions) -> Self {
        let host = AdbHost::new(options.environment.clone());
        Self { apk, options, host, known: KnownPhones::default() }
    }

    /// Returns the number of services that were opened on all phones so far.
    pub fn round_trips(&self) -> u64 {
        self.host.round_trips()
    }

    fn named(&self) -> Vec<String> {
        match (self.options.serials.as_slice(), &self.options.environment.serial) {
            ([], Some(serial)) => vec![serial.clone()],
            (named, _) => named.to_vec(),
        }
    }

    /// Takes a phone. One that was there before is waited for.
    fn lease(&self) -> Result<PhoneLease, DeviceError> {
        let named = self.named();
        let patience = WaitLimit::of(PATIENCE);
        loop {
            let listed = self.host.devices();
            let choice = match listed {
                Ok(devices) => {
                    self.reach_missing(&named, &devices);
                    let devices = self.host.devices().unwrap_or(devices);
                    choose(&devices, &named)
                }
                Err(failure) if self.known.has_any() => PhoneChoice::NotReady(failure.to_string()),
                Err(failure) => return Err(failure.at_start()),
            };
            let reason = match choice {
                PhoneChoice::Ready(serials) => {
                    let server = self.options.environment.server;
                    let take = |serial: &String| self.known.take(server, serial);
                    if let Some(lease) = serials.iter().find_map(take) {
                        return Ok(lease);
                    }
                    // Each device has a rig already, so that waiting for one to be given back would wait for ever.
                    format!(
                        "{} is in use: name more devices with -s, or ask for fewer with -j",
                        serials.join(", ")
                    )
                }
                PhoneChoice::NotReady(reason) => reason,
            };
            if !self.known.has_any() || !patience.wait(MOMENT) {
                return Err(DeviceError::Setup(reason));
            }
        }
    }

    /// A server that was started anew does not know the phones of the network any more.
    fn reach_missing(&self, named: &[String], devices: &[ListedDevice]) {
        let known = lock(&self.known.0).clone();
        for serial in named.iter().chain(&known).filter(|serial| serial.contains(':')) {
            let is_ready = |device: &ListedDevice| {
                device.serial == *serial && device.state == TransportState::Online
            };
            if !devices.iter().any(is_ready) {
                // Whether it worked is seen in the list.
                let _ = self.host.reach(serial);
            }
        }
    }
}

/// Chooses among the devices that the server lists.
fn choose(devices: &[ListedDevice], named: &[String]) -> PhoneChoice {
    let online = |device: &&ListedDevice| device.state == TransportState::Online;
    let list = || {
        let show = |it: &ListedDevice| format!("{} ({})", it.serial, describe(&it.state));
        devices.iter().map(show).collect::<Vec<_>>().join(", ")
    };
    let not_ready = |device: &ListedDevice| {
        PhoneChoice::NotReady(format!(
            "device {} is {}: {}",
            device.serial,
            describe(&device.state),
            advise(&device.state)
        ))
    };
    if !named.is_empty() {
        let wanted: Vec<&ListedDevice> =
            devices.iter().filter(|device| named.contains(&device.serial)).collect();
        let ready: Vec<String> =
            wanted.iter().copied().filter(online).map(|device| device.serial.clone()).collect();
        return match (ready.is_empty(), wanted.first()) {
            (false, _) => PhoneChoice::Ready(ready),
            (true, Some(device)) => not_ready(device),
            (true, None) => PhoneChoice::NotReady(format!(
                "no device {}: adb knows {}",
                named.join(", "),
                if devices.is_empty() { "none".into() } else { list() }
            )),
        };
    }
    let ready: Vec<&ListedDevice> = devices.iter().filter(online).collect();
    match (ready.as_slice(), devices) {
        ([device], _) => PhoneChoice::Ready(vec![device.serial.clone()]),
        ([], []) => PhoneChoice::NotReady(
            "no phone or emulator is there: plug one in and allow USB debugging, start an emulator, or `adb connect HOST`".into(),
        ),
        ([], [device, ..]) => not_ready(device),
        (_, _) => PhoneChoice::NotReady(format!("several devices: choose with -s SERIAL among {}", list())),
    }
}

impl Connect for AdbConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        // An app that cannot run anywhere is refused before a phone is touched.
        PhoneApp::open(&self.apk)?;
        let lease = self.lease()?;
        let mut device = AdbDevice::start(self.host.clone(), lease, self.options.console)?;
        let app = device.install(&self.apk)?;
        Ok((Box::new(device), app))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::devices::parse_devices;

    fn choose_in(list: &str, named: &[&str]) -> Result<Vec<String>, String> {
        let named: Vec<String> = named.iter().map(|name| name.to_string()).collect();
        match choose(&parse_devices(list), &named) {
            PhoneChoice::Ready(serials) => Ok(serials),
            PhoneChoice::NotReady(reason) => Err(reason),
        }
    }

    #[test]
    fn the_only_device_is_taken_and_of_several_one_must_be_named() {
        let two = "a\tdevice\nb\tdevice\n";
        assert_eq!(choose_in("a\tdevice\n", &[]), Ok(vec!["a".into()]));
        assert_eq!(choose_in("a\tdevice\nb\toffline\n", &[]), Ok(vec!["a".into()]));
        let several = choose_in(two, &[]).unwrap_err();
        assert!(several.contains("-s SERIAL") && several.contains("a (ready), b"), "{several}");
        assert_eq!(choose_in(two, &["b"]), Ok(vec!["b".into()]));
        assert_eq!(choose_in(two, &["a", "b"]), Ok(vec!["a".into(), "b".into()]));
    }

    #[test]
    fn what_is_wrong_with_a_device_is_said_with_what_to_do() {
        let said = |list: &str, named: &[&str]| choose_in(list, named).unwrap_err();
        assert!(said("", &[]).contains("USB debugging"));
        assert!(said("a\tunauthorized\n", &[]).contains("answer the question"));
        assert!(said("a\toffline\n", &["a"]).contains("unlock"));
        assert!(said("a\tno permissions (user in plugdev group)\n", &[]).contains("udev"));
        assert!(said("a\trecovery\n", &[]).contains("in state recovery"));
        assert!(said("a\tdevice\n", &["c"]).contains("no device c: adb knows a (ready)"));
    }
}
