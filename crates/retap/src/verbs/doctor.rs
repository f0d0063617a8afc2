//! `retap doctor`: what this machine has, what is missing, and how to get it.

use crate::cli::{DeviceArgs, DeviceChoice, DoctorArgs};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Serialize)]
pub struct Finding {
    pub what: String,
    pub ok: bool,
    pub found: String,
    /// What to do about it; empty when there is nothing to do.
    pub advice: String,
}

pub fn run(args: &DoctorArgs, console: &Console) -> Result<Exit, Failure> {
    let mut findings = examine(&args.device)?;
    let healthy = findings.iter().all(|finding| finding.ok);
    if let Some(apk) = &args.app {
        findings.extend(retap_embedded::examine_app(apk)?.into_iter().map(embedded));
    }
    let fit = findings.iter().all(|finding| finding.ok);
    console.json(&serde_json::json!({ "verb": "doctor", "ok": fit, "findings": findings }));
    console.result(&render(&findings));
    Ok(match (healthy, fit) {
        (false, _) => Exit::DeviceFailed,
        (true, false) => Exit::BadInput,
        (true, true) => Exit::Clean,
    })
}

fn examine(args: &DeviceArgs) -> Result<Vec<Finding>, Failure> {
    match &args.device {
        DeviceChoice::Fake(file) => Ok(vec![fake(file)]),
        DeviceChoice::Embedded => Ok(retap_embedded::examine().into_iter().map(embedded).collect()),
    }
}

fn embedded(finding: retap_embedded::Finding) -> Finding {
    let retap_embedded::Finding { what, ok, found, advice } = finding;
    Finding { what: what.into(), ok, found, advice }
}

fn fake(file: &Path) -> Finding {
    let what = format!("fake device {}", file.display());
    match FakeConnect::load(file).and_then(|connect| connect.connect()) {
        Ok((_, app)) => {
            let units = app.units.len();
            let found = format!("{} with {units} code units", app.identity.package);
            Finding { what, ok: true, found, advice: String::new() }
        }
        Err(error) => {
            let advice = "the language is described in docs/fake.md".into();
            Finding { what, ok: false, found: error.to_string(), advice }
        }
    }
}

fn render(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { what, ok, found, advice } in findings {
        let mark = if *ok { "✓" } else { "✗" };
        let _ = writeln!(text, "{mark} {what}: {found}");
        if !advice.is_empty() {
            let _ = writeln!(text, "    {advice}");
        }
    }
    text
}
