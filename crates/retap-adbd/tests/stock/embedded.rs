//! A real APK, installed and driven by stock adb alone.

use crate::client::{StockAdb, is_here, root};
use retap_device::Connect;
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

#[test]
fn stock_adb_installs_a_real_app_drives_it_and_finds_its_crash() {
    if !is_here() {
        return;
    }
    let start = |apk: Option<&Path>| {
        let apk = apk.map(Path::to_path_buf).unwrap_or_default();
        let quiet = Arc::new(|_: Notice<'_>| {});
        EmbeddedConnect::new(apk, EmbeddedOptions::default(), quiet).connect()
    };
    let adb = StockAdb::connect(Box::new(start), false);
    symlink(root().join("fixtures"), adb.temp.path().join("fixtures")).unwrap();
    run_documented_session(&adb);
    let package = adb.shell("pm list packages -3");
    let package = package.trim().strip_prefix("package:").unwrap();
    adb.shell(&format!("pm clear {package}; am start -n {package}/.MainActivity"));
    assert!(adb.shell("dumpsys window").contains(&format!("{package}/")));
    adb.tap("counter");
    assert!(adb.dump().contains("text=\"1\""), "{}", adb.dump());
    let picture = std::fs::read(adb.temp.path().join("screen.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"), "{} bytes", picture.len());
    adb.tap("input");
    adb.shell("input text kept");
    assert!(adb.dump().contains("text=\"kept\""), "{}", adb.dump());
    adb.tap("crash");
    let log = adb.run(&["logcat", "-d", "-b", "crash"]).out;
    assert!(log.contains("FATAL EXCEPTION: main") && log.contains(package), "{log}");
    adb.shell(&format!("monkey -p {package} -c android.intent.category.LAUNCHER 1"));
    assert!(adb.shell("dumpsys window").contains(&format!("{package}/")), "it starts again");
    assert!(adb.run(&["uninstall", package]).out.contains("Success"));
    assert_eq!(adb.shell("pm list packages -3"), "");
}

/// Runs the session of the page, so that the documentation cannot lie. A command without shown output must go well.
fn run_documented_session(adb: &StockAdb) {
    let page = std::fs::read_to_string(root().join("docs/devices.md")).unwrap();
    let session = page.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let session = session.replace("127.0.0.1:5555", &adb.serial);
    let commands = session.split("$ ").filter(|part| !part.is_empty());
    for (command, shown) in commands.map(|part| part.split_once('\n').unwrap()) {
        let said = adb.run_documented(command);
        assert_eq!(said.code, 0, "{command}: {said:?}");
        assert!(shown.is_empty() || said.out.trim_end() == shown.trim_end(), "{command}: {said:?}");
    }
}
