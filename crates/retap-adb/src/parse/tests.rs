//! Outputs of several versions of Android in `recorded/`, as they are, with CRLF, with junk between, and cut at every place.

use super::activities::OpenActivities;
use super::anr::find_anr;
use super::console::{ConsoleAnswer, parse_answer};
use super::crash::find_crash;
use super::devices::parse_devices;
use super::display::parse_display;
use super::dump::{NoDump, parse_dump};
use super::hierarchy::{parse_hierarchy, signature};
use super::install::parse_install;
use super::logcat::{after_mark, parse_logcat};
use super::native_crash::find_native_crash;
use super::picture::parse_picture;
use super::processes::parse_processes;
use super::properties::PhoneProperties;
use super::windows::OpenWindows;
use retap_model::Display;
use std::fmt::Debug;

pub const PACKAGE: &str = "dev.demo";

pub fn recorded(name: &str) -> String {
    let file = format!("{}/recorded/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).unwrap()
}

/// Checks a reader on a recorded output: CRLF and junk change nothing, and no cut makes it panic.
fn check<T: Debug + PartialEq>(name: &str, read: impl Fn(&str) -> T) {
    let text = recorded(name);
    let whole = read(&text);
    insta::assert_debug_snapshot!(name, whole);
    assert_eq!(read(&text.replace('\n', "\r\n")), whole, "{name} with CRLF");
    let junk = format!("WARNING: linker: unused DT entry\n{text}\nKilled \n");
    assert_eq!(read(&junk), whole, "{name} between junk");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        read(&text[..end]);
    }
}

#[test]
fn windows_of_several_versions() {
    for name in ["window-22", "window-28", "window-34", "window-crash-30"] {
        check(name, |text| {
            let windows = OpenWindows::parse(text);
            let package = windows.focused_package().map(str::to_string);
            (windows.kind(), package, windows.system_dialog(), windows.focus)
        });
    }
}

#[test]
fn activities_of_several_versions() {
    for name in ["activities-22", "activities-30", "activities-35"] {
        check(name, OpenActivities::parse);
    }
}

#[test]
fn views_of_the_activity_in_front() {
    check("top-28", |text| parse_hierarchy(text, PACKAGE));
    let text = recorded("top-28");
    let pressed = text.replace("...P....", "........");
    assert_eq!(signature(&text), signature(&pressed), "a press passes");
    let moved = text.replace("40,100-300,196", "40,90-300,186");
    assert_ne!(signature(&text), signature(&moved));
}

#[test]
fn logs_with_crashes_of_java_and_of_native_code_and_apps_that_hang() {
    check("logcat-threadtime", |text| {
        let lines = parse_logcat(text);
        let new = after_mark(&lines, "retap", "event 3 of emulator-5554").len();
        (lines.len(), new, find_crash(&lines, PACKAGE, &[]))
    });
    check("logcat-brief", |text| find_crash(&parse_logcat(text), PACKAGE, &[]));
    check("logcat-native", |text| find_native_crash(&parse_logcat(text), PACKAGE));
    check("logcat-anr", |text| find_anr(&parse_logcat(text), PACKAGE));
    let text = recorded("logcat-threadtime");
    let lines = parse_logcat(&text);
    let crash = find_crash(&lines, PACKAGE, &[]).unwrap();
    let direct = "java.lang.NullPointerException\n\tat dev.demo.Main.onResume(Main.java:17)";
    let direct = retap_model::Crash::new("main", direct);
    assert_eq!(crash.identity(PACKAGE), direct.identity(PACKAGE), "one bug, one identity");
    assert_eq!(find_crash(&lines, "dev.dem", &[]), None, "another app's crash");
    assert_eq!(find_anr(&parse_logcat(&recorded("logcat-anr")), "dev.dem"), None);
}

