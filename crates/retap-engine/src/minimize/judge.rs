//! Decides whether an execution satisfies an oracle.

use crate::Failure;
use retap_device::Execution;
use retap_model::oracle::OracleContext;
use retap_model::{Abstraction, App, Event, FindingKind, Observation, Oracle, StateId, Units};
use retap_oracle::{Oracles, Properties};
use serde_json::json;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A user's program that runs longer than this hangs, and is ended.
const MAX_PROGRAM_TIME: Duration = Duration::from_secs(60);

#[derive(Debug, Clone)]
pub struct Judge {
    pub oracle: Oracle,
    pub package: String,
    pub units: Arc<Units>,
    pub abstraction: Abstraction,
    /// Decides about findings.
    oracles: Oracles,
}

impl Judge {
    pub fn new(oracle: Oracle, app: &App, abstraction: Abstraction) -> Self {
        let package = app.identity.package.clone();
        let oracles = Oracles::new(FindingKind::ALL.into(), app, abstraction);
        Self { oracle, package, units: Arc::clone(&app.units), abstraction, oracles }
    }

    /// Sets the properties that findings of the kind `property` refer to.
    pub fn with_properties(mut self, properties: &Arc<Properties>) -> Self {
        self.oracles.properties = Arc::clone(properties);
        self
    }

    /// Returns true if this observation alone satisfies the oracle, so that nothing more has to run. Always false for a
    /// program, which judges only the end, and for findings that depend on earlier observations.
    pub fn sees(&self, observation: &Observation) -> bool {
        if let Oracle::Finding(kind, id) = self.oracle {
            return self.oracles.is_shown(kind, id, &[], std::slice::from_ref(observation));
        }
        let state = match self.oracle {
            Oracle::State(_) => self.abstraction.state(&observation.screen),
            _ => StateId(0),
        };
        let context = OracleContext { package: &self.package, units: &self.units, state };
        self.oracle.holds(observation, context)
    }

    /// Returns true if an execution that satisfies the oracle does so from one observation on.
    pub fn watches_every_event(&self) -> bool {
        !matches!(self.oracle, Oracle::Cmd(_) | Oracle::Finding(..))
    }

    /// Returns true if the execution of these events satisfies the oracle.
    pub fn holds(&self, events: &[Event], execution: &Execution) -> Result<bool, Failure> {
        match &self.oracle {
            Oracle::Finding(kind, id) => {
                Ok(self.oracles.is_shown(*kind, *id, events, &execution.observations))
            }
            Oracle::Cmd(program) => self.run_program(program, execution.last()),
            _ => Ok(execution.observations.iter().any(|observation| self.sees(observation))),
        }
    }

    fn run_program(&self, program: &str, observation: &Observation) -> Result<bool, Failure> {
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
            let _ = input.write_all(self.describe(observation).to_string().as_bytes());
        }
        match wait(&mut child).map_err(|error| fail(&error))? {
            Some(status) if matches!(status.code(), Some(126 | 127)) => {
                Err(fail(&"the shell finds no such program"))
            }
            Some(status) => Ok(status.success()),
            None => {
                tracing::warn!("the oracle program `{program}` hung and was ended");
                Ok(false)
            }
        }
    }

    /// Returns the observation as the program gets it on its standard input.
    fn describe(&self, observation: &Observation) -> serde_json::Value {
        json!({
            "state": self.abstraction.state(&observation.screen),
            "outcome": observation.outcome.recorded(&self.package),
            "stack": observation.outcome.crash().map(|crash| crash.stack.as_str()),
            "elapsed_ms": observation.elapsed_ms,
            "screen": *observation.screen,
            "log": observation.log,
        })
    }
}

/// Waits for the program, and ends it when it hangs; then there is no status.
fn wait(child: &mut Child) -> std::io::Result<Option<std::process::ExitStatus>> {
    let started = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if started.elapsed() > MAX_PROGRAM_TIME => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}
