//! Oracles: predicates on one execution that a minimiser preserves and a search looks for.
//! `cmd:PROGRAM` and findings are only named here: the caller runs programs, and `retap-oracle`
//! decides what a finding is.

use crate::coverage::{UnitKind, Units};
use crate::crash::CrashId;
use crate::finding::{FindingId, FindingKind};
use crate::observation::{Observation, Outcome};
use crate::state::StateId;
use regex::Regex;
use std::fmt;
use std::str::FromStr;

/// A predicate on one execution.
#[derive(Debug, Clone)]
pub enum Oracle {
    /// This crash, or any crash for `None`.
    Crash(Option<CrashId>),
    NotResponding,
    /// A lost device.
    DeviceLost,
    /// An activity, by full or short name.
    Activity(String),
    /// A covered method, by a part of its unit's name.
    Method(String),
    State(StateId),
    /// A visible text.
    Text(Regex),
    /// A program that exits with 0 if the observation is interesting. It reads the observation as
    /// JSON from its standard input.
    Cmd(String),
    /// A finding of this kind, and with this id if one is given.
    Finding(FindingKind, Option<FindingId>),
}

/// The facts that an oracle needs besides the observation.
#[derive(Debug, Clone, Copy)]
pub struct OracleContext<'a> {
    pub package: &'a str,
    pub units: &'a Units,
    pub state: StateId,
}

impl Oracle {
    /// Returns true if the observation satisfies the oracle. `cmd:` and findings never hold here.
    pub fn holds(&self, observation: &Observation, context: OracleContext<'_>) -> bool {
        match self {
            Oracle::Crash(wanted) => match &observation.outcome {
                Outcome::Crashed(crash) => {
                    wanted.is_none_or(|id| id == crash.identity(context.package))
                }
                _ => false,
            },
            Oracle::NotResponding => {
                matches!(observation.outcome, Outcome::NotResponding { .. })
            }
            Oracle::DeviceLost => matches!(observation.outcome, Outcome::DeviceLost(_)),
            Oracle::Activity(name) => {
                let activity = &observation.screen.activity;
                activity == name || activity.rsplit('.').next() == Some(name)
            }
            Oracle::Method(part) => observation.coverage.iter().any(|id| {
                context.units.get(id).is_some_and(|unit| {
                    unit.kind == UnitKind::Method && unit.name.contains(part.as_str())
                })
            }),
            Oracle::State(id) => context.state == *id,
            Oracle::Text(regex) => observation.screen.texts().any(|text| regex.is_match(text)),
            Oracle::Cmd(_) | Oracle::Finding(..) => false,
        }
    }
}

impl FromStr for Oracle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        if let Ok(kind) = kind.parse::<FindingKind>() {
            let id = if rest.is_empty() { None } else { Some(rest.parse()?) };
            return Ok(Oracle::Finding(kind, id));
        }
        match (kind, rest) {
            ("crash", "") => Ok(Oracle::Crash(None)),
            ("crash", id) => Ok(Oracle::Crash(Some(id.parse()?))),
            ("not-responding", "") => Ok(Oracle::NotResponding),
            ("device-lost", "") => Ok(Oracle::DeviceLost),
            ("state", id) => Ok(Oracle::State(id.parse()?)),
            ("activity", name) if !name.is_empty() => Ok(Oracle::Activity(name.to_string())),
            ("method", name) if !name.is_empty() => Ok(Oracle::Method(name.to_string())),
            ("cmd", program) if !program.is_empty() => Ok(Oracle::Cmd(program.to_string())),
            ("text", regex) if !regex.is_empty() => Regex::new(regex)
                .map(Oracle::Text)
                .map_err(|error| format!("the regular expression {regex:?} is not valid: {error}")),
            _ => Err(format!(
                "expected crash, crash:ID, not-responding, device-lost, activity:NAME, method:SIGNATURE, state:ID, \
                 text:REGEX, cmd:PROGRAM, or rotation, background, back, layout, leak or property with or \
                 without :ID, found {text:?}"
            )),
        }
    }
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Oracle::Crash(None) => f.write_str("crash"),
            Oracle::Crash(Some(id)) => write!(f, "crash:{id}"),
            Oracle::NotResponding => f.write_str("not-responding"),
            Oracle::DeviceLost => f.write_str("device-lost"),
            Oracle::Activity(name) => write!(f, "activity:{name}"),
            Oracle::Method(name) => write!(f, "method:{name}"),
            Oracle::State(id) => write!(f, "state:{id}"),
            Oracle::Text(regex) => write!(f, "text:{regex}"),
            Oracle::Cmd(program) => write!(f, "cmd:{program}"),
            Oracle::Finding(kind, None) => write!(f, "{kind}"),
            Oracle::Finding(kind, Some(id)) => write!(f, "{kind}:{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oracles_are_written_as_they_are_read() {
        for text in [
            "crash",
            "crash:00000000000000ff",
            "not-responding",
            "device-lost",
            "activity:Main",
            "method:Main.onClick",
            "state:0123456789abcdef",
            "text:^Saved",
            "cmd:./check.sh",
            "rotation",
            "leak:00000000000000ff",
        ] {
            assert_eq!(text.parse::<Oracle>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_oracle_is_answered_with_the_right_ones() {
        for text in ["", "crsh", "activity:", "state:xyz", "text:("] {
            assert!(text.parse::<Oracle>().is_err(), "{text}");
        }
    }
}
