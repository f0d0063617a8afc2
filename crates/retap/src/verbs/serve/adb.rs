//! `retap serve --adb`: the device as an adb device.

use crate::cli::ServeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_adbd::{AdbAddress, AdbServer, Phone, PhoneSettings};
use retap_device::DeviceError;
use retap_embedded::InstrumentedApp;
use retap_engine::connection::{DeviceKind, DeviceSettings, connect};
use retap_engine::{Failure, Reporter};
use std::path::Path;

pub fn run(args: &ServeArgs, address: AdbAddress, console: &Console) -> Result<Exit, Failure> {
    if address.is_beyond_loopback() && !args.allow_remote {
        return Err(Failure::input(format!(
            "{} can be reached from other machines, and whoever connects needs to prove nothing: add --allow-remote if that \
             is meant, or give a port alone",
            address.0
        )));
    }
    let device = args.device.settings();
    let (is_fake, display) = (device.is_fake(), device.display.unwrap_or_default());
    let (api, of_devices) = (device.api, *console);
    let settings = PhoneSettings {
        start: Box::new(move |apk: Option<&Path>| {
            let settings = settings_for(&device, apk)?;
            let connection = connect(&settings, apk, of_devices.context()).map_err(device_error)?;
            connection.connect.connect()
        }),
        api,
        display,
        world_seed: args.seed.unwrap_or_else(|| rand::random::<u32>().into()),
    };
    let phone = Phone::new(settings).map_err(|error| Failure::input(error.to_string()))?;
    if args.what.is_some() || is_fake {
        let package = phone.install(args.what.clone()).map_err(|it| Failure::input(it.reason))?;
        console.remark(&format!("{package} is installed"));
    }
    let server = AdbServer::listen(address, phone).map_err(|error| {
        let address = address.0;
        Failure::input(format!("{address} cannot be used: {error}; choose another port with --adb"))
    })?;
    let address = server.address().map_err(|error| Failure::input(error.to_string()))?;
    console.result(&format!("adb connect {address}"));
    server.run(&interrupt::INTERRUPTED, &|line| console.remark(line));
    Ok(Exit::Clean)
}

/// An instrumented app keeps its own probes, because whoever connects reads them.
fn settings_for(
    device: &DeviceSettings,
    apk: Option<&Path>,
) -> Result<DeviceSettings, DeviceError> {
    let counts_itself = match apk {
        Some(apk) if device.kind == DeviceKind::Embedded => InstrumentedApp::open(apk)?.is_some(),
        _ => false,
    };
    let mut settings = device.clone();
    if counts_itself {
        settings.exclude = vec!["*".into()];
    }
    Ok(settings)
}

fn device_error(failure: Failure) -> DeviceError {
    match failure {
        Failure::Device(error) => error,
        other => DeviceError::App(other.to_string()),
    }
}
