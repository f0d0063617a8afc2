//! The device does what a phone does: the `checks` fixture states it, and its checks run on two API levels, with
//! `RETAP_LONG` set on three. Checks that fail are listed in `docs/fidelity.md`. One that passes must leave the list, so
//! the page stays true; a new failure is mended, or shown there by `retap bench fidelity -o docs/fidelity.md`.

#![expect(clippy::disallowed_methods, reason = "the tester asks for the long tests")]

use retap_device::Connect;
use retap_device::phone_checks::{PhoneCheck, run_phone_checks};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

const FEWEST_CHECKS: usize = 400;
const LEVELS: [u32; 2] = [28, 34];
/// With `RETAP_LONG` set.
const FURTHER_LEVEL: u32 = 35;

/// What the committed page says.
struct Page {
    checks: BTreeSet<String>,
    /// Level and name of each check that fails.
    differences: BTreeSet<(u32, String)>,
}

impl Page {
    fn read() -> Self {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/fidelity.md");
        let page = std::fs::read_to_string(file).expect("docs/fidelity.md");
        let part = |title: &str| -> Vec<String> {
            let from = page.split(title).nth(1).unwrap_or_default();
            from.split("\n## ").next().unwrap_or_default().lines().map(str::to_string).collect()
        };
        let names = part("## All checks\n");
        let checks = names.iter().filter_map(|line| line.strip_prefix("* ")).map(str::to_string);
        let differences = part("## Where it differs from a phone\n");
        let differences = differences.iter().flat_map(|line| read_difference(line));
        Self { checks: checks.collect(), differences: differences.collect() }
    }
}

/// Reads a line such as ``- Views, API 28 and 34: a view is drawn: `expected …` ``.
fn read_difference(line: &str) -> Vec<(u32, String)> {
    let Some((_, rest)) = line.split_once(", API ") else { return Vec::new() };
    let Some((levels, rest)) = rest.split_once(": ") else { return Vec::new() };
    let name = rest.split(": `").next().unwrap_or_default();
    let levels = levels.split(" and ").filter_map(|level| level.parse().ok());
    levels.map(|level| (level, name.to_string())).collect()
}

fn run_checks(api: u32) -> Vec<PhoneCheck> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/checks.apk");
    let options = EmbeddedOptions { api: Some(api), ..EmbeddedOptions::default() };
    let connect = EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {}));
    let mut device = connect.connect().expect("a device").0;
    run_phone_checks(&mut *device, 1).expect("the device lives")
}

/// Runs all checks at one level and compares them with the page.
fn compare(page: &Page, api: u32) -> Vec<String> {
    let checks = run_checks(api);
    let names: BTreeSet<String> = checks.iter().map(|check| check.name.clone()).collect();
    assert_eq!(names.len(), checks.len(), "two checks have one name");
    let mut wrong = Vec::new();
    if names.len() < FEWEST_CHECKS {
        wrong.push(format!("only {} checks at API {api}", names.len()));
    }
    for name in names.symmetric_difference(&page.checks) {
        wrong.push(format!("only the page or only the app has the check {name:?}"));
    }
    for PhoneCheck { group, name, difference } in &checks {
        match (difference, page.differences.contains(&(api, name.clone()))) {
            (Some(difference), false) => {
                wrong.push(format!("API {api}, {group}: {name}: {difference}"));
            }
            (None, true) => {
                wrong.push(format!(
                    "API {api}, {group}: {name}: passes, but the page says it fails"
                ));
            }
            _ => {}
        }
    }
    wrong
}

/// The levels run one after the other, because each JVM takes hundreds of megabytes.
#[test]
fn the_device_does_what_a_phone_does_or_the_page_says_where_not() {
    let page = Page::read();
    let further = std::env::var_os("RETAP_LONG").map(|_| FURTHER_LEVEL);
    let wrong: Vec<String> =
        LEVELS.into_iter().chain(further).flat_map(|api| compare(&page, api)).collect();
    assert!(wrong.is_empty(), "{} surprises\n{}", wrong.len(), wrong.join("\n"));
}
