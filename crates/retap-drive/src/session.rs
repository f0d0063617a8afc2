//! A session: one app on one device, where it is, and what it has met.

mod acting;
mod crashes;
mod exploring;
mod recording;
mod replaying;
mod states;

pub use acting::MoveAnswer;
pub use crashes::SessionCrash;
pub use exploring::ExploredPart;
pub use recording::SavedTrace;
pub use replaying::ReplayedRuns;
pub use states::{KnownState, StateEdgeRow};

use crate::screen_list::ScreenList;
use retap_device::{Connect, Lab};
use retap_engine::explore::summary::{SummaryInput, summarize};
use retap_engine::{Context, Failure};
use retap_explore::{Exploration, ExplorationLimits, Move};
use retap_model::format::run::{self, EndReason, RunInfo, Summary};
use retap_model::{App, CostLedger, Observation, RunPhase, StateId};
use retap_oracle::Oracles;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A session lasts as long as its driver wants; its traces do not.
const LIMITS: ExplorationLimits = ExplorationLimits { max_events: u64::MAX, trace_length: 1_000 };

/// One app on one device.
pub struct DriveSession<'l, 's> {
    lab: Lab<'l>,
    exploration: Exploration<'s>,
    app: App,
    oracles: Oracles,
    run: PathBuf,
    context: Context<'l>,
    /// The states that the driver has named.
    names: BTreeMap<String, StateId>,
    /// True if a picture was taken since the app was launched. Drawing may touch the app, so that what must be exact
    /// begins with a clean install then.
    drawn: bool,
    started: Instant,
}

impl std::fmt::Debug for DriveSession<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DriveSession").field("run", &self.run).finish_non_exhaustive()
    }
}

impl<'l, 's> DriveSession<'l, 's> {
    pub(crate) fn new(
        lab: Lab<'l>,
        exploration: Exploration<'s>,
        app: App,
        oracles: Oracles,
        run: PathBuf,
        context: Context<'l>,
    ) -> Self {
        Self {
            lab,
            exploration,
            app,
            oracles,
            run,
            context,
            names: BTreeMap::new(),
            drawn: false,
            started: Instant::now(),
        }
    }

    /// Launches the app, or brings it where a resumed run has left it.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        if self.exploration.has_trace() && !self.exploration.is_trace_over() {
            match self.exploration.restore_position(self.lab.rig()) {
                Ok(()) => return Ok(()),
                Err(error) => self.context.remark(&format!("{error}; the app starts anew")),
            }
        }
        self.restart()?;
        Ok(())
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    pub fn info(&self) -> &RunInfo {
        self.exploration.info()
    }

    /// Returns the run directory.
    pub fn run(&self) -> &Path {
        &self.run
    }

    /// Returns the last observation. There is one: a session begins with a launch.
    fn observation(&self) -> Option<&Observation> {
        self.lab.first_rig().last_observation()
    }

    /// Returns the screen as a list.
    pub fn screen(&self) -> ScreenList {
        let screen = self.observation().map(|observation| &*observation.screen);
        screen.map_or_else(|| ScreenList::of(&retap_model::Screen::default()), ScreenList::of)
    }

    /// Returns a picture of the screen, or none if the device has none to show.
    pub fn picture(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let gone = self.observation().is_none_or(|observation| observation.outcome.is_final());
        if gone || !self.lab.rig().describe()?.screenshots {
            return Ok(None);
        }
        self.drawn = true;
        match self.lab.rig().screenshot() {
            Err(retap_device::DeviceError::Unsupported(_)) => Ok(None),
            png => Ok(Some(png?)),
        }
    }

    /// Passes on what the device remarked, such as that it died and was replaced.
    pub(crate) fn tell_remarks(&mut self) {
        for remark in self.lab.take_remarks() {
            self.context.remark(&remark);
        }
    }

    /// Starts over from a clean install.
    pub fn restart(&mut self) -> Result<MoveAnswer, Failure> {
        self.make_move(&Move::Restart)
    }

    /// Makes a move and tells where it led.
    fn make_move(&mut self, next: &Move) -> Result<MoveAnswer, Failure> {
        let known = self.exploration.totals().states.len();
        self.exploration.make_move(next, self.lab.rig(), LIMITS, "asked for")?;
        self.exploration.flush()?;
        if !matches!(next, Move::Do(_)) {
            self.drawn = false;
        }
        Ok(self.answer(self.exploration.totals().states.len() > known))
    }

    /// Brings the app back where it is, without the pictures that were taken on the way.
    fn undraw(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.drawn) || self.exploration.is_trace_over() {
            return Ok(());
        }
        self.lab.rig().forget_position();
        if let Err(error) = self.exploration.restore_position(self.lab.rig()) {
            self.context.remark(&format!("{error}; the app starts anew"));
            self.restart()?;
        }
        Ok(())
    }

    /// Brings the app back where the session is, after executions that began elsewhere.
    fn come_back(&mut self) -> Result<(), Failure> {
        self.drawn = true;
        self.undraw()
    }

    /// Writes the summary of the run.
    pub(crate) fn conclude(&mut self, connect: &dyn Connect) -> Result<Summary, Failure> {
        self.exploration.flush()?;
        let coverage = &self.exploration.totals().coverage;
        if let Err(error) = connect.keep_coverage(&self.run, coverage) {
            self.context.remark(&format!("no coverage files for other tools: {error}"));
        }
        self.lab.charge(RunPhase::Explore);
        let mut costs = CostLedger::default();
        costs.add_all(self.lab.costs());
        let summary = summarize(&SummaryInput {
            run: &self.run,
            info: self.exploration.info(),
            app: &self.app,
            totals: self.exploration.totals(),
            costs: &costs,
            ended: EndReason::Complete,
            time: self.started.elapsed(),
        });
        run::write_json(&self.run.join(run::RESULT), &summary)?;
        Ok(summary)
    }
}
