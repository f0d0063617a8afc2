//! The page: the answer first, then the differences, then the lists.

use super::{FidelityCheck, LevelFidelity};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const NOTHING_TO_TELL: &str = "UnplayedServices";

/// What each cause of a stand-in means.
const CAUSES: [(&str, &str); 5] = [
    ("native-state", "its state is native on a phone"),
    ("no-service", "it asks a service that nobody plays"),
    ("device-hook", "the device acts through it"),
    ("speed", "it is correct but far too slow"),
    ("own", "retap's own"),
];

pub(super) fn render(levels: &[LevelFidelity]) -> String {
    let mut page = String::from(
        "# What the embedded device is made of, and whether it does what a phone does\n\n",
    );
    answer(&mut page, levels);
    numbers(&mut page, levels);
    differences(&mut page, levels);
    checks(&mut page, levels);
    stand_ins(&mut page, levels);
    services(&mut page, levels);
    natives(&mut page, levels);
    page
}

fn answer(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str("**Can I trust it?** ");
    for level in levels {
        let counts = &level.inventory.counts;
        let java = counts.java_own_code + counts.java_stand_ins;
        #[expect(clippy::cast_precision_loss, reason = "counts of methods are small")]
        let share = counts.java_own_code as f64 / java.max(1) as f64 * 100.0;
        put(
            page,
            format_args!(
                "At API {} an app runs on Android's own Java code, but for {} of {java} methods ({share:.1}% are untouched), and {} of {} \
                 checks of what a phone does hold. ",
                level.api,
                counts.java_stand_ins,
                level.held(),
                level.checks.len(),
            ),
        );
    }
    page.push_str(
        "What differs from a phone is listed first. A native method that nobody plays is a host limitation when the app asks it for a value, \
         never a crash of the app.\n\nThe numbers and lists come from `retap bench fidelity -o docs/fidelity.md`. The checks are the app \
         `fixtures/checks.apk`; `crates/retap-embedded/tests/all/fidelity.rs` runs them.\n\n",
    );
}

fn numbers(page: &mut String, levels: &[LevelFidelity]) {
    let mut row = |name: &str, value: &dyn Fn(&LevelFidelity) -> String| {
        let cells: Vec<String> = levels.iter().map(value).collect();
        put(page, format_args!("| {name} | {} |\n", cells.join(" | ")));
    };
    row("", &|level| format!("API {}", level.api));
    row("---", &|_| "---:".into());
    row("checks that hold", &|level| level.held().to_string());
    row("checks that do not", &|level| (level.checks.len() - level.held()).to_string());
    row("classes of the framework", &|level| level.inventory.counts.classes.to_string());
    row("Java methods that are the framework's own code", &|l| {
        l.inventory.counts.java_own_code.to_string()
    });
    row("Java methods with a stand-in", &|level| level.inventory.counts.java_stand_ins.to_string());
    for (cause, meaning) in CAUSES {
        let of = |level: &LevelFidelity| {
            level.inventory.stand_ins.iter().filter(|s| s.cause == cause).count()
        };
        row(&format!("– {meaning}"), &|level| of(level).to_string());
    }
    row("Robolectric's stand-ins for Java methods that are turned away", &|l| {
        l.inventory.counts.shadows_rejected.to_string()
    });
    row("native methods that are played", &|level| {
        level.inventory.counts.natives_played.to_string()
    });
    row("native methods that nobody plays", &|level| {
        level.inventory.counts.natives_unplayed.to_string()
    });
    page.push('\n');
}

fn differences(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str("## Where it differs from a phone\n\n");
    let mut found: BTreeMap<(&str, &str, &str), Vec<u32>> = BTreeMap::new();
    for level in levels {
        for check in &level.checks {
            if let Some(difference) = &check.difference {
                found.entry((&check.group, &check.name, difference)).or_default().push(level.api);
            }
        }
    }
    if found.is_empty() {
        page.push_str("Nowhere that a check looks.\n");
    }
    for ((group, name, difference), apis) in found {
        let apis: Vec<String> = apis.iter().map(u32::to_string).collect();
        put(
            page,
            format_args!(
                "- {group}, API {}: {name}: `{}`\n",
                apis.join(" and "),
                shorten(difference)
            ),
        );
    }
    page.push('\n');
}

