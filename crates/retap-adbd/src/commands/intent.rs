//! Intents as `am` takes them.

use retap_model::event::{Extra, Intent};

/// The arguments of `am start` and `am broadcast`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntentArguments {
    pub intent: Intent,
    /// The package that `-p` or a name alone asks for.
    pub package: Option<String>,
    pub waits: bool,
    pub stops_first: bool,
}

impl IntentArguments {
    /// Returns the package that the intent names.
    pub fn named_package(&self) -> Option<&str> {
        let component = self.intent.component.split_once('/').map(|(package, _)| package);
        component.or(self.package.as_deref())
    }

    /// Shows the intent as `am` does.
    pub fn show(&self) -> String {
        let Intent { action, data, mime_type, categories, component, extras } = &self.intent;
        let mut parts = Vec::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                parts.push(format!("{name}={value}"));
            }
        };
        add("act", action);
        add(
            "cat",
            &if categories.is_empty() {
                String::new()
            } else {
                format!("[{}]", categories.join(","))
            },
        );
        add("dat", data);
        add("typ", mime_type);
        add("pkg", self.package.as_deref().unwrap_or_default());
        add("cmp", component);
        if !extras.is_empty() {
            parts.push("(has extras)".into());
        }
        format!("Intent {{ {} }}", parts.join(" "))
    }
}

/// Parses arguments. The error is a sentence.
pub fn parse(words: &[&str]) -> Result<IntentArguments, String> {
    let mut found = IntentArguments::default();
    let intent = &mut found.intent;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value =
            || words.next().ok_or_else(|| format!("Argument expected after \"{word}\""));
        match word {
            "-a" => intent.action = value()?.into(),
            "-d" => intent.data = value()?.into(),
            "-t" => intent.mime_type = value()?.into(),
            "-c" => intent.categories.push(value()?.into()),
            "-n" => intent.component = whole_component(value()?)?,
            "-p" => found.package = Some(value()?.into()),
            "-e" | "--es" => {
                let name = value()?.to_string();
                intent.extras.insert(name, Extra::Text(value()?.into()));
            }
            "--ei" | "--el" => {
                let name = value()?.to_string();
                let text = value()?;
                let number = text.parse().map_err(|_| format!("Invalid number: {text}"))?;
                intent.extras.insert(name, Extra::Int(number));
            }
            "--ez" => {
                let name = value()?.to_string();
                intent.extras.insert(name, Extra::Bool(value()? == "true"));
            }
            "-W" => found.waits = true,
            "-S" => found.stops_first = true,
            // Flags, the user, the display and how often: this phone has one of each.
            "-f" | "--user" | "--display" | "-R" | "--activity-task-on-home" => drop(value()?),
            "-D"
            | "-N"
            | "--activity-brought-to-front"
            | "--activity-clear-top"
            | "--activity-clear-task"
            | "--activity-new-task"
            | "--activity-single-top"
            | "--include-stopped-packages"
            | "--grant-read-uri-permission" => {}
            option if option.starts_with('-') => {
                return Err(format!("Unknown option: {option} (this phone does not know it)"));
            }
            name if name.contains('/') && !name.contains(':') => {
                intent.component = whole_component(name)?;
            }
            uri if uri.contains(':') => intent.data = uri.into(),
            package => found.package = Some(package.into()),
        }
    }
    Ok(found)
}

/// Returns `package/class` with the whole class.
fn whole_component(text: &str) -> Result<String, String> {
    match text.split_once('/') {
        Some((package, class)) if !package.is_empty() && !class.is_empty() => {
            let class =
                if class.starts_with('.') { format!("{package}{class}") } else { class.into() };
            Ok(format!("{package}/{class}"))
        }
        _ => Err(format!("Bad component name: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_are_read_as_am_reads_them() {
        let line = ["-W", "-a", "x.VIEW", "-n", "a.b/.C", "--ez", "on", "true", "--ei", "n", "3"];
        let found = parse(&line).unwrap();
        assert_eq!(found.named_package(), Some("a.b"));
        assert_eq!(found.intent.component, "a.b/a.b.C");
        assert_eq!(found.intent.extras["n"], Extra::Int(3));
        assert!(found.waits && !found.stops_first);
        assert_eq!(found.show(), "Intent { act=x.VIEW cmp=a.b/a.b.C (has extras) }");
        assert_eq!(parse(&["a.b/c.D"]).unwrap().intent.component, "a.b/c.D");
        assert_eq!(parse(&["http://a/b"]).unwrap().intent.data, "http://a/b");
        assert_eq!(parse(&["a.b"]).unwrap().package.as_deref(), Some("a.b"));
        for wrong in [vec!["-a"], vec!["--ei", "n", "x"], vec!["-n", "x"], vec!["--fly"]] {
            assert!(parse(&wrong).is_err(), "{wrong:?}");
        }
    }
}
