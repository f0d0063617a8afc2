//! Instrumented apps on the embedded device: they show the same screens as the app, and hand over the coverage that the
//! device itself counts, event by event. `RETAP_LONG` adds a larger app; `RETAP_APPS` names other APKs, separated by
//! colons; `RETAP_EVENTS` the number of events for each.

#![expect(
    clippy::disallowed_methods,
    reason = "the number of apps and events is the tester's choice"
)]

use retap_device::Device;
use retap_embedded::{
    CoverageSelection, EmbeddedDevice, EmbeddedOptions, InstrumentRequest, InstrumentedApp,
    Listener, Notice, instrument,
};
use retap_model::{Coverage, Event, Key, Observation, Outcome, Point, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FIXTURES: [&str; 2] = ["notes.apk", "shop-1.apk"];
const LARGE_FIXTURE: &str = "modern.apk";
const EVENTS: u64 = 40;

fn quiet() -> Listener {
    Arc::new(|_: Notice<'_>| {})
}

#[test]
fn an_instrumented_app_shows_the_same_screens_and_counts_the_same_coverage() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let apps: Vec<PathBuf> = match std::env::var("RETAP_APPS") {
        Ok(names) => names.split(':').map(PathBuf::from).collect(),
        Err(_) => {
            let large = std::env::var_os("RETAP_LONG").map(|_| LARGE_FIXTURE);
            FIXTURES.into_iter().chain(large).map(|name| fixtures.join(name)).collect()
        }
    };
    let chosen = std::env::var("RETAP_EVENTS").ok().and_then(|events| events.parse().ok());
    let mut failed = Vec::new();
    for apk in apps {
        match Comparison::run(&apk, chosen.unwrap_or(EVENTS)) {
            Ok(done) => {
                println!("{}", done.row(&apk));
                failed.extend(done.difference.map(|it| format!("{}: {it}", apk.display())));
            }
            Err(error) => {
                println!("| {} | {error} |", apk.display());
                failed.push(format!("{}: {error}", apk.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// What a run of the same events on both forms of an app gave.
#[derive(Default)]
struct Comparison {
    classes: usize,
    left: usize,
    events: u64,
    crashes: u64,
    covered: u64,
    difference: Option<String>,
}

impl Comparison {
    fn run(apk: &Path, events: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let output = folder.path().join("counted.apk");
        let request = InstrumentRequest {
            apk: apk.to_owned(),
            output: output.clone(),
            force: false,
            selection: CoverageSelection::default(),
            key: None,
        };
        let report = instrument(&request, &quiet())?;
        let mut comparison =
            Self { classes: report.classes, left: report.left.len(), ..Self::default() };
        let mut plain = device(EmbeddedOptions::default())?;
        let app = plain.install(apk)?;
        // The device counts nothing in the instrumented app, so that only the app's own probes do.
        let nothing = CoverageSelection { exclude: vec!["*".into()], ..Default::default() };
        let mut counted = device(EmbeddedOptions { selection: nothing, ..Default::default() })?;
        counted.install(&output)?;
        if app.units != *report.app.units() {
            comparison.difference = Some("the units differ".into());
            return Ok(comparison);
        }
        comparison.compare(&mut plain, &mut counted, &report.app, events)?;
        Ok(comparison)
    }

    fn compare(
        &mut self,
        plain: &mut EmbeddedDevice,
        counted: &mut EmbeddedDevice,
        app: &InstrumentedApp,
        events: u64,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let mut covered = Coverage::default();
        let (mut first, mut second) = (plain.reset(1)?, counted.reset(1)?);
        for number in 0..=events {
            self.events = number;
            self.difference = compare_screens(&first, &second);
            let is_over = !matches!(first.outcome, Outcome::Running | Outcome::Left { .. });
            if self.difference.is_none() && !is_over {
                let data = counted.read_content(&app.execution_data_uri(true))?;
                let own = app.coverage(&data)?;
                let differ =
                    own.difference(&first.coverage).len() + first.coverage.difference(&own).len();
                if differ > 0 {
                    self.difference = Some(format!("{differ} units are counted otherwise"));
                }
                covered.union_with(&own);
            }
            if self.difference.is_some() || number == events {
                break;
            }
            if is_over {
                self.crashes += 1;
                (first, second) = (plain.reset(number + 1)?, counted.reset(number + 1)?);
                continue;
            }
            let event = draw(number);
            (first, second) = (plain.perform(&event)?, counted.perform(&event)?);
        }
        self.covered = covered.len();
        Ok(())
    }

    fn row(&self, apk: &Path) -> String {
        let name = apk.file_stem().unwrap_or_default().to_string_lossy();
        let Self { classes, left, events, crashes, covered, difference } = self;
        let same = difference.as_deref().unwrap_or("same");
        format!("| {name} | {classes} | {left} | {events} | {crashes} | {covered} | {same} |")
    }
}

fn device(options: EmbeddedOptions) -> Result<EmbeddedDevice, retap_device::DeviceError> {
    EmbeddedDevice::on_this_machine(options, quiet())
}

fn compare_screens(plain: &Observation, counted: &Observation) -> Option<String> {
    if plain.outcome != counted.outcome {
        return Some(format!("{:?} became {:?}", plain.outcome, counted.outcome));
    }
    (plain.screen != counted.screen).then(|| "the screens differ".to_owned())
}

/// Draws an event from its number: mostly taps anywhere on the screen.
fn draw(number: u64) -> Event {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let part = |shift: u32, range: u64| ((mixed >> shift) % range) as i32;
    match mixed >> 60 {
        0 => Event::Key(Key::back()),
        _ => Event::Tap(Target { on: None, at: Some(Point::new(part(8, 1080), part(32, 1900))) }),
    }
}
