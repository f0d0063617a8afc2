//! Reads from a run's directory what `retap model --check` compares: activities, transitions, widgets, methods.

use retap_engine::{Failure, run_directory};
use retap_model::coverage::UnitKind;
use retap_model::format::run;
use retap_static::SeenRun;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Events after which another activity says nothing about the window before.
const NOT_INPUTS: [&str; 4] = ["rotate", "intent", "system", "wait"];

pub fn read(dir: &Path) -> Result<SeenRun, Failure> {
    run_directory::read_info(dir)?;
    let mut seen = SeenRun::default();
    let mut activities = BTreeMap::new();
    for line in lines(dir, "states.jsonl")? {
        let (Some(state), Some(activity)) = (text(&line, "state"), text(&line, "activity")) else {
            continue;
        };
        // Outside the app there is no activity.
        if activity.is_empty() {
            continue;
        }
        activities.insert(state, activity.clone());
        if let Some(screen) = text(&line, "screen") {
            widgets(dir, &screen, seen.widgets.entry(activity.clone()).or_default());
        }
        seen.activities.insert(activity);
    }
    let mut before: Option<String> = None;
    for line in lines(dir, "trace.jsonl")? {
        let after = text(&line, "state").and_then(|state| activities.get(&state).cloned());
        if let (Some(from), Some(to), Some(event)) = (&before, &after, line.get("event"))
            && from != to
            && is_input(event)
        {
            seen.transitions.insert((from.clone(), to.clone()));
        }
        before = after;
    }
    seen.methods = methods(dir)?;
    Ok(seen)
}

fn is_input(event: &Value) -> bool {
    match event {
        Value::Object(fields) => {
            let is_back = fields.get("key").and_then(Value::as_str) == Some("back");
            !is_back && !NOT_INPUTS.iter().any(|it| fields.contains_key(*it))
        }
        // Launching and closing.
        _ => false,
    }
}

/// Adds the ids on a screen. A screen that is gone, as after a clean-up, has none.
fn widgets(dir: &Path, screen: &str, ids: &mut BTreeSet<String>) {
    let Ok(id) = screen.parse() else { return };
    let Ok(screen) = run::read_screen(dir, id) else { return };
    let found = screen.windows.iter().flat_map(|window| &window.widgets);
    ids.extend(found.map(|it| it.short_id().to_owned()).filter(|it| !it.is_empty()));
}

/// Returns the methods that ran.
fn methods(dir: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut covered = BTreeSet::new();
    run::visit_entries(dir, &mut |_, units, _| covered.extend(units.iter()))?;
    let units = run::read_units(dir)?;
    let methods = units.iter().filter(|(_, unit)| unit.kind == UnitKind::Method);
    Ok(methods.filter(|(id, _)| covered.contains(id)).map(|(_, unit)| unit.name.clone()).collect())
}

fn text(line: &Value, field: &str) -> Option<String> {
    line.get(field)?.as_str().map(str::to_owned)
}

fn lines(dir: &Path, file: &str) -> Result<Vec<Value>, Failure> {
    let path = dir.join(file);
    let content = fs::read_to_string(&path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
    // A run that was killed may end in half a line.
    Ok(content.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
