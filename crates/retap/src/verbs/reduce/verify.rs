//! `retap reduce --verify`: replays a suite and compares its coverage with the original's, unit by unit. It uses the
//! device and the recordings alone, and nothing of the reducer. What the reducer wrote is checked against them.

mod claims;

use super::{LabRequest, check_app, open_lab, scope};
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::exit::Exit;
use claims::SuiteReplays;
use retap_device::replay::compare;
use retap_device::{Execution, Job, NEVER_STOP};
use retap_engine::Failure;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::reduce::{
    ClassFilter, LoadedTrace, Loader, OriginalCoverage, OriginalFile, original, restate,
};
use retap_engine::suite_folder::{self, SuiteTrace};
use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::read_json;
use retap_model::format::trace::Header;
use retap_model::{App, Cost, Outcome};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Default, Serialize)]
struct Verification {
    verb: &'static str,
    traces: usize,
    /// One sentence for each trace that diverged.
    divergences: Vec<String>,
    /// The coverage of the original.
    units: u64,
    states: usize,
    crashes: usize,
    /// True if the coverage of the original was computed from its recordings, false if `original.json` is all there is.
    recomputed: bool,
    /// Units, states and crashes that the original covered and the suite does not.
    missing: Vec<String>,
    /// Those among the missing ones of which the suite says that no replay showed them again.
    excused: Vec<String>,
    /// Statements of `original.json` and `reduction.json` that are not true.
    false_claims: Vec<String>,
    cost: Cost,
}

