//! A real APK, installed and driven by stock adb alone.

use crate::client::{StockAdb, is_here, root};
use retap_device::Connect;
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
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
    let apk = root().join("fixtures/conform.apk").display().to_string();
    let installed = adb.run(&["install", "-r", "-g", &apk]);
    assert!(installed.code == 0 && installed.out.contains("Success"), "{installed:?}");
    let package = adb.shell("pm list packages -3");
    let package = package.trim().strip_prefix("package:").unwrap();
    adb.shell(&format!("monkey -p {package} -c android.intent.category.LAUNCHER 1"));
    assert!(adb.shell("dumpsys window").contains(&format!("{package}/")));
    adb.tap("counter");
    assert!(adb.dump().contains("text=\"1\""), "{}", adb.dump());
    let picture = adb.command(&["exec-out", "screencap", "-p"]).output().unwrap().stdout;
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
