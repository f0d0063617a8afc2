//! `reduction.json`: what was removed, and who covers now what it covered, in names instead of numbers.

use super::load::Loaded;
use retap_model::app::AppIdentity;
use retap_model::format::run::{RunError, write_json};
use retap_model::format::trace::Header;
use retap_model::{Coverage, Rate, Units};
use retap_reduce::{LowerBound, Need, Reduction, RemovedKind, Stages, Tally, Where};
use serde::Serialize;
use std::path::Path;

/// The part that the summary shows, too.
#[derive(Debug, Serialize)]
pub struct Evidence {
    /// `complete` or `interrupted`.
    ended: &'static str,
    pub stages: Stages,
    pub lower_bound: Option<LowerBound>,
    /// How far above the bound the suite is.
    pub gap: Option<f64>,
    pub tally: Tally,
    pub quarantined: Vec<Quarantined>,
    pub unstable: Vec<Lost>,
    /// Recordings that were not looked at before the end.
    pub unexamined: Vec<String>,
    #[serde(skip)]
    app: AppIdentity,
    #[serde(skip)]
    covered: Vec<Covered>,
    #[serde(skip)]
    removed: Vec<Removed>,
    #[serde(skip)]
    made_of: Vec<MadeOf>,
}

#[derive(Debug, Serialize)]
pub struct Quarantined {
    pub trace: String,
    pub step: usize,
    pub steps: usize,
    pub rate: Rate,
}

#[derive(Debug, Serialize)]
pub struct Lost {
    need: String,
    trace: String,
    step: usize,
}

/// Something that a recording covered, and the step that covers it now.
#[derive(Debug, Serialize)]
struct Covered {
    need: String,
    by: String,
    step: usize,
}

#[derive(Debug, Serialize)]
struct Removed {
    trace: String,
    steps: (usize, usize),
    kind: RemovedKind,
    /// Places in `covered`, from 0.
    covered: Coverage,
}

#[derive(Debug, Serialize)]
struct MadeOf {
    trace: String,
    kept: bool,
    /// The recorded launch and steps, as `TRACE steps N-M`, one fragment a line.
    fragments: Vec<String>,
}

#[derive(Serialize)]
struct File<'a> {
    retap: &'static str,
    version: u32,
    app: &'a AppIdentity,
    #[serde(flatten)]
    evidence: &'a Evidence,
    traces: &'a [MadeOf],
    covered: &'a [Covered],
    removed: &'a [Removed],
}

/// What the numbers of a reduction stand for.
pub struct Sources<'a> {
    pub header: &'a Header,
    pub loaded: &'a [Loaded],
    /// Of the reduced suite's traces.
    pub names: &'a [String],
    pub units: &'a Units,
}

impl Evidence {
    pub fn new(reduction: &Reduction, sources: &Sources<'_>) -> Self {
        let Sources { header, loaded, names, units } = *sources;
        let source = |trace: usize| loaded[trace].name.clone();
        let covered = |(need, Where { trace, step }): &(Need, Where)| Covered {
            need: name(*need, units),
            by: names[*trace].clone(),
            step: *step,
        };
        Self {
            ended: if reduction.stopped { "interrupted" } else { "complete" },
            app: header.app.clone(),
            stages: reduction.stages,
            lower_bound: reduction.lower_bound,
            gap: reduction.gap(),
            tally: reduction.tally,
            quarantined: reduction
                .quarantined
                .iter()
                .map(|q| Quarantined {
                    trace: source(q.trace),
                    step: q.step,
                    steps: q.steps,
                    rate: q.rate,
                })
                .collect(),
            unstable: reduction
                .unstable
                .iter()
                .map(|lost| Lost {
                    need: name(lost.need, units),
                    trace: source(lost.trace),
                    step: lost.step,
                })
                .collect(),
            unexamined: reduction.unexamined.iter().copied().map(source).collect(),
            covered: reduction.proof.covered.iter().map(covered).collect(),
            removed: reduction
                .proof
                .removed
                .iter()
                .map(|removed| Removed {
                    trace: source(removed.trace),
                    steps: removed.steps,
                    kind: removed.kind,
                    covered: removed.covered.clone(),
                })
                .collect(),
            made_of: reduction
                .traces
                .iter()
                .zip(names)
                .map(|(one, name)| MadeOf {
                    trace: name.clone(),
                    kept: one.kept,
                    fragments: fragments(one, loaded),
                })
                .collect(),
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.ended == "interrupted"
    }

    pub fn write(&self, folder: &Path) -> Result<(), RunError> {
        let file = File {
            retap: "reduction",
            version: 1,
            app: &self.app,
            evidence: self,
            traces: &self.made_of,
            covered: &self.covered,
            removed: &self.removed,
        };
        write_json(&folder.join("reduction.json"), &file)
    }
}

fn name(need: Need, units: &Units) -> String {
    match need {
        Need::Unit(id) => match units.get(id) {
            Some(unit) => format!("{} {}", unit.kind, unit.name),
            None => format!("unit {id}"),
        },
        Need::State(state) => format!("state {state}"),
        Need::Crash(crash) => format!("crash {crash}"),
        Need::NotResponding => "the app stops responding".into(),
    }
}

/// `run/trace.jsonl#3 steps 4-9`, one for every run of steps that followed each other when recorded.
fn fragments(reduced: &retap_reduce::Reduced, loaded: &[Loaded]) -> Vec<String> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for origin in &reduced.origins {
        match runs.last_mut() {
            Some((trace, _, last)) if *trace == origin.trace && *last + 1 == origin.step => {
                *last = origin.step;
            }
            _ => runs.push((origin.trace, origin.step, origin.step)),
        }
    }
    let line = |(trace, first, last): (usize, usize, usize)| {
        let steps = match (first, last) {
            (0, 0) => "launch".to_string(),
            (0, 1) => "launch and step 1".to_string(),
            (0, last) => format!("launch and steps 1-{last}"),
            (first, last) if first == last => format!("step {first}"),
            (first, last) => format!("steps {first}-{last}"),
        };
        format!("{} {steps}", loaded[trace].name)
    };
    runs.into_iter().map(line).collect()
}
