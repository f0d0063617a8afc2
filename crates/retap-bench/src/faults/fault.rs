//! The faults: what is done to an exploration, and when.

use super::child::RunTimes;
use super::part_of;
use retap_minimize::simulation::SplitMix64;
use retap_model::format::run;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

/// The share of a run's time within which a fault strikes. Writing the summary belongs to it.
const STRIKES_WITHIN: f64 = 1.1;

/// One fault in this many may strike while the device starts; the others strike while it is explored.
const STRIKES_EARLY: u64 = 8;

/// The furthest jump of the clock.
const MAX_JUMP: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

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
    /// retap is killed, and the clock jumps before it is resumed.
    ClockJump,
}

impl DisturbanceKind {
    pub const ALL: [DisturbanceKind; 7] = [
        DisturbanceKind::KillDevice,
        DisturbanceKind::KillRetap,
        DisturbanceKind::Interrupt,
        DisturbanceKind::Stop,
        DisturbanceKind::FullDisk,
        DisturbanceKind::CutFile,
        DisturbanceKind::ClockJump,
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
            DisturbanceKind::ClockJump => "clock-jump",
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
    /// The moment from which the time until it strikes is counted.
    pub from: StrikeFrom,
    /// That time.
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

/// The moments of a run from which the time until a fault strikes is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrikeFrom {
    Start,
    /// The exploration begins. The embedded device takes most of a short run's time to get there.
    FirstEvent,
}

impl Disturbance {
    /// Draws a fault. The kinds take turns, so that every kind has its share of the runs.
    pub fn draw(
        kinds: &[DisturbanceKind],
        number: u32,
        times: &RunTimes,
        random: &mut SplitMix64,
    ) -> Self {
        let (from, time) = if random.draw().is_multiple_of(STRIKES_EARLY) {
            (StrikeFrom::Start, times.until_first_event)
        } else {
            (StrikeFrom::FirstEvent, times.explored.mul_f64(STRIKES_WITHIN))
        };
        Self {
            kind: kinds[number as usize % kinds.len()],
            from,
            after: part_of(time, random),
            lasts: part_of(MAX_STOP, random),
            blocks: 1 + random.draw() % 60,
            choice: random.draw(),
            keeps: (random.draw() % 1000) as f64 / 1000.0,
        }
    }

    /// Returns true if a run is resumed even if it ended before the fault struck.
    pub fn damages_files(&self) -> bool {
        matches!(self.kind, DisturbanceKind::CutFile | DisturbanceKind::ClockJump)
    }

    /// Does to the files of the run what the fault does to them.
    pub fn damage(&self, dir: &Path) -> io::Result<()> {
        match self.kind {
            DisturbanceKind::CutFile => self.cut_file(dir),
            DisturbanceKind::ClockJump if dir.exists() => self.shift_times(dir),
            _ => Ok(()),
        }
    }

    /// Sets the times of all files as a clock shows them that has jumped. retap looks at no other clock than that
    /// of files and the monotonic one, which does not jump.
    fn shift_times(&self, dir: &Path) -> io::Result<()> {
        let jump = MAX_JUMP.mul_f64(self.keeps);
        let now = SystemTime::now();
        let time = if self.choice.is_multiple_of(2) { now + jump } else { now - jump };
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                self.shift_times(&path)?;
            }
            File::open(path)?.set_modified(time)?;
        }
        Ok(())
    }

    /// Cuts one file of the run.
    fn cut_file(&self, dir: &Path) -> io::Result<()> {
        const FILES: [&str; 5] = [run::TRACE, run::STATES, run::COVERAGE, run::TRAVEL, run::RESULT];
        let file = dir.join(FILES[(self.choice % FILES.len() as u64) as usize]);
        if !file.exists() {
            return Ok(());
        }
        let file = File::options().write(true).open(file)?;
        let length = file.metadata()?.len();
        file.set_len((length as f64 * self.keeps) as u64)
    }
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = match self.from {
            StrikeFrom::Start => "the start",
            StrikeFrom::FirstEvent => "the first event",
        };
        write!(f, "{} {} ms after {from}", self.kind, self.after.as_millis())
    }
}
