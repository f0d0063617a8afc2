//! Fills the map that strategies explore by from the static model of an APK.

use retap_apk::{Apk, AppComponent, IntentFilter};
use retap_explore::{CodeMap, MapGesture, MapInput, MapWindow};
use retap_model::coverage::UnitKind;
use retap_model::event::{Extra, Intent};
use retap_model::{App, UnitId, Units};
use retap_static::{
    AppModel, AppWindow, AppWindowKind, ExtraKind, InputEvent, WindowExtra, WindowInput,
    WindowWidget, java_method,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What an input with everything ahead of it is worth to an exploration without targets. Chosen on five apps, see
/// docs/results.md.
const EMPHASIS: f64 = 1.0;

/// The units worth running of each method, with their weights. Methods are named as coverage names them.
pub type MethodGoals = BTreeMap<String, Vec<(UnitId, u32)>>;

/// Reads the map of an APK with all methods as goals. It is empty where the file is not a readable APK, because exploring
/// works without it.
pub fn read(apk: &Path, app: &App) -> CodeMap {
    let Ok(apk) = Apk::open(apk) else { return CodeMap::default() };
    let Ok(model) = AppModel::read(&apk) else { return CodeMap::default() };
    let goals = method_units(&app.units).into_iter().map(|(name, id)| (name, vec![(id, 1)]));
    build(&model, &apk, app, &goals.collect(), EMPHASIS)
}

/// Builds a map with these goals.
pub fn build(
    model: &AppModel,
    apk: &Apk,
    app: &App,
    goals: &MethodGoals,
    emphasis: f64,
) -> CodeMap {
    let methods = method_units(&app.units);
    let numbers: BTreeMap<&str, usize> =
        model.windows.iter().enumerate().map(|(number, it)| (it.id.as_str(), number)).collect();
    let mut map = CodeMap {
        windows: model.windows.iter().map(|window| map_window(window, apk)).collect(),
        emphasis,
        ..CodeMap::default()
    };
    let mut leads_to: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    // A step from fragment to fragment stays in its window.
    for transition in model.transitions.iter().filter(|it| it.fragment.is_none()) {
        if let Some(to) = numbers.get(transition.to.as_str()) {
            leads_to.entry(transition.input).or_default().push(*to);
        }
    }
    for (number, input) in model.inputs.iter().enumerate() {
        let (Some(gesture), Some(&window)) =
            (gesture_of(input.event), numbers.get(input.window.as_str()))
        else {
            continue;
        };
        let named = |signature: &String| java_method(signature);
        let handlers = input.handlers.iter().filter_map(named);
        let handlers = handlers.filter_map(|name| methods.get(&name).copied()).collect();
        let reached = input.reaches.iter().filter_map(named);
        let reached: Vec<(UnitId, u32)> =
            reached.filter_map(|name| goals.get(&name)).flatten().copied().collect();
        map.goals.extend(reached.iter().copied());
        map.inputs.push(MapInput {
            window,
            gesture,
            names: names_of(input, &model.windows[window]),
            handlers,
            reaches: reached.into_iter().map(|(unit, _)| unit).collect(),
            leads_to: leads_to.remove(&number).unwrap_or_default(),
        });
    }
    // Nobody knows what runs a hidden handler. It makes its window worth a visit.
    for hidden in &model.hidden_handlers {
        let Some(&window) = numbers.get(hidden.window.as_str()) else { continue };
        let reached = hidden.reaches.iter().filter_map(|it| java_method(it));
        let reached: Vec<(UnitId, u32)> =
            reached.filter_map(|name| goals.get(&name)).flatten().copied().collect();
        map.goals.extend(reached.iter().copied());
        map.inputs.push(MapInput {
            window,
            gesture: MapGesture::Open,
            names: BTreeSet::new(),
            handlers: java_method(&hidden.method)
                .and_then(|it| methods.get(&it).copied())
                .into_iter()
                .collect(),
            reaches: reached.into_iter().map(|(unit, _)| unit).collect(),
            leads_to: Vec::new(),
        });
    }
    map
}

fn method_units(units: &Units) -> BTreeMap<String, UnitId> {
    let methods = units.iter().filter(|(_, unit)| unit.kind == UnitKind::Method);
    methods.map(|(id, unit)| (unit.name.clone(), id)).collect()
}

fn map_window(window: &AppWindow, apk: &Apk) -> MapWindow {
    let is_opened = window.kind == AppWindowKind::Activity && window.exported;
    let activities = apk.manifest.activities.iter().map(|it| &it.component);
    let component = activities.into_iter().find(|it| is_opened && it.name == window.id);
    MapWindow {
        activity: window.owner.clone().unwrap_or_else(|| window.id.clone()),
        literals: window.literals.iter().cloned().collect(),
        opened_by: component
            .filter(|it| it.enabled && it.permission.is_none())
            .map(|it| intent_for(it, &window.extras, &apk.manifest.package)),
    }
}

/// Returns an intent that opens an activity as another app may: by its name, with an action and data that it declares and
/// the extras that it reads.
fn intent_for(component: &AppComponent, extras: &[WindowExtra], package: &str) -> Intent {
    let filter = component.filters.iter().find(|it| it.actions.iter().all(|it| !is_main(it)));
    let filter = filter.cloned().unwrap_or_default();
    let value = |extra: &WindowExtra| {
        let value = match extra.kind {
            ExtraKind::Text => Extra::Text("1".into()),
            ExtraKind::Number => Extra::Int(1),
            ExtraKind::Truth => Extra::Bool(true),
            ExtraKind::Other => return None,
        };
        Some((extra.name.clone(), value))
    };
    Intent {
        action: filter.actions.first().cloned().unwrap_or_default(),
        data: address(&filter),
        mime_type: filter.data.iter().find_map(|it| it.mime_type.clone()).unwrap_or_default(),
        component: format!("{package}/{}", component.name),
        extras: extras.iter().filter_map(value).collect(),
        ..Intent::default()
    }
}

fn is_main(action: &str) -> bool {
    action == "android.intent.action.MAIN"
}

/// Returns an address that a filter accepts, or an empty text if it asks for none.
fn address(filter: &IntentFilter) -> String {
    let first = |part: fn(&retap_apk::IntentData) -> Option<&String>| {
        filter.data.iter().find_map(part).cloned()
    };
    let Some(scheme) = first(|it| it.scheme.as_ref()) else { return String::new() };
    let host = first(|it| it.host.as_ref()).unwrap_or_default().replace('*', "example.org");
    let path = first(|it| it.path.as_ref().or(it.path_prefix.as_ref())).unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn gesture_of(event: InputEvent) -> Option<MapGesture> {
    Some(match event {
        InputEvent::Click
        | InputEvent::ItemClick
        | InputEvent::ItemSelected
        | InputEvent::CheckedChange
        | InputEvent::Preference => MapGesture::Tap,
        InputEvent::LongClick | InputEvent::ItemLongClick => MapGesture::LongPress,
        InputEvent::Touch | InputEvent::Other => MapGesture::Touch,
        InputEvent::Swipe => MapGesture::Swipe,
        InputEvent::TextChange | InputEvent::EditorAction => MapGesture::Type,
        InputEvent::Menu => MapGesture::Menu,
        InputEvent::Back | InputEvent::Dismiss => MapGesture::Back,
        InputEvent::Lifecycle => MapGesture::Open,
        InputEvent::Key | InputEvent::Result => return None,
    })
}

/// Returns what the widget of an input is called on a screen, in lower case.
fn names_of(input: &WindowInput, window: &AppWindow) -> BTreeSet<String> {
    let Some(widget) = &input.widget else { return BTreeSet::new() };
    let mut names = BTreeSet::from([widget.rsplit('/').next().unwrap_or(widget).to_lowercase()]);
    add_texts(&window.widgets, widget, &mut names);
    names
}

fn add_texts(widgets: &[WindowWidget], id: &str, names: &mut BTreeSet<String>) {
    for widget in widgets {
        if widget.id.as_deref() == Some(id) {
            let texts = widget.text.iter().chain(&widget.description);
            names.extend(texts.map(|it| it.to_lowercase()));
        }
        add_texts(&widget.children, id, names);
    }
}
