//! Inputs that a person wrote down: values for fields of certain windows, and intents for activities.
//!
//! ```json
//! {"SignIn": {"Windows": ["com.example.LoginActivity"],
//!             "DataFields": {"user": {"resourceIdPatterns": ["user_.*"]}},
//!             "Instances": [{"user": "ada"}],
//!             "Intents": [{"action": "android.intent.action.VIEW", "data": "https://example.org"}]}}
//! ```

use regex::Regex;
use retap_explore::DecisionRng;
use retap_model::event::Intent;
use serde::Deserialize;
use std::collections::BTreeMap;

/// An error in a file of manual inputs, with its line.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ManualInputError {
    pub line: usize,
    pub message: String,
}

/// All patterns of a file.
#[derive(Debug, Clone, Default)]
pub struct ManualInputs {
    patterns: Vec<InputPattern>,
}

#[derive(Debug, Clone)]
struct InputPattern {
    windows: Vec<String>,
    fields: BTreeMap<String, Vec<Regex>>,
    instances: Vec<BTreeMap<String, String>>,
    intents: Vec<Intent>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPattern {
    #[serde(rename = "Windows")]
    windows: Vec<String>,
    #[serde(rename = "DataFields", default)]
    fields: BTreeMap<String, WrittenField>,
    #[serde(rename = "Instances", default)]
    instances: Vec<BTreeMap<String, String>>,
    #[serde(rename = "Intents", default)]
    intents: Vec<Intent>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenField {
    #[serde(rename = "resourceIdPatterns")]
    patterns: Vec<String>,
}

/// One choice of values for the fields of a pattern.
#[derive(Debug, Clone, Copy)]
pub struct DrawnInstance<'a> {
    pattern: &'a InputPattern,
    values: &'a BTreeMap<String, String>,
}

impl ManualInputs {
    pub fn parse(text: &str) -> Result<Self, ManualInputError> {
        let written: BTreeMap<String, WrittenPattern> = serde_json::from_str(text)
            .map_err(|error| ManualInputError { line: error.line(), message: error.to_string() })?;
        let mut patterns = Vec::new();
        for (name, pattern) in written {
            let refuse = |part: &str, message: String| ManualInputError {
                line: line_of(text, &name, part),
                message: format!("in {name:?}: {message}"),
            };
            if pattern.windows.is_empty() {
                return Err(refuse(
                    "Windows",
                    "it names no window, so it would never be used".into(),
                ));
            }
            let mut fields = BTreeMap::new();
            for (field, WrittenField { patterns }) in pattern.fields {
                let compile = |it: &String| {
                    Regex::new(&format!("^(?:{it})$")).map_err(|error| {
                        refuse(it, format!("{it:?} is no regular expression: {error}"))
                    })
                };
                let compiled = patterns.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
                fields.insert(field, compiled);
            }
            for field in pattern.instances.iter().flat_map(BTreeMap::keys) {
                if !fields.contains_key(field) {
                    let message =
                        format!("an instance has a value for {field:?}, which DataFields lacks");
                    return Err(ManualInputError {
                        line: last_line_of(text, field),
                        message: format!("in {name:?}: {message}"),
                    });
                }
            }
            let (windows, instances) = (pattern.windows, pattern.instances);
            patterns.push(InputPattern { windows, fields, instances, intents: pattern.intents });
        }
        Ok(Self { patterns })
    }

    /// Returns the windows that the file names.
    pub fn windows(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().flat_map(|pattern| &pattern.windows).map(String::as_str)
    }

    /// Draws one instance of a pattern for a window.
    pub fn draw_instance(&self, window: &str, rng: &mut DecisionRng) -> Option<DrawnInstance<'_>> {
        let all: Vec<DrawnInstance<'_>> = self
            .patterns_for(window)
            .flat_map(|pattern| {
                pattern.instances.iter().map(move |values| DrawnInstance { pattern, values })
            })
            .collect();
        rng.pick(&all).copied()
    }

    /// Returns the intents for a window.
    pub fn intents(&self, window: &str) -> impl Iterator<Item = &Intent> {
        self.patterns_for(window).flat_map(|pattern| &pattern.intents)
    }

    fn patterns_for(&self, window: &str) -> impl Iterator<Item = &InputPattern> {
        // A dialog belongs to its activity: `CLASS.METHOD#dialog`.
        self.patterns.iter().filter(move |pattern| {
            pattern
                .windows
                .iter()
                .any(|name| window == name || window.rsplit('.').next() == Some(name))
        })
    }
}

impl DrawnInstance<'_> {
    /// Returns the value for the field with this resource id.
    pub fn value_for(&self, id: &str) -> Option<&str> {
        let is_field =
            |(_, patterns): &(&String, &Vec<Regex>)| patterns.iter().any(|it| it.is_match(id));
        let (name, _) = self.pattern.fields.iter().find(is_field)?;
        self.values.get(name).map(String::as_str)
    }
}

/// Returns the line of the first occurrence of a quoted text after the pattern's name, or of the name.
fn line_of(text: &str, pattern: &str, part: &str) -> usize {
    let quoted = |word: &str| serde_json::to_string(word).unwrap_or_default();
    let start = text.find(&quoted(pattern)).unwrap_or_default();
    let place = text[start..].find(&quoted(part)).map_or(start, |found| start + found);
    1 + text[..place].matches('\n').count()
}

fn last_line_of(text: &str, part: &str) -> usize {
    let quoted = serde_json::to_string(part).unwrap_or_default();
    text.rfind(&quoted).map_or(1, |place| 1 + text[..place].matches('\n').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_given_to_the_field_that_its_pattern_names() {
        let text = r#"{"Book": {"Windows": ["a.Main"],
            "DataFields": {"isbn": {"resourceIdPatterns": ["isbn_.*"]}},
            "Instances": [{"isbn": "978"}]}}"#;
        let inputs = ManualInputs::parse(text).unwrap();
        let instance = inputs.draw_instance("a.Main", &mut DecisionRng::new(1, 1)).unwrap();
        assert_eq!(instance.value_for("isbn_txt"), Some("978"));
        assert_eq!(instance.value_for("title"), None);
        assert!(inputs.draw_instance("a.Other", &mut DecisionRng::new(1, 1)).is_none());
    }

    #[test]
    fn errors_name_their_line() {
        let line = |text: &str| ManualInputs::parse(text).unwrap_err().line;
        assert_eq!(line("{\n\"A\": {\"Windows\": [1]}}"), 2);
        assert_eq!(line("{\n\"A\": {\n\"Windows\": []}}"), 3);
        let bad = "{\"A\": {\"Windows\": [\"w\"],\n\"DataFields\": {\n\"f\": {\"resourceIdPatterns\": [\"(\"]}}}}";
        assert_eq!(line(bad), 3);
        let unknown = "{\"A\": {\"Windows\": [\"w\"],\n\"Instances\": [\n{\"g\": \"1\"}]}}";
        assert_eq!(line(unknown), 3);
    }
}
