//! `retap fleet`, and a lab whose jobs run on a fleet.

mod render;

use crate::cli::{
    FleetArgs, FleetCampaignArgs, FleetServerArgs, FleetStatusArgs, FleetVerb, FleetVerbArgs,
};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_device::{DeviceError, Lab};
use retap_engine::{Connection, DeviceKind, DeviceSettings, Failure, Reporter};
use retap_fleet::{
    CampaignSettings, CampaignState, DeviceSetup, FleetError, FleetOptions, FleetPool, FleetStatus,
    Protection, SharedPool, Signer, TrustedKeys, set_campaign_state,
};
use std::path::Path;
use std::time::{Duration, Instant};

pub fn run(args: &FleetVerbArgs, console: &Console) -> Result<Exit, Failure> {
    match &args.what {
        FleetVerb::Status(args) => status(args, console),
        FleetVerb::Pause(args) => change(args, CampaignState::Paused, console),
        FleetVerb::Resume(args) => change(args, CampaignState::Running, console),
        FleetVerb::Key { file } => make_key(file, console),
    }
}

/// The version that a fleet has in common: of retap and of what its machines say to each other.
pub fn version() -> String {
    const PROTOCOL: u32 = 2;
    format!("{}/{PROTOCOL}", env!("CARGO_PKG_VERSION"))
}

pub fn options(url: &str, server: &FleetServerArgs) -> FleetOptions {
    let protection = Protection {
        credentials: server.fleet_credentials.clone(),
        tls: server.fleet_tls,
        root_certificate: server.fleet_ca.clone(),
    };
    FleetOptions { protection, ..FleetOptions::new(url, version()) }
}

pub fn failure(error: FleetError) -> Failure {
    DeviceError::from(error).into()
}

/// A verb that wants a lab.
#[derive(Debug, Clone, Copy)]
pub struct LabRequest<'a> {
    verb: &'a str,
    device: &'a DeviceSettings,
    /// The number of devices that run in parallel, here or elsewhere.
    jobs: u16,
    fleet: &'a FleetArgs,
}

impl<'a> LabRequest<'a> {
    pub fn new(verb: &'a str, device: &'a DeviceSettings, jobs: u16, fleet: &'a FleetArgs) -> Self {
        Self { verb, device, jobs, fleet }
    }
}

/// Returns a lab, on a fleet if one is named.
pub fn open_lab<'a>(
    connection: &'a Connection,
    request: LabRequest<'_>,
    console: &Console,
) -> Result<Lab<'a>, Failure> {
    let connect = connection.connect.as_ref();
    let lab = Lab::new(connect, request.jobs.into(), &interrupt::INTERRUPTED);
    Ok(match open_pool(connection, request, console)? {
        Some(pool) => lab.with_pool(Box::new(pool)),
        None => lab,
    })
}

/// Joins the fleet, if one is named.
pub fn open_pool(
    connection: &Connection,
    request: LabRequest<'_>,
    console: &Console,
) -> Result<Option<SharedPool<'static>>, Failure> {
    let LabRequest { verb, device, jobs, fleet } = request;
    let Some(url) = &fleet.fleet else { return Ok(None) };
    if jobs == 1 {
        console.remark("-j N uses N devices of the fleet at a time; now it is one");
    }
    let settings = CampaignSettings {
        verb: verb.into(),
        arguments: std::env::args().skip(1).collect(),
        setup: setup(device, &connection.apk)?,
        app: connection.apk.clone(),
        limit: fleet.fleet_limit,
        signer: signer(fleet.fleet_key.as_deref())?,
        trusted: trusted(&fleet.trust)?,
    };
    let teller = *console;
    let tell = Box::new(move |text: &str| teller.remark(text));
    let options = options(url, &fleet.server);
    let pool =
        FleetPool::open(options, settings, tell, &interrupt::INTERRUPTED).map_err(failure)?;
    console.remark(&format!("campaign {} on {url}", pool.campaign()));
    Ok(Some(SharedPool::new(pool)))
}

fn setup(device: &DeviceSettings, app: &Path) -> Result<DeviceSetup, Failure> {
    let kind = match &device.kind {
        DeviceKind::Embedded => "embedded",
        DeviceKind::Fake(_) => "fake",
        DeviceKind::Adb => {
            return Err(Failure::input(
                "a fleet runs embedded devices and fakes: a phone belongs to one machine",
            ));
        }
    };
    let bytes = std::fs::read(app)
        .map_err(|error| Failure::input(format!("{}: {error}", app.display())))?;
    let file = app.file_name().unwrap_or_default().to_string_lossy();
    Ok(DeviceSetup {
        kind: kind.into(),
        app: retap_apk::sha256_hex(&bytes),
        file: super::file_name(&file),
        api: device.api,
        display: device.display,
        outside: device.outside.clone(),
        include: device.include.clone(),
        exclude: device.exclude.clone(),
    })
}

/// Reads the key that signs, if one is named.
pub fn signer(key: Option<&Path>) -> Result<Signer, Failure> {
    let Some(file) = key else { return Ok(Signer::default()) };
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    Signer::from_seed(&text).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

/// Returns the keys that are trusted; everyone if none is named.
pub fn trusted(keys: &[String]) -> Result<TrustedKeys, Failure> {
    if keys.is_empty() {
        return Ok(TrustedKeys::Everyone);
    }
    TrustedKeys::read(keys.iter().map(String::as_str)).map_err(failure)
}

fn status(args: &FleetStatusArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let options = options(&args.fleet, &args.server);
    loop {
        let status = FleetStatus::read(&options).map_err(failure)?;
        console.json(&status);
        console.result(&render::render(&status, console.paint()));
        let Some(pause) = args.watch else { return Ok(Exit::Clean) };
        let shown = Instant::now();
        while shown.elapsed() < pause {
            if interrupt::is_set() {
                return Ok(Exit::Clean);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn change(
    args: &FleetCampaignArgs,
    state: CampaignState,
    console: &Console,
) -> Result<Exit, Failure> {
    let options = options(&args.fleet, &args.server);
    let changed = set_campaign_state(&options, &args.campaign, state).map_err(failure)?;
    let Some(record) = changed else {
        let text = format!("there is no campaign {}: see `retap fleet status`", args.campaign);
        return Err(Failure::input(text));
    };
    console.json(&record);
    console.result(&render::describe_state(&record));
    Ok(Exit::Clean)
}

fn make_key(file: &Path, console: &Console) -> Result<Exit, Failure> {
    let (secret, public) = Signer::generate().map_err(failure)?;
    if file.exists() {
        return Err(Failure::input(format!("{} exists; nothing is overwritten", file.display())));
    }
    write_secret(file, &secret)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    console.json(&serde_json::json!({ "file": file, "public": public }));
    console.result(&public);
    Ok(Exit::Clean)
}

/// Writes a file that only its owner can read.
fn write_secret(file: &Path, secret: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(format!("{secret}\n").as_bytes())
}
