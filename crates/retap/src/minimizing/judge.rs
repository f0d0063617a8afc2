//! Whether an execution shows what is looked for.

use crate::failure::Failure;
use retap_device::Execution;
use retap_model::oracle::OracleContext;
use retap_model::{Abstraction, App, Event, FindingKind, Observation, Oracle, Units};
use retap_oracle::{Oracles, Properties};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A user's program that takes longer than this has hung.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub struct Judge {
    pub oracle: Oracle,
    pub package: String,
    pub units: Arc<Units>,
    pub abstraction: Abstraction,
    /// For what is wrong and no crash.
    oracles: Oracles,
}

impl Judge {
    pub fn new(oracle: Oracle, app: &App, abstraction: Abstraction) -> Self {
        let package = app.identity.package.clone();
        let oracles = Oracles::new(FindingKind::ALL.into(), app, abstraction);
        Self { oracle, package, units: Arc::clone(&app.units), abstraction, oracles }
    }

    /// The rules that findings of the kind `property` are about.
    pub fn with_properties(mut self, properties: &Arc<Properties>) -> Self {
        self.oracles.properties = Arc::clone(properties);
        self
    }

    /// Whether this observation shows it, so that nothing more has to run. Never for a program,
    /// which is asked about the end alone, nor for what only shows by what was done before.
    pub fn sees(&self, seen: &Observation) -> bool {
        if let Oracle::Finding(kind, id) = self.oracle {
            return self.oracles.show(kind, id, &[], std::slice::from_ref(seen));
        }
        let state = match self.oracle {
            Oracle::State(_) => self.abstraction.state(&seen.screen),
            _ => retap_model::StateId(0),
        };
        self.oracle.holds(seen, OracleContext { package: &self.package, units: &self.units, state })
    }

    /// Whether an execution that shows it shows it from the first observation on that did.
    pub fn watches_every_event(&self) -> bool {
        !matches!(self.oracle, Oracle::Cmd(_) | Oracle::Finding(..))
    }

    /// Whether the execution of these events shows it.
    pub fn holds(&self, events: &[Event], execution: &Execution) -> Result<bool, Failure> {
        match &self.oracle {
            Oracle::Finding(kind, id) => {
                Ok(self.oracles.show(*kind, *id, events, &execution.observations))
            }
            Oracle::Cmd(program) => self.ask_program(program, execution.last()),
            _ => Ok(execution.observations.iter().any(|seen| self.sees(seen))),
        }
    }

    fn ask_program(&self, program: &str, seen: &Observation) -> Result<bool, Failure> {
        let fail = |error: &dyn std::fmt::Display| {
            Failure::input(format!("the oracle program `{program}` cannot be used: {error}"))
        };
        let mut child = Command::new("sh")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| fail(&error))?;
        if let Some(mut input) = child.stdin.take() {
            // A program that does not read its input may close it early.
            let _ = input.write_all(self.describe(seen).to_string().as_bytes());
        }
        let begun = Instant::now();
        loop {
            match child.try_wait().map_err(|error| fail(&error))? {
                Some(status) if matches!(status.code(), Some(126 | 127)) => {
                    return Err(fail(&"the shell finds no such program"));
                }
                Some(status) => return Ok(status.success()),
                None if begun.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    tracing::warn!("the oracle program `{program}` hung and was ended");
                    return Ok(false);
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    fn describe(&self, seen: &Observation) -> serde_json::Value {
        json!({
            "state": self.abstraction.state(&seen.screen),
            "outcome": seen.outcome.recorded(&self.package),
            "stack": seen.outcome.crash().map(|crash| crash.stack.as_str()),
            "elapsed_ms": seen.elapsed_ms,
            "screen": *seen.screen,
            "log": seen.log,
        })
    }
}
