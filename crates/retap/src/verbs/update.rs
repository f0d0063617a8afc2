//! `retap update`.

mod app_tests;
mod conclusion;
mod differences;
mod files;
mod render;
mod session;
mod show;

use super::fleet::{LabRequest, open_lab};
use crate::cli::{UpdateArgs, Verb};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_device::Lab;
use retap_engine::connection::{Connection, connect};
use retap_engine::update::{PlanSettings, UpdatePlan};
use retap_engine::{DeviceSettings, Failure, Reporter};
use retap_model::format::run::RunInfo;
use retap_model::format::run::update_summary::UpdateSummary;
use retap_model::{App, CostLedger};
use retap_update::{PhaseName, UpdateSettings, UpdateStrategy};
use session::UpdateSession;
use std::time::Instant;

pub fn run(args: &UpdateArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(model) = &args.show {
        console.result(&show::render(&files::read_model(model)?));
        return Ok(Exit::Clean);
    }
    let args = &if args.resume { resumed_arguments(args)? } else { args.clone() };
    let (Some(old), Some(new)) = (&args.old, &args.new) else {
        return Err(Failure::input("name the old and the new APK"));
    };
    if args.device.is_fake() {
        return Err(Failure::input("update compares two APKs; a fake device carries its own app"));
    }
    let manual = files::read_manual_inputs(args.inputs.as_deref())?;
    let model = args.model.as_deref().map(files::read_model).transpose()?;
    let settings = PlanSettings {
        force: args.force,
        asked: args.target.clone(),
        impact: args.impact,
        sources: match (args.resume, &args.output.output) {
            (true, Some(dir)) => files::resume_changed_files(dir, args.since.as_deref())?,
            _ => files::read_changed_files(args.since.as_deref())?,
        },
    };
    let plan = UpdatePlan::read(old, new, &settings)?;
    plan.remarks.iter().for_each(|remark| console.remark(remark));
    if plan.wanted.is_empty() {
        return Ok(say_nothing_changed(&plan, console));
    }
    let device = args.device.settings();
    let connection = connect(&device, Some(new), console.context())?;
    let wanted = LabRequest::new("update", &device, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    let targets = plan.targets(&app.units);
    if targets.is_empty() {
        console.result(
            "The update changed no method of the app's own code: there is nothing to reach.",
        );
        return Ok(Exit::Clean);
    }
    let info = run_info(args, &device, &app, &mut lab, &connection)?;
    let dir =
        args.output.output.clone().unwrap_or_else(|| super::fresh_directory(&info.app.package));
    let mut session = UpdateSession {
        args,
        plan: &plan,
        app: &app,
        dir,
        console,
        started: Instant::now(),
        info: info.clone(),
        connection: &connection,
        sources: settings.sources,
        costs: CostLedger::default(),
        tests: None,
    };
    let explorer = plan.explorer(&targets, &app, info.seed);
    let mut strategy = UpdateStrategy::new(
        UpdateSettings {
            seed: info.seed,
            scale: args.scale,
            phases: phases(args),
            manual,
            compared_texts: plan.compared_texts(&app),
            max_inputs: args.max_events,
        },
        &plan.model,
        targets,
        explorer,
    );
    if let Some(model) = &model {
        let adopted = strategy.adopt(model);
        console.remark(&format!(
            "{} windows, {} transitions and {} inputs of the other model are used, {} do not fit",
            adopted.windows, adopted.transitions, adopted.inputs, adopted.stale
        ));
    }
    let totals = session.explore(&mut lab, &mut strategy)?;
    session.conclude(&mut lab, &strategy, totals)
}

fn run_info(
    args: &UpdateArgs,
    device: &DeviceSettings,
    app: &App,
    lab: &mut Lab<'_>,
    connection: &Connection,
) -> Result<RunInfo, Failure> {
    let description = lab.rig().describe()?;
    let seed = args.seed.seed.unwrap_or_else(|| rand::random::<u32>().into());
    Ok(RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: UpdateSummary::VERB.into(),
        arguments: std::env::args().skip(1).collect(),
        seed,
        world_seed: args.seed.world_seed.unwrap_or(seed),
        app: app.identity.clone(),
        apk: connection.apk.display().to_string(),
        device: description.kind.clone(),
        api: description.api,
        display: description.display,
        outside: device.outside.clone(),
        abstraction: device.recorded_abstraction(),
    })
}

fn phases(args: &UpdateArgs) -> Vec<PhaseName> {
    let chosen = |phase: &PhaseName| args.phases.contains(&phase.number());
    PhaseName::ALL.into_iter().filter(chosen).collect()
}

fn say_nothing_changed(plan: &UpdatePlan, console: &Console) -> Exit {
    let resources = plan.diff.resources.len();
    let text = match (plan.diff.is_empty(), resources) {
        (true, _) => "The two versions are the same: there is nothing to test.".to_string(),
        (false, resources) => format!(
            "The update changed no code, {resources} resources and {} lines of the manifest: there is no method to reach. \
             `retap diff` shows what changed.",
            plan.diff.manifest.len()
        ),
    };
    console
        .json(&serde_json::json!({ "verb": UpdateSummary::VERB, "targets": 0, "message": text }));
    console.result(&text);
    Exit::Clean
}

/// Returns the arguments of the run to resume, with its seeds.
fn resumed_arguments(given: &UpdateArgs) -> Result<UpdateArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    let (Some(Verb::Update(mut args)), seed) = super::resumed_verb(&dir)? else {
        return Err(super::cannot_resume(&dir, "update"));
    };
    args.seed = seed;
    args.output = given.output.clone();
    args.resume = true;
    args.explain = given.explain;
    args.jobs = given.jobs;
    args.fleet = given.fleet.clone();
    Ok(*args)
}
