//! The model at run time: levels, windows that the static model lacks, and which window a screen shows.

mod common;

use common::{button, click, label, leads, model, screen, screen_of, tap, window};
use retap_model::{Screen, WindowKind};
use retap_static::AppWindowKind;
use retap_update::{RunModel, SavedModel, Targets};
use std::collections::BTreeSet;

fn empty_model() -> RunModel {
    RunModel::new(&model(Vec::new(), Vec::new(), Vec::new()), &Targets::default())
}

fn step(model: &mut RunModel, from: &Screen, n: usize, to: &Screen) {
    if model.here().map(|here| here.screen) != Some(from.id()) {
        model.record_arrival(from.id(), Some(from));
    }
    model.record_step(&tap(from, n), to.id(), Some(to), BTreeSet::new());
}

/// Does two steps that contradict each other at L1, and returns the level that the window ends at.
fn level_after(one: &Screen, other: &Screen) -> String {
    let mut model = empty_model();
    let (a, b) = (screen("a.A", vec![button("x", "")]), screen("a.B", vec![button("y", "")]));
    step(&mut model, one, 0, &a);
    step(&mut model, other, 0, &b);
    model.counts().levels.get("a.Main").cloned().unwrap_or_else(|| "L1".into())
}

#[test]
fn a_window_is_refined_to_the_level_that_tells_its_states_apart_and_no_further() {
    let row = |text: &str, inside: Option<&str>| {
        let mut widgets = vec![button("row", text)];
        widgets.extend(inside.map(|inside| label(2, "name", inside)));
        screen("a.Main", widgets)
    };
    // The same but for a text: L2 tells them apart.
    assert_eq!(level_after(&row("one", None), &row("two", None)), "L2");
    // One has a child: L3.
    assert_eq!(level_after(&row("", None), &row("", Some("in"))), "L3");
    // The texts of their children differ: L5.
    assert_eq!(level_after(&row("", Some("one")), &row("", Some("two"))), "L5");
    // Nothing that a screen shows tells them apart: the app is nondeterministic, and no level helps.
    assert_eq!(level_after(&row("one", None), &row("one", None)), "L1");
}

#[test]
fn a_finer_level_abstracts_everything_recorded_anew() {
    let mut model = empty_model();
    let mains: Vec<Screen> = ["one", "two", "three"]
        .map(|text| screen("a.Main", vec![button("row", text)]))
        .into_iter()
        .collect();
    let (a, b) = (screen("a.A", vec![button("x", "")]), screen("a.B", vec![button("y", "")]));
    step(&mut model, &mains[2], 0, &a);
    step(&mut model, &mains[0], 0, &a);
    assert_eq!(model.counts().states, 2, "the three screens are one state of their window");
    step(&mut model, &mains[1], 0, &b);
    // Three states of the window, one of each other.
    assert_eq!((model.counts().states, model.counts().abstract_transitions), (5, 3));
}

#[test]
fn the_active_window_is_the_pop_up_with_most_widgets_on_the_screen() {
    let windows = vec![
        window("a.Main", AppWindowKind::Activity, None),
        window("a.Main.ask#dialog", AppWindowKind::Dialog, Some("a.Main")),
        window("a.Main.tell#dialog", AppWindowKind::Dialog, Some("a.Main")),
    ];
    let inputs = vec![
        click("a.Main.ask#dialog", "yes", &[]),
        click("a.Main.ask#dialog", "no", &[]),
        click("a.Main.tell#dialog", "yes", &[]),
        click("a.Main.tell#dialog", "later", &[]),
    ];
    let mut model = RunModel::new(&model(windows, inputs, Vec::new()), &Targets::default());
    let mut name = |screen: Screen| {
        model.record_arrival(screen.id(), Some(&screen));
        model.windows.get(model.here().unwrap().window).name.clone()
    };
    let dialog = |ids: [&str; 2]| {
        screen_of("a.Main", WindowKind::Dialog, ids.map(|id| button(id, id)).to_vec())
    };
    assert_eq!(name(screen("a.Main", vec![button("yes", "")])), "a.Main");
    assert_eq!(name(dialog(["yes", "no"])), "a.Main.ask#dialog");
    assert_eq!(name(dialog(["yes", "later"])), "a.Main.tell#dialog");
    let unknown = name(dialog(["red", "green"]));
    assert!(unknown.starts_with("a.Main#pop-up-"), "{unknown}");
    assert_eq!(name(dialog(["red", "green"])), unknown, "it is recognised again");
    assert_eq!(
        name(screen("a.Other", vec![])),
        "a.Other",
        "an activity that the model lacks is added"
    );
    assert_eq!(model.counts().windows_added, 2);
}

#[test]
fn a_transition_that_the_static_model_lacks_is_added_once() {
    let windows = vec![
        window("a.Main", AppWindowKind::Activity, None),
        window("a.Next", AppWindowKind::Activity, None),
    ];
    let inputs = vec![click("a.Main", "go", &[])];
    let known = vec![leads(0, "a.Main", "a.Next")];
    let mut model = RunModel::new(&model(windows, inputs, known), &Targets::default());
    let main = screen("a.Main", vec![button("go", "")]);
    let next = screen("a.Next", vec![button("x", "")]);
    let other = screen("a.Third", vec![button("x", "")]);
    step(&mut model, &main, 0, &next);
    assert_eq!(model.counts().window_transitions_added, 0);
    step(&mut model, &main, 0, &other);
    step(&mut model, &main, 0, &other);
    assert_eq!(model.counts().window_transitions_added, 1);
    assert_eq!(model.windows.inputs[0].times, 3);
}

#[test]
fn another_versions_model_is_adopted_where_it_fits_and_dropped_where_it_is_contradicted() {
    let windows = || {
        vec![
            window("a.Main", AppWindowKind::Activity, None),
            window("a.Next", AppWindowKind::Activity, None),
        ]
    };
    let main = screen("a.Main", vec![button("go", "")]);
    let next = screen("a.Next", vec![button("x", "")]);
    let dialog = screen_of("a.Main", WindowKind::Dialog, vec![button("red", "")]);
    let inputs = || vec![click("a.Main", "go", &[])];
    let mut old = RunModel::new(&model(windows(), inputs(), Vec::new()), &Targets::default());
    step(&mut old, &main, 0, &next);
    step(&mut old, &main, 0, &dialog);
    let text = serde_json::to_string(&old.saved()).unwrap();
    let saved = SavedModel::parse(&text).unwrap();
    let mut new = RunModel::new(&model(windows(), inputs(), Vec::new()), &Targets::default());
    let adopted = new.adopt(&saved);
    assert_eq!((adopted.windows, adopted.transitions, adopted.stale), (1, 2, 0), "{saved:?}");
    // The input leads to the next window here: the dialog was the old version's.
    step(&mut new, &main, 0, &next);
    assert_eq!(new.counts().window_transitions, 1);
    // A version without that widget has no use for it.
    let mut other = RunModel::new(&model(windows(), Vec::new(), Vec::new()), &Targets::default());
    assert_eq!((other.adopt(&saved).transitions, other.counts().window_transitions), (0, 0));
    assert!(SavedModel::parse("{}").is_err());
}
