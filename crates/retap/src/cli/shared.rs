//! Flags that several verbs share: the same name means the same everywhere.

use clap::Args;
use retap_model::format::trace::Header;
use retap_model::{Abstraction, Display};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
pub struct AppArgs {
    /// The app. (With a fake device the app is the fake's file.)
    #[arg(value_name = "APK")]
    pub apk: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct DeviceArgs {
    /// embedded (the Android framework inside this machine), or fake:FILE (a scripted app)
    #[arg(short, long, value_name = "KIND", default_value = "embedded", value_parser = DeviceChoice::from_str)]
    pub device: DeviceChoice,
    /// Android API level; by default what the app targets
    #[arg(long, value_name = "N")]
    pub api: Option<u32>,
    /// Screen size and density, such as 1080x1920@480
    #[arg(long, value_name = "WxH@DPI", value_parser = Display::from_str)]
    pub screen: Option<Display>,
    /// Change the phone's other apps: none, -PACKAGE, or PACKAGE=ACTIONS;SCHEMES;TYPES (repeatable)
    #[arg(long, value_name = "CHANGE", allow_hyphen_values = true, value_parser = retap_embedded::outside_change)]
    pub outside: Vec<String>,
    /// What makes two screens the same state: activity, layout, structure, actionable, reducers:L1 … L5; by default
    /// layout, actionable where a suite is reduced, and what a trace was recorded with where it is run
    #[arg(long, value_name = "NAME", value_parser = Abstraction::from_str)]
    pub abstraction: Option<Abstraction>,
    /// Count the coverage of these packages or classes and no others; * stands for any part of a
    /// name. By default what is the app's own counts, and the libraries inside it do not
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub include: Vec<String>,
    /// Do not count the coverage of these packages or classes
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub exclude: Vec<String>,
}

impl DeviceArgs {
    /// What was not asked for is as it was when the trace was recorded.
    pub fn as_recorded(&self, header: &Header) -> Self {
        let mut args = self.clone();
        args.api = args.api.or(header.api);
        args.screen = args.screen.or(Some(header.display));
        if args.outside.is_empty() {
            args.outside.clone_from(&header.outside);
        }
        args
    }

    /// What states are while something is recorded.
    pub fn recorded_abstraction(&self) -> Abstraction {
        self.abstraction.unwrap_or(Abstraction::Layout)
    }

    pub fn is_fake(&self) -> bool {
        matches!(self.device, DeviceChoice::Fake(_))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceChoice {
    Embedded,
    Fake(PathBuf),
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            Some(("fake", file)) if !file.is_empty() => Ok(Self::Fake(file.into())),
            _ => Err(format!("expected embedded or fake:FILE, found {text:?}")),
        }
    }
}

#[derive(Debug, Clone, Args)]
pub struct SeedArgs {
    /// Decides what the explorer does; drawn and printed when not given
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Decides everything the app cannot tell from chance; by default the seed
    #[arg(long, value_name = "N")]
    pub world_seed: Option<u64>,
}

#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Stop after this many events
    #[arg(long, value_name = "N")]
    pub max_events: Option<u64>,
    /// Stop after this time, such as 90s, 10m, 2h; 10m when no limit is given
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Where the run is kept; by default retap-out/PACKAGE-TIME
    #[arg(short, long, value_name = "DIR", id = "output")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Args)]
pub struct ConsoleArgs {
    /// Print the summary as JSON, and only it, on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Say more on standard error; twice for everything
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