pub fn run(suite: &Path, args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    let members = suite_folder::read(suite)?;
    let Some(first) = members.first() else {
        return Err(Failure::input(format!("{} lists no trace", suite.display())));
    };
    let header = first.header.clone();
    let mut settings = args.device.settings().as_recorded(&header);
    if let Some(counted) = ClassFilter::in_folder(suite)? {
        counted.fill(&mut settings);
    }
    let near = args.inputs.first().cloned().unwrap_or_else(|| first.file.display().to_string());
    let named = NamedTrace { name: &near, header: &header };
    let connection = connect_for_trace(&settings, args.apk.as_deref(), named, console.context())?;
    let wanted = LabRequest::new("reduce", &settings, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    check_app(&header, &app)?;
    let claimed = ReductionFile::read(suite)?;
    let Original { coverage: original, recorded, recomputed, differs } =
        original_coverage(suite, args, &header, &app, &claimed)?;

    let job = |member: &SuiteTrace| Job {
        world_seed: member.trace.world_seed,
        events: member.trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = members.iter().map(job).collect();
    let executions = lab.run_all(&jobs, NEVER_STOP)?;
    assert_eq!(jobs.len(), executions.len(), "the lab answers every job");
    let mut verification = Verification {
        verb: "reduce",
        traces: members.len(),
        units: original.units.len(),
        states: original.states.len(),
        crashes: original.crashes.len(),
        recomputed,
        cost: lab.cost(),
        ..Verification::default()
    };
    let package = &app.identity.package;
    let mut left = original;
    for (member, execution) in members.iter().zip(&executions) {
        if let Some(divergence) = compare(&member.trace, execution, header.abstraction, package) {
            verification.divergences.push(format!("{} {divergence}", member.name));
        }
        remove_covered(&mut left, execution, &header, package);
    }
    let unit =
        |id| app.units.get(id).map_or(format!("unit {id}"), |u| format!("{} {}", u.kind, u.name));
    verification.missing.extend(left.units.iter().map(unit));
    verification.missing.extend(left.states.iter().map(|state| format!("state {state}")));
    verification.missing.extend(left.crashes.iter().map(|crash| format!("crash {crash}")));
    verification
        .missing
        .extend(left.not_responding.then(|| "the app stops responding".to_string()));
    let unstable: BTreeSet<&str> =
        claimed.summary.unstable.iter().map(|lost| lost.requirement.as_str()).collect();
    let missing = std::mem::take(&mut verification.missing);
    (verification.excused, verification.missing) =
        missing.into_iter().partition(|missing| unstable.contains(missing.as_str()));
    if differs {
        let claim = "original.json: the recordings cover something else than it says";
        verification.false_claims.push(claim.into());
    }
    let replays =
        SuiteReplays { members: &members, executions: &executions, header: &header, app: &app };
    verification.false_claims.extend(replays.find_false_claims(&claimed, recorded));
    console.json(&verification);
    console.result(&render(&verification));
    let holds = verification.holds();
    Ok(if holds { Exit::Clean } else { Exit::Found })
}

/// The coverage of the original, and where it is from.
struct Original {
    coverage: OriginalCoverage,
    /// The number of steps that were recorded, if the recordings were read.
    recorded: Option<u64>,
    recomputed: bool,
    /// True if `original.json` says something else than the recordings.
    differs: bool,
}

/// Returns the coverage of the original: of the named inputs, else of the recordings that the suite was made of, else
/// as `original.json` says.
fn original_coverage(
    suite: &Path,
    args: &ReduceArgs,
    header: &Header,
    app: &App,
    claimed: &ReductionFile,
) -> Result<Original, Failure> {
    let file: OriginalFile =
        read_json(&suite.join(original::FILE), "the coverage of the original")?;
    let believed = file.coverage;
    let are_named = !args.inputs.is_empty();
    let (inputs, scope) = match file.source {
        _ if are_named => (args.inputs.clone(), scope(args, app)),
        Some(source) if source.inputs.iter().all(|name| exists(name)) => {
            let scope = source.scope(&app.units);
            (source.inputs, scope)
        }
        _ => return Ok(Original::believed(believed)),
    };
    let mut loader = Loader::default();
    inputs.iter().try_for_each(|name| loader.add(name, false))?;
    // Recordings without coverage were completed before they were reduced, and what they cover is not with them.
    if !are_named && loader.loaded.iter().any(|one| one.covered.is_none()) {
        return Ok(Original::believed(believed));
    }
    restate::restate(&mut loader.loaded, Some(header.abstraction))?;
    let recorded = loader.loaded.iter().map(|one| one.trace.steps.len() as u64).sum();
    let unexamined = &claimed.summary.unexamined;
    // The names of inputs may be relative in one place and absolute in the other.
    let is_examined =
        |one: &&LoadedTrace| !unexamined.iter().any(|name| one.name.ends_with(name.as_str()));
    let coverage = OriginalCoverage::of(loader.loaded.iter().filter(is_examined), &scope);
    Ok(Original {
        differs: !are_named && !believed.is_within(&coverage),
        coverage,
        recorded: (!are_named).then_some(recorded),
        recomputed: true,
    })
}

impl Original {
    /// Returns what `original.json` says, where there is nothing to compare it with.
    fn believed(coverage: OriginalCoverage) -> Self {
        Self { coverage, recorded: None, recomputed: false, differs: false }
    }
}

/// Returns true if a run, a suite or a trace of this name exists.
fn exists(name: &str) -> bool {
    let file = name.rsplit_once('#').map_or(name, |(file, _)| file);
    Path::new(name).exists() || Path::new(file).exists()
}

/// Removes what an execution covered.
fn remove_covered(
    left: &mut OriginalCoverage,
    execution: &Execution,
    header: &Header,
    package: &str,
) {
    for observation in &execution.observations {
        left.units = left.units.difference(&observation.coverage);
        left.states.remove(&header.abstraction.state(&observation.screen));
        match &observation.outcome {
            Outcome::Crashed(crash) => {
                left.crashes.remove(&crash.identity(package));
            }
            Outcome::NotResponding { .. } => left.not_responding = false,
            _ => {}
        }
    }
}

impl Verification {
    fn holds(&self) -> bool {
        self.missing.is_empty() && self.divergences.is_empty() && self.false_claims.is_empty()
    }
}

fn render(verification: &Verification) -> String {
    let mut text = String::new();
    let Verification { traces, units, states, crashes, .. } = verification;
    let begin = if verification.holds() { "Verified" } else { "Not verified" };
    let of = if verification.recomputed { "the recordings" } else { "original.json alone" };
    let _ = writeln!(
        text,
        "{begin}: {traces} traces against {units} units, {states} states and {crashes} crashes of {of}"
    );
    if !verification.excused.is_empty() {
        let count = verification.excused.len();
        let _ = writeln!(text, "  {count} of them were never seen again, says reduction.json");
    }
    const SHOWN: usize = 10;
    for divergence in verification.divergences.iter().take(SHOWN) {
        let _ = writeln!(text, "  diverged: {divergence}");
    }
    for claim in verification.false_claims.iter().take(SHOWN) {
        let _ = writeln!(text, "  not true: {claim}");
    }
    for missing in verification.missing.iter().take(SHOWN) {
        let _ = writeln!(text, "  not covered: {missing}");
    }
    let hidden = verification.missing.len().saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more");
    }
    text
}
