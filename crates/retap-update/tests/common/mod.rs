//! Screens and static models made by hand.
#![allow(dead_code, clippy::unwrap_used)] // each test uses a part

use retap_model::{
    Event, Flags, Rect, Screen, Selector, Target, Widget, Window, WindowKind, screen::WidgetRef,
};
use retap_static::{AppModel, AppWindow, AppWindowKind, InputEvent, WindowInput, WindowTransition};
use std::collections::{BTreeMap, BTreeSet};

/// Returns a widget that can be pressed.
pub fn button(id: &str, text: &str) -> Widget {
    Widget {
        depth: 1,
        class: "android.widget.Button".into(),
        id: if id.is_empty() { String::new() } else { format!("a:id/{id}") },
        text: text.into(),
        bounds: Rect::new(0, 0, 100, 50),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
        ..Widget::default()
    }
}

/// Returns a text that cannot be pressed.
pub fn label(depth: u16, id: &str, text: &str) -> Widget {
    let flags = Flags::VISIBLE | Flags::ENABLED;
    Widget { depth, flags, class: "android.widget.TextView".into(), ..button(id, text) }
}

pub fn screen(activity: &str, widgets: Vec<Widget>) -> Screen {
    screen_of(activity, WindowKind::Activity, widgets)
}

/// Returns a screen whose front window is of a kind.
pub fn screen_of(activity: &str, kind: WindowKind, widgets: Vec<Widget>) -> Screen {
    let root = Widget { depth: 0, bounds: Rect::new(0, 0, 100, 100), ..label(0, "", "") };
    let window = Window {
        kind,
        package: "a".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 100, 100),
        focused: true,
        widgets: std::iter::once(root).chain(widgets).collect(),
    };
    Screen { activity: activity.into(), windows: vec![window], ..Screen::default() }
}

/// Returns a tap on the n-th widget of a screen, its root not counted.
pub fn tap(screen: &Screen, n: usize) -> Event {
    let widget = WidgetRef { screen, window: 0, index: n + 1 };
    Event::Tap(Target { on: Some(Selector::of(widget)), at: None })
}

pub fn window(id: &str, kind: AppWindowKind, owner: Option<&str>) -> AppWindow {
    AppWindow {
        id: id.into(),
        kind,
        owner: owner.map(str::to_string),
        label: None,
        exported: false,
        fragments: Vec::new(),
        layouts: Vec::new(),
        widgets: Vec::new(),
        library_widgets: Vec::new(),
        literals: Vec::new(),
        extras: Vec::new(),
        terms: BTreeMap::new(),
    }
}

pub fn click(window: &str, widget: &str, targets: &[&str]) -> WindowInput {
    WindowInput {
        window: window.into(),
        event: InputEvent::Click,
        widget: Some(format!("@id/{widget}")),
        handlers: Vec::new(),
        target_methods: targets.iter().map(|it| it.to_string()).collect(),
        terms: BTreeMap::new(),
        reaches: BTreeSet::new(),
    }
}

pub fn leads(input: usize, from: &str, to: &str) -> WindowTransition {
    WindowTransition { from: from.into(), to: to.into(), input, action: None, fragment: None }
}

pub fn model(
    windows: Vec<AppWindow>,
    inputs: Vec<WindowInput>,
    transitions: Vec<WindowTransition>,
) -> AppModel {
    AppModel { package: "a".into(), windows, inputs, transitions, ..AppModel::default() }
}