fn shorten(text: &str) -> String {
    let text = text.replace('`', "'");
    if text.chars().count() <= 240 { text } else { text.chars().take(240).chain(['…']).collect() }
}

/// All names; the tests compare them with the app.
fn checks(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str("## All checks\n");
    let mut groups: Vec<&str> = Vec::new();
    let mut names: BTreeMap<&str, Vec<&FidelityCheck>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for check in levels.iter().flat_map(|level| &level.checks) {
        if seen.insert(&check.name) {
            if !groups.contains(&check.group.as_str()) {
                groups.push(&check.group);
            }
            names.entry(&check.group).or_default().push(check);
        }
    }
    for group in groups {
        let mut checks: Vec<&str> = names[group].iter().map(|check| check.name.as_str()).collect();
        checks.sort_unstable();
        put(page, format_args!("\n{group} ({}):\n\n", checks.len()));
        checks.iter().for_each(|name| put(page, format_args!("* {name}\n")));
    }
    page.push('\n');
}

fn stand_ins(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str("## Stand-ins for Java methods\n\n| class | methods | why |\n|---|---|---|\n");
    let mut found: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    for one in levels.iter().flat_map(|level| &level.inventory.stand_ins) {
        found.entry((&one.class, &one.cause, &one.reason)).or_default().insert(&one.method);
    }
    for ((class, cause, reason), methods) in found {
        let methods: Vec<&str> = methods.into_iter().map(|name| name.trim_matches('_')).collect();
        let shown = if methods.len() > 6 {
            format!("{} and {} more", methods[..5].join(", "), methods.len() - 5)
        } else {
            methods.join(", ")
        };
        let why = if reason.is_empty() { cause } else { reason };
        put(page, format_args!("| {class} | {shown} | {why} |\n"));
    }
    page.push('\n');
}

fn services(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str("## System services\n\n");
    let mut played = BTreeSet::new();
    let mut empty = BTreeSet::new();
    for service in levels.iter().flat_map(|level| &level.inventory.services) {
        let name = service.interface.rsplit('.').next().unwrap_or_default();
        let of = if service.player == NOTHING_TO_TELL { &mut empty } else { &mut played };
        of.insert(name);
    }
    let list = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(", ");
    put(page, format_args!("The device plays: {}.\n\n", list(played)));
    put(
        page,
        format_args!(
            "These are there and have nothing to tell (empty lists, no, zero): {}. The managers of other services are stand-ins; the \
             table above names them.\n\n",
            list(empty)
        ),
    );
}

fn natives(page: &mut String, levels: &[LevelFidelity]) {
    page.push_str(
        "## Native methods that nobody plays\n\nIf the app asks one for a value, that is a host limitation. By package:\n\n",
    );
    let mut packages: BTreeMap<&str, BTreeMap<u32, usize>> = BTreeMap::new();
    for level in levels {
        for one in &level.inventory.unplayed {
            let package = one.class.rsplit_once('.').map_or("", |(package, _)| package);
            *packages.entry(package).or_default().entry(level.api).or_default() +=
                one.methods.split(' ').count();
        }
    }
    let apis: Vec<String> = levels.iter().map(|level| format!("API {}", level.api)).collect();
    put(
        page,
        format_args!("| package | {} |\n|---|{}\n", apis.join(" | "), "---:|".repeat(apis.len())),
    );
    for (package, counts) in packages {
        let cells: Vec<String> = levels
            .iter()
            .map(|level| counts.get(&level.api).copied().unwrap_or(0).to_string())
            .collect();
        put(page, format_args!("| {package} | {} |\n", cells.join(" | ")));
    }
}

/// Writing to a string cannot fail.
fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}
