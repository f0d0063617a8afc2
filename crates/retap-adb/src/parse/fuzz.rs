//! Damaged outputs: every reader accepts or refuses them, and none panics.

use super::tests::{PACKAGE, recorded};
use super::*;
use retap_fuzz::fuzz;

const WORDS: [&str; 16] = [
    "\n",
    "\r\n",
    "{",
    "}",
    "u0 ",
    "ActivityRecord{",
    "Window{",
    "FATAL EXCEPTION: ",
    "Process: ",
    "[",
    "]",
    ": ",
    "ty=",
    "<node ",
    "</hierarchy>",
    "#00 pc ",
];

fn text(name: &str, samples: &[&str], read: impl Fn(&str)) {
    let samples: Vec<String> = samples.iter().map(|name| recorded(name)).collect();
    let samples: Vec<&[u8]> = samples.iter().map(|sample| sample.as_bytes()).collect();
    fuzz(name, &samples, &WORDS, |bytes| {
        read(&String::from_utf8_lossy(bytes));
        true
    });
}

#[test]
fn damaged_outputs_of_the_managers() {
    text("windows", &["window-22", "window-28", "window-34"], |text| {
        let windows = windows::OpenWindows::parse(text);
        windows.system_dialog();
        windows.focused_package();
    });
    text("activities", &["activities-22", "activities-30", "activities-35"], |text| {
        activities::OpenActivities::parse(text);
    });
    text("views", &["top-28"], |text| {
        hierarchy::signature(text);
        hierarchy::parse_hierarchy(text, PACKAGE);
    });
    text("processes", &["devices"], |text| drop(processes::parse_processes(text, PACKAGE)));
}

#[test]
fn damaged_logs() {
    let samples = ["logcat-threadtime", "logcat-brief", "logcat-native", "logcat-anr"];
    text("logcat", &samples, |text| {
        let lines = logcat::parse_logcat(text);
        crash::find_crash(&lines, PACKAGE, &[2711]);
        native_crash::find_native_crash(&lines, PACKAGE);
        anr::find_anr(&lines, PACKAGE);
    });
}

#[test]
fn damaged_answers() {
    text("dump", &["dump-21"], |text| drop(dump::parse_dump(text)));
    text("devices", &["devices"], |text| drop(devices::parse_devices(text)));
    text("install", &["install"], |text| drop(install::parse_install(text, PACKAGE, "")));
    text("properties", &["devices"], |text| {
        let _ = properties::PhoneProperties::parse(text).api();
    });
    text("display", &["devices"], |text| {
        let _ = display::parse_display(text);
    });
    text("console", &["install"], |text| drop(console::parse_answer(text)));
    let picture = b"\x89PNG\r\n\x1a\n....IEND\xae\x42\x60\x82".as_slice();
    fuzz("picture", &[picture], &["\r\n", "IEND"], |bytes| {
        let _ = picture::parse_picture(bytes);
        true
    });
    let packets = b"\x01\x02\0\0\0hi\x03\x01\0\0\0\x07".as_slice();
    fuzz("shell-packet", &[packets], &["\x01", "\x03"], |bytes| {
        shell_packet::decode(bytes);
        true
    });
    let batch = {
        let mut batch = sections::Batch::new(1);
        batch.add("a");
        batch.add("b");
        batch
    };
    fuzz(
        "sections",
        &[b"x\n@@retap:00000001:0:0\ny\n@@retap:00000001:1:1\n"],
        &["@@retap:00000001:"],
        |bytes| {
            batch.split(&String::from_utf8_lossy(bytes));
            true
        },
    );
}
