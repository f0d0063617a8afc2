//! `retap doctor`: checks what this machine has, what is missing, and how to get it.

use crate::cli::{DeviceArgs, DoctorArgs};
use crate::console::Console;
use crate::exit::Exit;
use retap_adb::{AdbCheck, AdbEnvironment};
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use retap_engine::{DeviceKind, Failure};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Serialize)]
pub struct MachineCheck {
    pub what: String,
    pub ok: bool,
    pub found: String,
    /// The advice; empty if there is nothing to do.
    pub advice: String,
}

pub fn run(args: &DoctorArgs, console: &Console) -> Result<Exit, Failure> {
    let mut findings = examine(&args.device)?;
    let machine_ok = findings.iter().all(|finding| finding.ok);
    if let Some(apk) = &args.app {
        findings.extend(retap_embedded::check_app(apk)?.into_iter().map(embedded));
    }
    let all_ok = findings.iter().all(|finding| finding.ok);
    console.json(&serde_json::json!({ "verb": "doctor", "ok": all_ok, "findings": findings }));
    console.result(&render(&findings));
    Ok(match (machine_ok, all_ok) {
        (false, _) => Exit::DeviceFailed,
        (true, false) => Exit::BadInput,
        (true, true) => Exit::Clean,
    })
}

fn examine(args: &DeviceArgs) -> Result<Vec<MachineCheck>, Failure> {
    match &args.kind() {
        DeviceKind::Fake(file) => Ok(vec![fake(file)]),
        DeviceKind::Adb => {
            let environment = AdbEnvironment::from_process().map_err(Failure::input)?;
            Ok(retap_adb::check_adb(&environment).into_iter().map(adb).collect())
        }
        DeviceKind::Embedded => {
            Ok(retap_embedded::check_machine().into_iter().map(embedded).collect())
        }
    }
}

fn embedded(finding: retap_embedded::HealthCheck) -> MachineCheck {
    let retap_embedded::HealthCheck { what, ok, found, advice } = finding;
    MachineCheck { what: what.into(), ok, found, advice }
}

fn adb(finding: AdbCheck) -> MachineCheck {
    let AdbCheck { what, ok, found, advice } = finding;
    MachineCheck { what, ok, found, advice }
}

fn fake(file: &Path) -> MachineCheck {
    let what = format!("fake device {}", file.display());
    match FakeConnect::load(file).and_then(|connect| connect.connect()) {
        Ok((_, app)) => {
            let units = app.units.len();
            let found = format!("{} with {units} code units", app.identity.package);
            MachineCheck { what, ok: true, found, advice: String::new() }
        }
        Err(error) => {
            let advice = "the language is described in docs/fake.md".into();
            MachineCheck { what, ok: false, found: error.to_string(), advice }
        }
    }
}

fn render(findings: &[MachineCheck]) -> String {
    let mut text = String::new();
    for MachineCheck { what, ok, found, advice } in findings {
        let mark = if *ok { "✓" } else { "✗" };
        let _ = writeln!(text, "{mark} {what}: {found}");
        if !advice.is_empty() {
            let _ = writeln!(text, "    {advice}");
        }
    }
    text
}
