//! A trace as a script of another tool, so that a crash runs on the reader's own phone or in their own test suite.
//!
//! Law: a script is a pure function of a trace. This crate knows the model and nothing else: no device, no file, no
//! clock. Texts of the app may be hostile: every language quotes them. A step that a language cannot say stands in the
//! script as a comment and is returned in [`Script::left_out`]; it is never dropped in silence.

mod adb;
mod appium;
mod espresso;
mod language;
mod maestro;
mod markdown;
mod monkey;
mod query;
mod quoting;
mod robo;
mod shell;
mod trace;
mod uiautomator;
mod uiautomator2;

pub use language::{LeftOut, Script};
pub use trace::ExportedTrace;

/// The languages of scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptFormat {
    Adb,
    Appium,
    Espresso,
    Maestro,
    Markdown,
    Monkey,
    Robo,
    UiAutomator,
    UiAutomator2,
}

impl ScriptFormat {
    pub const ALL: [Self; 9] = [
        Self::Adb,
        Self::Appium,
        Self::Espresso,
        Self::Maestro,
        Self::Markdown,
        Self::Monkey,
        Self::Robo,
        Self::UiAutomator,
        Self::UiAutomator2,
    ];

    /// Returns the name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adb => "adb",
            Self::Appium => "appium",
            Self::Espresso => "espresso",
            Self::Maestro => "maestro",
            Self::Markdown => "markdown",
            Self::Monkey => "monkey",
            Self::Robo => "robo",
            Self::UiAutomator => "uiautomator",
            Self::UiAutomator2 => "uiautomator2",
        }
    }
}

impl std::str::FromStr for ScriptFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("expected one of {names}, found {text:?}")
        })
    }
}

/// Writes a trace in a language.
pub fn write(format: ScriptFormat, trace: &ExportedTrace<'_>) -> Script {
    match format {
        ScriptFormat::Adb => language::write(&mut adb::Adb, trace),
        ScriptFormat::Appium => language::write(&mut appium::Appium, trace),
        ScriptFormat::Espresso => language::write(&mut espresso::Espresso, trace),
        ScriptFormat::Maestro => language::write(&mut maestro::Maestro::new(trace.display), trace),
        ScriptFormat::Markdown => markdown::write(trace),
        ScriptFormat::Monkey => monkey::write(trace),
        ScriptFormat::Robo => robo::write(trace),
        ScriptFormat::UiAutomator => language::write(&mut uiautomator::UiAutomator, trace),
        ScriptFormat::UiAutomator2 => language::write(&mut uiautomator2::UiAutomator2, trace),
    }
}
