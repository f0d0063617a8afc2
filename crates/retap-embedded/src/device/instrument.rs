//! Runs the app under a test APK's instrumentation, from one report to the next.

use super::errors::{agent_failed, damaged_reply, unexpected_reply};
use super::{AppState, EmbeddedDevice};
use crate::wire::{
    AgentReply, AgentRequest, DecisionReport, HostLimitation, RecordedInput, TestContinue,
    TestReport, TestStart, Transfer,
};
use retap_device::DeviceError;
use retap_model::{Coverage, Outcome, Screen};
use std::sync::Arc;

/// What happened up to a report of the instrumentation.
#[derive(Debug, Clone)]
pub struct TestStep {
    pub reports: Vec<TestReport>,
    /// What forwarded ports sent.
    pub transfers: Vec<Transfer>,
    pub outcome: Outcome,
    /// Virtual time.
    pub elapsed_ms: u64,
    pub coverage: Arc<Coverage>,
    pub log: Vec<String>,
    pub host_limitations: Vec<String>,
}

/// The last screen of the app that was kept, and what the test did until then.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeptScreen {
    pub screen: Option<Screen>,
    /// Empty if there was no such screen.
    pub png: Vec<u8>,
    pub inputs: Vec<RecordedInput>,
}

impl EmbeddedDevice {
    /// Starts the app under the instrumentation and runs it until that reports.
    pub fn start_tests(&mut self, start: &TestStart) -> Result<TestStep, DeviceError> {
        if self.agent.is_none() {
            self.start_agent()?;
        }
        self.app = AppState::NotLaunched;
        self.world_seed = start.world_seed;
        self.run_tests(&AgentRequest::StartTests(start))
    }

    /// Runs the instrumentation on until it reports again, or forwarded ports have news.
    pub fn continue_tests(&mut self, how: &TestContinue) -> Result<TestStep, DeviceError> {
        self.run_tests(&AgentRequest::ContinueTests(how))
    }

    /// Returns the last screen and the inputs, if the tests were started so.
    pub fn kept_screen(&mut self) -> Result<KeptScreen, DeviceError> {
        match self.call(&AgentRequest::KeptScreen)? {
            AgentReply::KeptScreen { screen, png, inputs } => {
                Ok(KeptScreen { screen, png, inputs })
            }
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }

    /// Returns what the test's world has decided so far.
    pub fn decisions(&mut self) -> Result<DecisionReport, DeviceError> {
        match self.call(&AgentRequest::Decisions)? {
            AgentReply::Decisions(report) => Ok(report),
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }

    pub(super) fn ask_provider(&mut self, uri: &str) -> Result<Vec<u8>, DeviceError> {
        match self.call(&AgentRequest::ReadContent(uri))? {
            AgentReply::Content(content) => Ok(content),
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }

    fn run_tests(&mut self, request: &AgentRequest<'_>) -> Result<TestStep, DeviceError> {
        let (reports, transfers, reply) = match self.call(request)? {
            AgentReply::Tests { reports, transfers, observation } => {
                (reports, transfers, *observation)
            }
            AgentReply::Refused(refusal) => return Err(agent_failed(&refusal)),
            other => return Err(unexpected_reply(&other)),
        };
        self.agent_time = self.agent_time.saturating_add(reply.agent_time);
        let coverage = self.probe_decoder.coverage(&reply.covered_probes);
        let coverage = coverage.map_err(|error| damaged_reply(&error))?;
        if matches!(reply.outcome, Outcome::NotResponding { .. }) {
            // By the protocol the agent ends itself now.
            self.agent = None;
        }
        let describe = |HostLimitation { kind, detail }| format!("{kind}: {detail}");
        Ok(TestStep {
            reports,
            transfers,
            outcome: reply.outcome,
            elapsed_ms: reply.elapsed_ms,
            coverage,
            log: reply.log,
            host_limitations: reply.host_limitations.into_iter().map(describe).collect(),
        })
    }
}
