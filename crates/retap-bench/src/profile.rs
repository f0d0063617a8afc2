//! Where the time of a run goes: the processor time of each phase by what it was spent on, and the stacks in which it
//! was spent.
//!
//! How much time each kind of thread took is what the system counted. How the time of the threads that do the work
//! divides is what the JVM's samples show.

mod attribution;
mod flame_graph;
mod folded_stacks;
mod phase_clock;
mod phase_times;
mod samples;
mod timed_device;

pub use phase_clock::Phase;
pub use timed_device::TimedDevice;

use crate::table::render;
use folded_stacks::FoldedStacks;
use phase_clock::PhaseSpan;
use phase_times::PhaseTimes;
use retap_device::DeviceError;
use retap_engine::Failure;
use retap_model::format::run::RunError;
use samples::Samples;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// The profile of one run.
#[derive(Debug, Serialize)]
pub struct Profile {
    phases: Vec<PhaseTimes>,
    #[serde(skip)]
    stacks: FoldedStacks,
}

impl Profile {
    /// Joins the phases of a run with the samples of its process.
    fn new(spans: &[PhaseSpan], samples: &str) -> Result<Self, Failure> {
        let samples = Samples::parse(samples)
            .map_err(|why| DeviceError::lost(format!("the recording is damaged: {why}")))?;
        let (phases, stacks) = attribution::attribute(spans, &samples);
        Ok(Self { phases, stacks })
    }

    /// Writes the flame graph and the stacks that it draws.
    pub fn write(&self, folder: &Path, app: &str) -> Result<(), Failure> {
        fs::create_dir_all(folder).map_err(RunError::io(folder))?;
        let graph = flame_graph::draw(app, &self.stacks);
        for (name, text) in [("flame.svg", graph), ("folded.txt", self.stacks.to_text())] {
            let path = folder.join(format!("{app}-{name}"));
            fs::write(&path, text).map_err(RunError::io(&path))?;
        }
        Ok(())
    }

    pub fn render(&self, app: &str) -> String {
        let all = PhaseTimes::sum(&self.phases);
        let rows: Vec<Vec<String>> = self
            .phases
            .iter()
            .map(|phase| phase.row(phase.phase.name(), all.cpu_ms))
            .chain([all.row("all", all.cpu_ms)])
            .collect();
        let mut head = phase_times::HEAD;
        head[0] = app;
        render(&head, &rows)
    }
}

/// Explains the columns.
pub const LEGEND: &str = "\
CPU s: processor time of the device; share: of all phases; compile: the JVM's compiler; collect: its garbage collector;
load: classes loaded, defined and initialised; interpreted, compiled, native: the rest, by the innermost frame of samples;
these six make up the processor time. waiting: the part of the seconds that passed without work: for the compiler, files
or a processor. start: from nothing to the first screen
";
