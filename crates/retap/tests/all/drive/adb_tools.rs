//! Tools that nobody here wrote drive the embedded device over stock adb, unmodified. Their packages come from PyPI by name.
#![cfg(feature = "long-tests")]
#![allow(clippy::unwrap_used)] // a test may panic

use super::adb::phone::{ServedPhone, is_here};
use crate::common::{fixture, root};
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = "dev.retap.fixture.conform";

/// Runs a program to its end, with the adb server of a phone, and returns what it printed.
fn run(phone: &ServedPhone, folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_remove("ADB_SERVER_SOCKET");
    command.env("ANDROID_ADB_SERVER_PORT", phone.server_port.to_string());
    command.env("ANDROID_SERIAL", &phone.serial);
    let output = command.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {shown}{errors}");
    shown + &errors
}

#[test]
fn adbutils_and_androidviewclient_drive_the_embedded_device() {
    if !is_here() {
        return;
    }
    let (phone, temp) = (ServedPhone::of_embedded(), tempfile::tempdir().unwrap());
    phone.adb(&["connect", &phone.serial]);
    let run = |program: &str, arguments: &[&str]| run(&phone, temp.path(), program, arguments);
    run("python3", &["-m", "venv", "python"]);
    let packages = ["adbutils==2.12.0", "androidviewclient==24.1.0", "uiautomator2==3.7.1"];
    run("python/bin/pip", &[&["install", "-q"], packages.as_slice()].concat());
    let script = root().join("crates/retap/tests/all/clients/adb_tools.py").display().to_string();
    let port = phone.server_port.to_string();
    let said = run("python/bin/python", &[&script, &port, &phone.serial, &fixture("conform.apk")]);
    assert!(said.contains("all went well"), "{said}");
}

/// DroidBot's release on PyPI is for Python 2.
#[test]
#[allow(clippy::print_stdout)] // a test that cannot run says so
fn droidbot_of_pypi_drives_the_embedded_device() {
    let has_python =
        Command::new("python2.7").arg("--version").output().is_ok_and(|it| it.status.success());
    if !is_here() || !has_python {
        println!("adb or Python 2.7 is not installed: nothing was checked");
        return;
    }
    let (phone, temp) = (ServedPhone::of_embedded(), tempfile::tempdir().unwrap());
    phone.adb(&["connect", &phone.serial]);
    let apk = fixture("conform.apk");
    let installed = phone.adb(&["install", &apk]);
    assert!(installed.contains("Success"), "{installed}");
    let run = |program: &str, arguments: &[&str]| run(&phone, temp.path(), program, arguments);
    run("python3", &["-m", "venv", "python"]);
    // The last one that makes environments of Python 2, and the last client that runs in them.
    run("python/bin/pip", &["install", "-q", "virtualenv<20.22"]);
    run("python/bin/virtualenv", &["-q", "-p", "python2.7", "old"]);
    run("old/bin/pip", &["install", "-q", "androidviewclient==15.8.1", "droidbot==1.0.0a2"]);
    let serial = phone.serial.clone();
    // Its monkey runs until the time is over.
    for (policy, limit) in [("random", "600"), ("monkey", "10")] {
        let options = ["-count", "8", "-interval", "1", "-event", policy, "-env", "none"];
        let on = ["-d", &serial, "-p", PACKAGE, "-duration", limit, "-o", policy];
        let said = run("old/bin/droidbot", &[on.as_slice(), &options].concat());
        assert!(said.contains("DroidBot Stopped"), "{said}");
    }
    let sent = std::fs::read_to_string(temp.path().join("random/droidbot_event.json")).unwrap();
    assert!(sent.matches("event_type").count() >= 8, "{sent}");
}

#[test]
fn a_monkey_script_leads_the_embedded_device_into_a_crash() {
    if !is_here() {
        return;
    }
    let (phone, temp) = (ServedPhone::of_embedded(), tempfile::tempdir().unwrap());
    phone.adb(&["connect", &phone.serial]);
    let installed = phone.adb(&["install", &fixture("conform.apk")]);
    assert!(installed.contains("Success"), "{installed}");
    phone.adb(&["shell", "am", "start", "-n", &format!("{PACKAGE}/.MainActivity")]);
    let dump = phone.adb(&["exec-out", "uiautomator", "dump", "/dev/tty"]);
    let node = dump.split("<node ").find(|node| node.contains(":id/crash\"")).unwrap();
    let bounds = node.split("bounds=\"[").nth(1).unwrap().split(']').next().unwrap();
    let (left, top) = bounds.split_once(',').unwrap();
    let place = [left, top].map(|number| (number.parse::<i32>().unwrap() + 5).to_string());
    let script = format!(
        "type= raw events\ncount= 3\nspeed= 1.0\nstart data >>\nLaunchActivity({PACKAGE},{PACKAGE}.MainActivity)\nUserWait(500)\nTap({},{})\n",
        place[0], place[1]
    );
    let file = temp.path().join("script");
    std::fs::write(&file, script).unwrap();
    phone.adb(&["push", &file.display().to_string(), "/sdcard/script"]);
    let played = phone.adb(&["shell", "monkey", "-p", PACKAGE, "-f", "/sdcard/script", "-v", "1"]);
    assert!(played.contains("crash"), "{played}");
    let log = phone.adb(&["logcat", "-d", "-b", "crash"]);
    assert!(log.contains("FATAL EXCEPTION") && log.contains(PACKAGE), "{log}");
}
