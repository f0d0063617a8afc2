//! The report and the local page in a real browser: Debian's Chromium, headless.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

mod driver;

use crate::common::{fake, fixture, retap, retap_command};
use driver::Browser;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::tempdir;

const MAX_BYTES: u64 = 15 << 20;
const MAX_MILLISECONDS: f64 = 2_000.0;

/// Returns the text of axe-core, which finds what keeps people with disabilities out.
fn axe(folder: &Path) -> String {
    let install = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(folder)
        .arg("axe-core@4.11")
        .status()
        .unwrap();
    assert!(install.success());
    fs::read_to_string(folder.join("node_modules/axe-core/axe.min.js")).unwrap()
}

/// Asserts that axe-core finds no serious problem on the page.
fn check_access(browser: &Browser, axe: &str, page: &str) {
    browser.run(axe);
    let script = "const done = arguments[arguments.length - 1]; axe.run().then((result) => done(result.violations\
        .filter((one) => ['serious', 'critical'].includes(one.impact))\
        .map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | '))));";
    let found = browser.run_async(script);
    assert_eq!(found.as_array().map(Vec::len), Some(0), "{page}: {found:#}");
}

#[test]
fn the_report_of_a_long_run_opens_at_once_and_shuts_nobody_out() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let shown = run.display().to_string();
    let device = fake("notes.fake");
    // Checking what was found takes longer than finding it, and the page is as large without.
    let limits = ["--max-events", "100000", "--oracle", "none", "--no-minimize"];
    let explore = ["explore", "-d", &device, "--seed", "7", "-q", "-o", &shown];
    retap(&[&explore[..], &limits].concat());
    let report = run.join("report.html");
    let bytes = fs::metadata(&report).unwrap().len();
    assert!(bytes < MAX_BYTES, "{bytes} bytes");
    let browser = Browser::start();
    let address = format!("file://{}", report.display());
    let fastest = (0..3)
        .map(|_| {
            browser.open(&address);
            browser
                .run("return performance.getEntriesByType('navigation')[0].loadEventEnd")
                .as_f64()
                .unwrap()
        })
        .fold(f64::MAX, f64::min);
    assert!(fastest < MAX_MILLISECONDS, "{fastest} ms");
    check_access(&browser, &axe(temp.path()), "the report");
    // The list of steps holds a hundred thousand and draws those in view.
    browser.run("document.getElementById('timeline').scrollIntoView()");
    browser.wait_for("document.querySelectorAll('.step-list .row').length > 5");
    assert!(
        browser.run("return document.querySelectorAll('.step-list .row').length").as_u64().unwrap()
            < 60
    );
    browser.run("const search = document.getElementById('step-search'); search.value = 'Save'; search.dispatchEvent(new Event('input'))");
    browser.wait_for("document.getElementById('step-list').textContent.includes('Save')");
    browser.run("window.dispatchEvent(new CustomEvent('retap-state', { detail: 2 }))");
    browser.wait_for(
        "document.getElementById('graph-panel').textContent.includes('The shortest way here')",
    );
}

#[test]
fn a_crash_is_recorded_by_clicking_minimised_seen_in_the_list_and_exported() {
    let temp = tempdir().unwrap();
    let mut server = retap_command(&["serve", &fixture("notes.apk"), "--seed", "1", "-o", "run"])
        .current_dir(temp.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let browser = Browser::start();
    browser.open(address.trim());
    browser.wait_for("document.querySelectorAll('#widgets li').length > 0 && document.getElementById('screen').naturalWidth > 0");
    check_access(&browser, &axe(temp.path()), "the page");
    // A press on the picture where the button "Search" is, twice: the second one crashes the app.
    for _ in 0..2 {
        let place = browser.run(
            "const widget = view.here.screen.widgets.find((one) => one.number && (one.label === 'Search' || one.description === 'Search'));\
             const [left, top, right, bottom] = widget.bounds; const picture = document.getElementById('screen');\
             const box = picture.getBoundingClientRect(); const scale = box.width / picture.naturalWidth;\
             return [box.left + (left + right) / 2 * scale, box.top + (top + bottom) / 2 * scale];",
        );
        let steps =
            browser.run("return document.querySelectorAll('#steps li').length").as_u64().unwrap();
        browser.click_at(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        browser.wait_for(&format!(
            "busy === 0 && document.querySelectorAll('#steps li').length > {steps}"
        ));
    }
    browser.wait_for("!document.getElementById('gone').hidden");
    browser.click("#tab-crashes");
    browser.wait_for(
        "document.querySelector('.crash h3').textContent === 'StringIndexOutOfBoundsException'",
    );
    browser.click(".crash .minimize");
    browser.wait_for("document.querySelectorAll('.crash ol li').length === 2");
    browser.run("document.querySelector('.crash select').value = 'espresso'");
    browser.click(".crash .export");
    browser.wait_for("document.getElementById('export-text').textContent.includes('@Test')");
    browser.click("#export-close");
    browser.click("#gone-restart");
    browser.wait_for("document.getElementById('gone').hidden && busy === 0");
    Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
}
