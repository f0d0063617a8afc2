//! The flags of `retap test`.

use super::shared::{DeviceArgs, OutputArgs, parse_duration};
use clap::{Args, ValueEnum};
use retap_engine::test::Forward;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(mut_arg("device", |flag| flag.hide(true)), mut_arg("serials", |flag| flag.hide(true)))]
#[command(mut_arg("abstraction", |flag| flag.hide(true)))]
#[command(after_help = "\
Examples:
  retap test app-debug.apk app-debug-androidTest.apk
  retap test app.apk test.apk --filter LoginTest --filter '*#opens*'
  retap test app.apk test.apk --worlds 100              which tests are flaky, and in which world?
  retap test app.apk test.apk --filter races --world-seed 17    the world in which it fails
  retap test library-androidTest.apk                    an APK that tests itself")]
pub struct TestArgs {
    /// The app; or an APK that tests itself
    #[arg(value_name = "APP.apk")]
    pub app: PathBuf,
    /// Its test APK, which Gradle's assembleAndroidTest builds
    #[arg(value_name = "TEST.apk")]
    pub test: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Seed of the first world: thread order, random numbers, clock
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Seeds")]
    pub world_seed: u64,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Run only tests whose CLASS#METHOD contains this; * matches anything (repeatable)
    #[arg(short, long, value_name = "TEXT", help_heading = "Tests")]
    pub filter: Vec<String>,
    /// Run only the tests that this file names, one CLASS#METHOD a line, as `retap reduce` writes it
    #[arg(long, value_name = "FILE", help_heading = "Tests")]
    pub only: Option<PathBuf>,
    /// Print the names of the tests and run none
    #[arg(long, help_heading = "Tests")]
    pub list: bool,
    /// Run only tests of this size, as their annotations say
    #[arg(long, value_enum, help_heading = "Tests")]
    pub size: Option<TestSize>,
    /// An argument for the runner, as `am instrument -e` takes it (repeatable)
    #[arg(short = 'e', long = "argument", value_names = ["KEY", "VALUE"], num_args = 2, action = clap::ArgAction::Append, help_heading = "Tests")]
    pub arguments: Vec<String>,
    /// The class of the instrumentation, if the test APK has several
    #[arg(long, value_name = "CLASS", help_heading = "Tests")]
    pub runner: Option<String>,
    /// Install the app anew before each test, or once for all of them in one process
    #[arg(long, value_enum, default_value_t = Clean::Each, help_heading = "Tests")]
    pub clean: Clean,
    /// Try a test that failed again, up to N times, each time in another world
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["worlds", "runs"], help_heading = "Tests")]
    pub retry: u32,
    /// Start no further test after one that failed
    #[arg(long, help_heading = "Tests")]
    pub fail_fast: bool,
    /// The time that each test gets, on the phone's own clock
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_duration, help_heading = "Tests")]
    pub timeout: Duration,
    /// Run each test in N worlds and measure how often it fails
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Tests")]
    pub worlds: u32,
    /// Run each test N times in each world: the same world gives the same result
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Tests")]
    pub runs: u32,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Tests")]
    pub jobs: u16,
    /// Let a port of this machine's loopback lead to one of the phone, for a server in the tests; 0 takes a free one
    /// (repeatable)
    #[arg(long, value_name = "LOCAL:REMOTE", value_parser = parse_forward, conflicts_with_all = ["jobs", "worlds", "retry"], help_heading = "Tests")]
    pub forward: Vec<Forward>,
    /// The app that TEST.apk belongs to, if its tests drive APP.apk from outside, as Appium's server does; APP.apk is
    /// launched for them
    #[arg(long, value_name = "DRIVER.apk", requires = "test", help_heading = "Tests")]
    pub driver: Option<PathBuf>,
    /// Do not run failures again for a picture of their last screen and a trace of their steps
    #[arg(long, help_heading = "Tests")]
    pub no_pictures: bool,
    /// After the run, name the tests that cover methods whose name contains this
    #[arg(long, value_name = "METHOD", help_heading = "Tests")]
    pub covering: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TestSize {
    Small,
    Medium,
    Large,
}

impl TestSize {
    pub fn name(self) -> &'static str {
        match self {
            TestSize::Small => "small",
            TestSize::Medium => "medium",
            TestSize::Large => "large",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Clean {
    Each,
    Once,
}

/// Reads `LOCAL:REMOTE`, or one number for both.
fn parse_forward(text: &str) -> Result<Forward, String> {
    let (local, remote) = text.split_once(':').unwrap_or((text, text));
    let port = |text: &str| {
        text.parse::<u16>()
            .map_err(|_| format!("{text} is no port: give LOCAL:REMOTE, such as 8200:6790"))
    };
    let (local, remote) = (port(local)?, port(remote)?);
    if remote == 0 {
        return Err("the phone's port cannot be 0".into());
    }
    Ok(Forward { local, remote })
}
