//! Tools that save states and return to them.

use super::{Nothing, Tool, arguments, schema_of};
use crate::answer::{ToolAnswer, describe, describe_states};
use crate::toolbox::Toolbox;
use retap_engine::Failure;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

pub const RESTART: Tool = Tool {
    name: "restart",
    description: "Start over from a clean install: all data of the app is gone. Answers with the first screen.",
    read_only: false,
    schema: schema_of::<Nothing>,
    call: restart,
};

pub const SAVE: Tool = Tool {
    name: "save",
    description: "Name the state where the app is now, so that `go` can return to it.",
    read_only: false,
    schema: schema_of::<SaveArguments>,
    call: save,
};

pub const GO: Tool = Tool {
    name: "go",
    description: "Return to a state, by its name, its number in `states`, or the beginning of its id. Answers with its screen.",
    read_only: false,
    schema: schema_of::<GoArguments>,
    call: go,
};

pub const STATES: Tool = Tool {
    name: "states",
    description: "The states that were met so far, with their numbers, names and distance from a clean install.",
    read_only: true,
    schema: schema_of::<Nothing>,
    call: states,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveArguments {
    name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GoArguments {
    /// A name, a number or the beginning of an id.
    state: String,
}

fn restart(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    arguments::<Nothing>(value)?;
    let answer = toolbox.ask(|session| session.restart())?;
    Ok(ToolAnswer::text(&describe(&answer)))
}

fn save(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let SaveArguments { name } = arguments(value)?;
    let shown = name.clone();
    let state = toolbox.ask(move |session| session.save(&name))?;
    Ok(ToolAnswer::text(&format!(
        "State {state} is called {shown:?}. `go` with this name returns to it."
    )))
}

fn go(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let GoArguments { state } = arguments(value)?;
    let answer = toolbox.ask(move |session| session.go(&state))?;
    let remarks: String = toolbox.remarks().iter().map(|remark| format!("{remark}\n")).collect();
    Ok(ToolAnswer::text(&format!("{remarks}{}", describe(&answer))))
}

fn states(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    arguments::<Nothing>(value)?;
    let states = toolbox.ask(|session| session.states())?;
    Ok(ToolAnswer::text(&describe_states(&states)))
}
