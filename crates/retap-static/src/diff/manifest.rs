//! Comparing manifests: what a person reads in a change log.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::{AppComponent, Manifest};
use serde_json::Value;

/// Returns one line for each declaration that changed.
pub fn compare(old: &Manifest, new: &Manifest) -> Vec<String> {
    let mut lines = Vec::new();
    let mut value = |what: &str, before: &dyn ToString, after: &dyn ToString| {
        let (before, after) = (before.to_string(), after.to_string());
        if before != after {
            lines.push(format!("~ {what}: {before} → {after}"));
        }
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    value("package", &old.package, &new.package);
    value("version", &text(&old.version_name), &text(&new.version_name));
    value("version code", &old.version_code, &new.version_code);
    value("lowest API level", &old.min_sdk, &new.min_sdk);
    value("target API level", &old.target_sdk, &new.target_sdk);
    value("label", &text(&old.application.label), &text(&new.application.label));
    value("theme", &text(&old.application.theme), &text(&new.application.theme));
    value("application class", &text(&old.application.class), &text(&new.application.class));
    value("debuggable", &old.application.debuggable, &new.application.debuggable);
    lines.extend(names("permission", &old.permissions, &new.permissions));
    let dependencies = |list: &[retap_apk::PlatformDependency]| {
        let text = |it: &retap_apk::PlatformDependency| {
            format!("{}{}", it.name, if it.required { "" } else { " (optional)" })
        };
        list.iter().map(text).collect::<Vec<_>>()
    };
    lines.extend(names("feature", &dependencies(&old.features), &dependencies(&new.features)));
    lines.extend(names("library", &dependencies(&old.libraries), &dependencies(&new.libraries)));
    let json = |value: Result<Value, serde_json::Error>| value.unwrap_or(Value::Null);
    let activities = |manifest: &Manifest| {
        let activities = manifest.activities.iter();
        activities.map(|it| (it.component.name.clone(), json(serde_json::to_value(it)))).collect()
    };
    let plain = |list: &[AppComponent]| {
        list.iter().map(|it| (it.name.clone(), json(serde_json::to_value(it)))).collect()
    };
    let providers = |manifest: &Manifest| {
        let providers = manifest.providers.iter();
        providers.map(|it| (it.component.name.clone(), json(serde_json::to_value(it)))).collect()
    };
    let aliases = |manifest: &Manifest| {
        let aliases = manifest.aliases.iter();
        aliases.map(|it| (it.component.name.clone(), json(serde_json::to_value(it)))).collect()
    };
    lines.extend(components("activity", &activities(old), &activities(new)));
    lines.extend(components("activity alias", &aliases(old), &aliases(new)));
    lines.extend(components("service", &plain(&old.services), &plain(&new.services)));
    lines.extend(components("receiver", &plain(&old.receivers), &plain(&new.receivers)));
    lines.extend(components("provider", &providers(old), &providers(new)));
    lines
}

fn names(what: &str, old: &[String], new: &[String]) -> Vec<String> {
    let (before, after): (BTreeSet<_>, BTreeSet<_>) = (old.iter().collect(), new.iter().collect());
    let removed = before.difference(&after).map(|name| format!("- {what} {name}"));
    let added = after.difference(&before).map(|name| format!("+ {what} {name}"));
    removed.chain(added).collect()
}

fn components(
    what: &str,
    old: &BTreeMap<String, Value>,
    new: &BTreeMap<String, Value>,
) -> Vec<String> {
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let line = |name: &String| match (old.get(name), new.get(name)) {
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            let changed: Vec<&str> = keys
                .into_iter()
                .filter(|key| before.get(*key) != after.get(*key))
                .map(String::as_str)
                .collect();
            (!changed.is_empty()).then(|| format!("~ {what} {name}: {}", changed.join(", ")))
        }
        (Some(_), None) => Some(format!("- {what} {name}")),
        (None, Some(_)) => Some(format!("+ {what} {name}")),
        _ => None,
    };
    all.into_iter().filter_map(line).collect()
}
