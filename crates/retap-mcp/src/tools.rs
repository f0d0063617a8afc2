//! The tools: names, what they do, what they take.

mod compare;
mod drive;
mod find;
mod travel;

use crate::answer::ToolAnswer;
use crate::toolbox::Toolbox;
use retap_engine::Failure;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// One tool.
pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    /// True if calling it changes nothing.
    pub read_only: bool,
    pub schema: fn() -> Map<String, Value>,
    pub call: fn(&mut Toolbox, Value) -> Result<ToolAnswer, Failure>,
}

/// All tools, in the order in which one needs them.
pub const TOOLS: [Tool; 19] = [
    drive::LAUNCH,
    drive::SCREEN,
    drive::TAP,
    drive::TYPE,
    drive::SWIPE,
    drive::PRESS,
    drive::ROTATE,
    drive::EVENT,
    travel::RESTART,
    travel::SAVE,
    travel::GO,
    travel::STATES,
    find::EXPLORE,
    find::CRASHES,
    find::CRASH,
    find::SAVE_TRACE,
    find::REPLAY,
    find::EXPORT,
    compare::COMPARE,
];

/// What the assistant is told about all of them.
pub const INSTRUCTIONS: &str = "\
Runs an Android app on a real Android framework inside this machine, with no phone and no emulator. Call `launch` first. \
`screen` lists the widgets with numbers; `tap`, `type` and `swipe` take such a number and answer with the next screen. \
`save` a state and `go` back to it at any time. `explore` tries events by itself from where the app is; `crashes` and \
`crash` show what it found, reduced to the few steps that matter. Everything is recorded and can be replayed exactly.";

/// A tool that takes nothing.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Returns the schema of a tool's arguments.
fn schema_of<T: JsonSchema>() -> Map<String, Value> {
    let schema = schemars::schema_for!(T);
    let mut object = schema.as_object().cloned().unwrap_or_default();
    for word in ["$schema", "title", "description"] {
        object.remove(word);
    }
    object.entry("type").or_insert_with(|| "object".into());
    object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    object
}

/// Reads a tool's arguments. The error says what was expected.
fn arguments<T: DeserializeOwned>(value: Value) -> Result<T, Failure> {
    let value = if value.is_null() { Value::Object(Map::new()) } else { value };
    serde_json::from_value(value)
        .map_err(|error| Failure::input(format!("the arguments do not fit: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_tool_has_a_name_of_its_own_and_a_schema_of_an_object() {
        let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in &TOOLS {
            let schema = (tool.schema)();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(schema["properties"].is_object(), "{}", tool.name);
            assert!(tool.description.len() > 20, "{}", tool.name);
        }
    }

    #[test]
    fn arguments_that_do_not_fit_are_refused_by_name() {
        let error = arguments::<Nothing>(serde_json::json!({ "widget": 1 })).unwrap_err();
        assert!(error.to_string().contains("widget"), "{error}");
        assert!(arguments::<Nothing>(Value::Null).is_ok());
    }
}
