//! `reduction.json`: what was removed, and who covers now what it covered, in names instead of numbers.

use retap_model::format::run::{RunError, write_json};
use retap_model::{Coverage, Rate, Units};
use retap_reduce::{LowerBound, Need, Reduction, RemovedKind, Stages, Tally, Where};
use serde::Serialize;
use std::path::Path;

/// The part that the summary shows, too.
#[derive(Debug, Serialize)]
pub struct Evidence {
    pub stages: Stages,
    pub lower_bound: Option<LowerBound>,
    /// How far above the bound the suite is.
    pub gap: Option<f64>,
    pub tally: Tally,
    pub quarantined: Vec<Quarantined>,
    pub unstable: Vec<Lost>,
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
    /// The recorded launch and steps, as `TRACE step N`, one fragment a line.
    fragments: Vec<String>,
}

#[derive(Serialize)]
struct File<'a> {
    retap: &'static str,
    version: u32,
    #[serde(flatten)]
    evidence: &'a Evidence,
    traces: &'a [MadeOf],
    covered: &'a [Covered],
    removed: &'a [Removed],
}

impl Evidence {
    pub fn new(reduction: &Reduction, sources: &[&str], names: &[String], units: &Units) -> Self {
        let source = |trace: usize| sources[trace].to_string();
        let covered = |(need, Where { trace, step }): &(Need, Where)| Covered {
            need: name(*need, units),
            by: names[*trace].clone(),
            step: *step,
        };
        Self {
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
                    fragments: fragments(one, sources),
                })
                .collect(),
        }
    }

    pub fn write(&self, folder: &Path) -> Result<(), RunError> {
        let file = File {
            retap: "reduction",
            version: 1,
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
fn fragments(reduced: &retap_reduce::Reduced, sources: &[&str]) -> Vec<String> {
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
        format!("{} steps {first}-{last}", sources[trace])
    };
    runs.into_iter().map(line).collect()
}
