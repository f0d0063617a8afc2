//! Flags that several verbs share. A flag means the same in every verb.

use clap::Args;
use retap_engine::{DeviceKind, DeviceSettings};
use retap_model::{Abstraction, Display};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
pub struct AppArgs {
    /// The app. A fake device carries its own
    #[arg(value_name = "APK")]
    pub apk: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Device")]
pub struct DeviceArgs {
    /// embedded (the Android framework inside this machine), adb (a phone or an emulator), or fake:FILE (a scripted app)
    #[arg(short, long, value_name = "KIND", default_value = "embedded", value_parser = DeviceKind::from_str)]
    pub device: DeviceKind,
    /// Use the phone or emulator with this serial, as `adb devices` shows it; means --device adb (repeatable: with -j N
    /// several devices work in parallel)
    #[arg(short, long = "serial", value_name = "SERIAL")]
    pub serials: Vec<String>,
    /// Android API level. Default: the app's target level, at least 26
    #[arg(long, value_name = "N")]
    pub api: Option<u32>,
    /// Screen size and density, such as 1080x1920@480
    #[arg(long, value_name = "WxH@DPI", value_parser = Display::from_str)]
    pub screen: Option<Display>,
    /// Change the other apps on the phone: none, -PACKAGE, or PACKAGE=ACTIONS;SCHEMES;TYPES (repeatable)
    #[arg(long, value_name = "CHANGE", allow_hyphen_values = true, value_parser = retap_embedded::parse_outside_change)]
    pub outside: Vec<String>,
    /// The abstraction that decides which screens are the same state: activity, layout, structure, actionable,
    /// reducers:L1 … L5. Default: layout for exploring, actionable for reducing, the recorded one for replaying
    #[arg(long, value_name = "NAME", value_parser = Abstraction::from_str)]
    pub abstraction: Option<Abstraction>,
    /// Count the coverage of these packages or classes only; * matches any part of a name. Default: the app's own
    /// classes, without the libraries in it
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub include: Vec<String>,
    /// Do not count the coverage of these packages or classes
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub exclude: Vec<String>,
}

impl DeviceArgs {
    pub fn settings(&self) -> DeviceSettings {
        DeviceSettings {
            kind: self.kind(),
            serials: self.serials.clone(),
            api: self.api,
            display: self.screen,
            outside: self.outside.clone(),
            abstraction: self.abstraction,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
        }
    }

    /// Returns the kind of device. A serial alone names a phone.
    pub fn kind(&self) -> DeviceKind {
        match self.device {
            DeviceKind::Embedded if !self.serials.is_empty() => DeviceKind::Adb,
            _ => self.device.clone(),
        }
    }

    pub fn is_fake(&self) -> bool {
        matches!(self.device, DeviceKind::Fake(_))
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Seeds")]
pub struct SeedArgs {
    /// Seed of the explorer's decisions. Default: random, and printed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Seed of everything random in the app's world: thread order, random numbers, clock. Default: the seed
    #[arg(long, value_name = "N")]
    pub world_seed: Option<u64>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this many events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_events: Option<u64>,
    /// Stop after this time from the first launch on, such as 90s, 10m, 2h; 10m when no limit is given. Checking what was
    /// found is part of it
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The run directory. Default: retap-out/PACKAGE-TIME
    #[arg(short, long, value_name = "DIR", id = "output")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct PageArgs {
    /// Show the app's Java and Kotlin sources from this folder in the report, and name their paths in report.sarif
    /// (repeatable)
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,
    /// Open the report in a browser
    #[arg(long)]
    pub open: bool,
}

#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub struct ConsoleArgs {
    /// Print the summary as JSON, and only it, on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Log more on standard error; -vv logs everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// No progress, no remarks
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// `90`, `90s`, `10m`, `2h`, `500ms`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(scale)) {
        Some(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        _ => Err(format!("expected a time such as 90s, 10m or 2h, found {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["", "m", "0", "-3s", "3d", "99999999999999999h"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
