//! The device does what a phone does: the `checks` fixture states it, and its checks run on two API levels. A check
//! that fails for a known reason is listed here. One that passes must leave the list, so the list stays true.

mod known_differences;

use known_differences::KNOWN;
use retap_device::Connect;
use retap_device::phone_checks::{PhoneCheck, run_phone_checks};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

const FEWEST_CHECKS: usize = 150;

fn run_checks(api: u32) -> Vec<PhoneCheck> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/checks.apk");
    let options = EmbeddedOptions { api: Some(api), ..EmbeddedOptions::default() };
    let connect = EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {}));
    let mut device = connect.connect().expect("a device").0;
    run_phone_checks(&mut *device, 1).expect("the device lives")
}

fn is_known(check: &str, api: u32) -> bool {
    KNOWN
        .iter()
        .any(|(name, levels, _)| *name == check && (levels.is_empty() || levels.contains(&api)))
}

/// The names in the list of the committed page.
fn page_checks() -> BTreeSet<String> {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/fidelity.md");
    let page = std::fs::read_to_string(page).expect("docs/fidelity.md");
    let list = page.split("## All checks").nth(1).expect("a list of checks");
    let list = list.split("\n## ").next().unwrap_or_default();
    list.lines().filter_map(|line| line.strip_prefix("* ")).map(str::to_string).collect()
}

/// Runs all checks at one level. The two levels run one after the other, because each JVM takes hundreds of megabytes.
fn differences(api: u32) -> Vec<String> {
    let checks = run_checks(api);
    let names: BTreeSet<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names.len(), checks.len(), "two checks have one name");
    assert!(names.len() >= FEWEST_CHECKS, "only {} checks at API {api}", names.len());
    let mut wrong = Vec::new();
    let listed = page_checks();
    let unlisted = names.iter().filter(|name| !listed.contains(**name));
    wrong.extend(unlisted.map(|name| format!("docs/fidelity.md does not list {name:?}")));
    let gone = listed.iter().filter(|name| !names.contains(name.as_str()));
    wrong.extend(gone.map(|name| format!("docs/fidelity.md lists {name:?}, which is no check")));
    for check in &checks {
        match (&check.difference, is_known(&check.name, api)) {
            (Some(difference), false) => {
                wrong.push(format!("API {api}, {}: {}: {difference}", check.group, check.name));
            }
            (None, true) => {
                wrong.push(format!(
                    "API {api}, {}: {}: passes; remove it from the list",
                    check.group, check.name
                ));
            }
            _ => {}
        }
    }
    for (name, levels, _) in KNOWN {
        if (levels.is_empty() || levels.contains(&api)) && !names.contains(name) {
            wrong.push(format!("API {api}: no check is called {name:?}"));
        }
    }
    wrong
}

#[test]
fn the_device_does_what_a_phone_does() {
    let wrong: Vec<String> = [28, 34].into_iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}
