//! The models of fixture apps.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod graphs;
mod navigation;
mod runs;

use std::collections::BTreeSet;
use std::path::PathBuf;

use retap_apk::Apk;
use retap_static::{AppModel, InputEvent, WindowInput};

fn open(name: &str) -> Apk {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Apk::open(folder.join(format!("{name}.apk"))).unwrap()
}

fn model(name: &str) -> AppModel {
    AppModel::read(&open(name)).unwrap()
}

fn short(id: &str) -> String {
    let package = id.find("fixture.").map(|at| at + "fixture.".len());
    let rest = package.and_then(|at| id[at..].split_once('.'));
    rest.map_or(id, |(_, rest)| rest).to_owned()
}

fn input_text(input: &WindowInput) -> String {
    let event = serde_json::to_value(input.event).unwrap();
    let widget = input.widget.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
    format!("{} {}{widget}", short(&input.window), event.as_str().unwrap())
}

/// Returns each transition as `Window event widget → Window`.
fn transitions(model: &AppModel) -> BTreeSet<String> {
    let line = |it: &retap_static::WindowTransition| {
        let fragment = it.fragment.as_deref().map(|it| format!(" ({})", short(it)));
        let input = input_text(&model.inputs[it.input]);
        format!("{input} → {}{}", short(&it.to), fragment.unwrap_or_default())
    };
    model.transitions.iter().map(line).collect()
}

/// Returns the inputs of users that lead nowhere.
fn other_inputs(model: &AppModel) -> BTreeSet<String> {
    let leads = |number: usize| model.transitions.iter().any(|it| it.input == number);
    let is_users =
        |input: &WindowInput| !matches!(input.event, InputEvent::Lifecycle | InputEvent::Result);
    let inputs = model.inputs.iter().enumerate();
    inputs.filter(|(it, input)| !leads(*it) && is_users(input)).map(|it| input_text(it.1)).collect()
}

fn check(found: &BTreeSet<String>, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    let missing: Vec<_> = expected.difference(found).collect();
    let surplus: Vec<_> = found.difference(&expected).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:#?}\nsurplus {surplus:#?}");
}
