//! The faults: what is done to an exploration, and when.

use super::part_of;
use retap_minimize::simulation::SplitMix64;
use retap_model::format::run;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// The share of a run's time within which a fault strikes. Writing the summary belongs to it.
const STRIKES_WITHIN: f64 = 1.1;

/// The longest stop of a process.
const MAX_STOP: Duration = Duration::from_millis(400);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DisturbanceKind {
    /// The device's process is killed. A fake has none.
    KillDevice,
    /// retap itself is killed.
    KillRetap,
    /// retap gets SIGINT, SIGTERM or SIGHUP.
    Interrupt,
    /// retap and the device are stopped and go on later.
    Stop,
    /// Files can grow only to a few kilobytes.
    FullDisk,
    /// retap is killed, and one of its files is cut.
    CutFile,
}

impl DisturbanceKind {
    pub const ALL: [DisturbanceKind; 6] = [
        DisturbanceKind::KillDevice,
        DisturbanceKind::KillRetap,
        DisturbanceKind::Interrupt,
        DisturbanceKind::Stop,
        DisturbanceKind::FullDisk,
        DisturbanceKind::CutFile,
    ];

    /// Returns the faults that an app can meet.
    pub fn of_app(app: &str) -> &'static [DisturbanceKind] {
        if app.starts_with("fake:") { &Self::ALL[1..] } else { &Self::ALL }
    }

    fn name(self) -> &'static str {
        match self {
            DisturbanceKind::KillDevice => "kill-device",
            DisturbanceKind::KillRetap => "kill-retap",
            DisturbanceKind::Interrupt => "interrupt",
            DisturbanceKind::Stop => "stop",
            DisturbanceKind::FullDisk => "full-disk",
            DisturbanceKind::CutFile => "cut-file",
        }
    }
}

impl fmt::Display for DisturbanceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DisturbanceKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            format!("expected one of {}, found {text:?}", Self::ALL.map(Self::name).join(", "))
        })
    }
}

/// One fault of one run.
#[derive(Debug, Clone)]
pub struct Disturbance {
    pub kind: DisturbanceKind,
    /// The time after the start at which it strikes.
    pub after: Duration,
    /// How long a stop lasts.
    pub lasts: Duration,
    /// The blocks of 512 bytes to which files can grow on a full disk.
    pub blocks: u64,
    /// The number of the signal, or of the file that is cut.
    pub choice: u64,
    /// The share of a cut file that stays.
    pub keeps: f64,
}

impl Disturbance {
    /// Draws a fault. The kinds take turns, so that every kind has its share of the runs.
    pub fn draw(
        kinds: &[DisturbanceKind],
        number: u32,
        time: Duration,
        random: &mut SplitMix64,
    ) -> Self {
        Self {
            kind: kinds[number as usize % kinds.len()],
            after: part_of(time.mul_f64(STRIKES_WITHIN), random),
            lasts: part_of(MAX_STOP, random),
            blocks: 1 + random.draw() % 60,
            choice: random.draw(),
            keeps: (random.draw() % 1000) as f64 / 1000.0,
        }
    }

    pub fn cuts_files(&self) -> bool {
        self.kind == DisturbanceKind::CutFile
    }

    /// Cuts one file of the run, if that is the fault.
    pub fn damage(&self, dir: &Path) -> io::Result<()> {
        const FILES: [&str; 5] = [run::TRACE, run::STATES, run::COVERAGE, run::TRAVEL, run::RESULT];
        let file = dir.join(FILES[(self.choice % FILES.len() as u64) as usize]);
        if !self.cuts_files() || !file.exists() {
            return Ok(());
        }
        let file = File::options().write(true).open(file)?;
        let length = file.metadata()?.len();
        file.set_len((length as f64 * self.keeps) as u64)
    }
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} ms", self.kind, self.after.as_millis())
    }
}