#[test]
fn dumps_between_other_words() {
    check("dump-21", parse_dump);
    assert_eq!(parse_dump("ERROR: could not get idle state.\r\n"), Err(NoDump::NotIdle));
    let silent = "ERROR: null root node returned by UiTestAutomationBridge.";
    assert_eq!(parse_dump(silent), Err(NoDump::NoRoot));
    assert_eq!(parse_dump("Killed"), Err(NoDump::Said("Killed".into())));
    let text = recorded("dump-21");
    assert!(matches!(parse_dump(&text[..text.len() - 20]), Err(NoDump::Damaged(_))));
    let empty = "<?xml version='1.0' ?><hierarchy rotation=\"0\" />";
    assert_eq!(parse_dump(empty).unwrap().windows.len(), 0);
}

#[test]
fn devices_in_every_state() {
    check("devices", |text| {
        parse_devices(text)
            .into_iter()
            .filter(|it| it.serial.len() > 4)
            .filter(|it| !it.serial.starts_with("WARN"))
            .collect::<Vec<_>>()
    });
}

#[test]
fn answers_to_an_installation_become_sentences() {
    let answers: Vec<String> = recorded("install")
        .split("---\n")
        .map(|text| match parse_install(text, PACKAGE, "x86_64") {
            Ok(()) => "installed".to_string(),
            Err(sentence) => sentence,
        })
        .collect();
    insta::assert_snapshot!(answers.join("\n"));
    assert!(parse_install("", PACKAGE, "").unwrap_err().contains("did not say"));
    assert!(parse_install("Success\r\n", PACKAGE, "").is_ok());
}

#[test]
fn sizes_properties_and_processes() {
    let display = Display { width: 1080, height: 2340, dpi: 420 };
    assert_eq!(
        parse_display("Physical size: 1080x2340\r\nPhysical density: 420\r\n"),
        Some(display)
    );
    let overridden = "Physical size: 1440x3120\nOverride size: 1080x2340\nPhysical density: 560\nOverride density: 420\n";
    assert_eq!(parse_display(overridden), Some(display));
    assert_eq!(parse_display("Physical size: 1080x"), None);
    let properties = PhoneProperties::parse(
        "[ro.build.version.sdk]: [35]\r\n[ro.build.version.preview_sdk]: [1]\r\n[sys.boot_completed]: [1]\r\njunk\r\n[cut]: [va",
    );
    assert_eq!((properties.api(), properties.has_booted()), (Some(36), true));
    assert_eq!(properties.get("cut"), "va");
    assert_eq!(parse_processes("2711 2712\r\n", PACKAGE), [2711, 2712]);
    let ps = "u0_a60    2711  233   1530 5040 ffffffff 00000000 S dev.demo\nu0_a61    2712  233   1530 5040 ffffffff 00000000 S dev.demolition\n";
    assert_eq!(parse_processes(ps, PACKAGE), [2711]);
}

#[test]
fn pictures_are_found_repaired_and_checked() {
    let png = b"\x89PNG\r\n\x1a\n....IEND\xae\x42\x60\x82";
    assert_eq!(parse_picture(png).unwrap(), png);
    let warned = [b"[Warning] Multiple displays were found\n".as_slice(), png].concat();
    assert_eq!(parse_picture(&warned).unwrap(), png);
    let mangled = b"\x89PNG\r\r\n\x1a\r\n....IEND\xae\x42\x60\x82";
    assert_eq!(parse_picture(mangled).unwrap(), png);
    assert!(parse_picture(&png[..12]).unwrap_err().contains("cut"));
    assert!(parse_picture(b"error: no display").unwrap_err().contains("no display"));
}

#[test]
fn a_console_agrees_refuses_or_has_not_finished() {
    let banner = "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\nOK\r\n";
    assert!(
        matches!(parse_answer(banner), Some(ConsoleAnswer::Agreed(said)) if said.contains("auth"))
    );
    let refused = parse_answer("KO: snapshot not found\r\n");
    assert_eq!(refused, Some(ConsoleAnswer::Refused("snapshot not found".into())));
    assert_eq!(parse_answer("List of snapshots\r\nO"), None);
    assert_eq!(parse_answer("OK"), None, "the line may go on");
}
