//! Apps in parts: a bundle of splits goes to the phone part by part, as `adb install-multiple` sends them.

use crate::phone::{ServedPhone, is_here, is_long_wanted, root};
use retap_apk::Apk;
use retap_device::Connect;
use retap_model::Outcome;

#[test]
fn a_bundle_is_installed_part_by_part() {
    if !is_here() {
        return;
    }
    let phone = ServedPhone::of_fake("conform.fake", None);
    let connect = phone.connect("parts.apks");
    let (device, app) = connect.connect().unwrap();
    let parts = Apk::open(root().join("fixtures/parts.apks")).unwrap().parts.len();
    assert!(parts > 1 && phone.adb(&["shell", "pm", "list", "packages", "-3"]).contains("conform"));
    assert!(app.identity.package.starts_with("dev.retap.fixture"), "{:?}", app.identity);
    // Features, properties and settings; a session, its parts and its end.
    assert_eq!(connect.round_trips(), 2 + 1 + parts as u64 + 1);
    drop(device);
}

#[test]
fn the_embedded_device_runs_an_app_that_came_in_parts() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let phone = ServedPhone::of_embedded();
    let connect = phone.connect("parts.apks");
    let (mut device, app) = connect.connect().unwrap();
    assert_eq!(device.reset(1).unwrap().outcome, Outcome::Running);
    drop(device);
    let package = app.identity.package;
    assert!(phone.adb(&["uninstall", &package]).contains("Success"));
    let folder = tempfile::tempdir().unwrap();
    let files = Apk::open(root().join("fixtures/parts.apks")).unwrap().unpack(folder.path());
    let files: Vec<String> = files.unwrap().iter().map(|file| file.display().to_string()).collect();
    let mut arguments = vec!["install-multiple"];
    arguments.extend(files.iter().map(String::as_str));
    let said = phone.adb(&arguments);
    assert!(said.contains("Success"), "{said}");
    assert!(phone.adb(&["shell", "pm", "list", "packages", "-3"]).contains(&package));
    let alone = phone.adb(&["install-multiple", &files[1], &files[2]]);
    assert!(alone.contains("INSTALL_"), "{alone}");
}
