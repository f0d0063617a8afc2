//! Reads from a run's directory what `retap model --check` compares: activities, transitions, widgets, methods.

use retap_engine::Failure;
use retap_model::coverage::{Coverage, UnitKind};
use retap_model::event::Event;
use retap_model::format::run::{self, StateRow};
use retap_model::format::trace::TraceEntry;
use retap_model::screen::{ScreenId, WindowKind};
use retap_model::state::StateId;
use retap_static::SeenRun;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub fn read(dir: &Path) -> Result<SeenRun, Failure> {
    let mut reader = RunReader::default();
    run::visit_entries(dir, &mut |entry, units, row| reader.read(entry, units, row))?;
    let mut seen = reader.seen;
    for (activity, screens) in reader.screens {
        let ids = seen.widgets.entry(activity).or_default();
        screens.into_iter().for_each(|screen| widgets(dir, screen, ids));
    }
    let units = run::read_units(dir)?;
    let methods = units.iter().filter(|(_, unit)| unit.kind == UnitKind::Method);
    let ran = methods.filter(|(id, _)| reader.covered.contains(*id));
    seen.methods = ran.map(|(_, unit)| unit.name.clone()).collect();
    Ok(seen)
}

/// What the entries of a run say so far.
#[derive(Default)]
struct RunReader {
    seen: SeenRun,
    activities: BTreeMap<StateId, String>,
    screens: BTreeMap<String, BTreeSet<ScreenId>>,
    covered: Coverage,
    /// The activity before the next event; none if the app was not in front.
    before: Option<String>,
}

impl RunReader {
    fn read(&mut self, entry: &TraceEntry, units: &Coverage, row: Option<&StateRow>) {
        self.covered.union_with(units);
        // Outside the app there is no activity.
        if let Some(row) = row.filter(|row| !row.activity.is_empty()) {
            self.activities.insert(row.state, row.activity.clone());
            self.screens.entry(row.activity.clone()).or_default().insert(row.screen);
            self.seen.activities.insert(row.activity.clone());
        }
        let state = entry.result().state;
        let after = state.and_then(|state| self.activities.get(&state).cloned());
        if let (TraceEntry::Step(step), Some(from), Some(to)) = (entry, &self.before, &after)
            && from != to
            && is_input(&step.event)
        {
            self.seen.transitions.insert((from.clone(), to.clone()));
        }
        if let (TraceEntry::Step(step), Some(from), Some(to)) = (entry, &self.before, &after)
            && let Some(id) = touched(&step.event)
        {
            let led_to = self.seen.inputs.entry((from.clone(), id)).or_default();
            led_to.insert(to.clone());
        }
        self.before = after;
    }
}

/// Returns true for events after which another activity says something about the window before. Going back does not.
fn is_input(event: &Event) -> bool {
    match event {
        Event::Tap(_)
        | Event::LongPress(_)
        | Event::Drag { .. }
        | Event::Pinch { .. }
        | Event::Text { .. } => true,
        Event::Key(key) => key.name() != "back",
        Event::Rotate(_)
        | Event::Intent(_)
        | Event::System(_)
        | Event::Wait(_)
        | Event::Launch
        | Event::Close
        | Event::Hasty(_) => false,
    }
}

/// Returns the id of the widget that an event touches.
fn touched(event: &Event) -> Option<String> {
    let (Event::Tap(target) | Event::LongPress(target)) = event else { return None };
    let selector = target.on.as_ref()?;
    (!selector.id.is_empty()).then(|| selector.id.clone())
}

/// Adds the ids on a screen. A screen that is gone, as after a clean-up, has none.
fn widgets(dir: &Path, screen: ScreenId, ids: &mut BTreeSet<String>) {
    let Ok(screen) = run::read_screen(dir, screen) else { return };
    // An activity that does not cover the screen shows the one behind it, too.
    let front = screen.windows.iter().rposition(|it| it.kind == WindowKind::Activity);
    let windows = screen.windows.iter().skip(front.unwrap_or(0)).filter(|it| is_the_apps(it.kind));
    for widget in windows.flat_map(|window| &window.widgets).filter(|it| !it.id.is_empty()) {
        let is_frameworks = widget.id.starts_with("android:");
        let package = if is_frameworks { "android:" } else { "" };
        ids.insert(format!("{package}{}", widget.short_id()));
    }
}

fn is_the_apps(kind: WindowKind) -> bool {
    !matches!(kind, WindowKind::Keyboard | WindowKind::Toast | WindowKind::Outside)
}

#[cfg(test)]
mod tests;
