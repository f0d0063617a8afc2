//! The protocol, the shell and every command, on a fake, which takes no time.

use crate::client::{StockAdb, is_here, root};
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const PACKAGE: &str = "dev.retap.fixture.conform";

fn connect() -> Option<StockAdb> {
    is_here().then(|| {
        let fake = FakeConnect::load(&root().join("fakes/conform.fake")).unwrap();
        StockAdb::connect(Box::new(move |_| fake.connect()), true)
    })
}

fn launch(adb: &StockAdb) {
    let component = adb.shell(&format!("cmd package resolve-activity --brief {PACKAGE}"));
    let component = component.lines().last().unwrap();
    let started = adb.shell(&format!("am start -W -n {component}"));
    assert!(started.contains("Status: ok"), "{started}");
}

#[test]
fn adb_lists_the_phone_and_runs_commands_with_their_exit_codes() {
    let Some(adb) = connect() else { return };
    let devices = adb.run(&["devices", "-l"]).out;
    assert!(devices.contains(&adb.serial) && devices.contains("model:retap"), "{devices}");
    assert_eq!(adb.run(&["get-state"]).out, "device\n");
    let features = adb.run(&["features"]).out;
    assert!(features.contains("shell_v2") && features.contains("cmd"), "{features}");
    assert_eq!(adb.shell("getprop sys.boot_completed"), "1\n");
    assert_eq!(adb.shell("echo one; echo 'two  3' | grep two && echo $?"), "one\ntwo  3\n0\n");
    let failed = adb.run(&["shell", "ls /nothing"]);
    assert_eq!((failed.code, failed.out.as_str()), (1, ""), "{failed:?}");
    assert!(failed.err.contains("No such file"), "{failed:?}");
    assert_eq!(adb.run(&["shell", "exit 7"]).code, 7);
    let unknown = adb.run(&["shell", "reboot"]);
    assert!(unknown.code == 127 && unknown.err.contains("not found"), "{unknown:?}");
    // The first shell protocol has one stream and no exit code.
    assert_eq!(adb.run(&["shell", "-x", "ls /nothing"]).code, 0);
}

#[test]
fn files_are_pushed_listed_and_pulled_and_none_of_this_machine_is_seen() {
    let Some(adb) = connect() else { return };
    let (sent, back) = (adb.temp.path().join("sent"), adb.temp.path().join("back"));
    let content: Vec<u8> = (0..300_000u32).map(|n| (n * 7 % 251) as u8).collect();
    fs::write(&sent, &content).unwrap();
    let (sent, back) = (sent.display().to_string(), back.display().to_string());
    let pushed = adb.run(&["push", &sent, "/sdcard/folder/file"]);
    assert_eq!(pushed.code, 0, "{pushed:?}");
    assert!(adb.run(&["ls", "/sdcard/folder"]).out.contains(" file"));
    assert!(adb.shell("ls -l /storage/emulated/0/folder").contains("300000"));
    let pulled = adb.run(&["pull", "/sdcard/folder/file", &back]);
    assert_eq!(pulled.code, 0, "{pulled:?}");
    assert_eq!(fs::read(&back).unwrap(), content);
    for path in ["/etc/passwd", "/proc/self/environ", "/../../etc/passwd", &sent] {
        assert_ne!(adb.run(&["pull", path, &back]).code, 0, "{path}");
        assert_ne!(adb.run(&["shell", &format!("cat {path}")]).code, 0, "{path}");
    }
    assert_ne!(adb.run(&["push", &sent, "/system/bin/sh"]).code, 0);
    adb.shell("cp /sdcard/folder/file /data/local/tmp/a && rm -r /sdcard/folder");
    assert_eq!(adb.shell("ls /data/local/tmp; echo x > /tmp/b; cat /tmp/b"), "a\nx\n");
}

#[test]
fn an_app_is_launched_touched_and_seen() {
    let Some(adb) = connect() else { return };
    assert_eq!(adb.shell("pm list packages -3"), format!("package:{PACKAGE}\n"));
    assert!(adb.shell("dumpsys window").contains("mCurrentFocus=Window{"));
    launch(&adb);
    let focus = adb.shell("dumpsys window windows | grep -E mCurrentFocus");
    assert!(focus.contains(&format!(" {PACKAGE}/")), "{focus}");
    assert!(adb.shell("dumpsys activity activities").contains("mResumedActivity: ActivityRecord{"));
    assert_eq!(adb.shell("pidof dev.retap.fixture.conform").trim().parse::<u32>().unwrap(), 2001);
    adb.tap("counter");
    adb.tap("counter");
    assert!(adb.dump().contains("text=\"2\""));
    adb.tap("input");
    adb.shell("input text Hello%sthere");
    adb.shell("input text X");
    assert!(adb.dump().contains("text=\"Hello thereX\""), "{}", adb.dump());
    let at = adb.place("hold");
    adb.shell(&format!("input swipe {at} {at} 1000"));
    assert!(adb.dump().contains("Once"));
    adb.shell("input keyevent KEYCODE_BACK");
    assert!(!adb.dump().contains("Once"));
    adb.shell("settings put system user_rotation 1");
    assert!(adb.dump().contains("rotation=\"1\""));
    assert!(adb.shell("dumpsys display").contains("orientation=1"));
    let before: u64 = adb.shell("date +%s").trim().parse().unwrap();
    adb.shell("sleep 90");
    let after: u64 = adb.shell("date +%s").trim().parse().unwrap();
    // Each is cut to a whole second.
    assert!((90..=91).contains(&(after - before)), "the phone's clock is the app's");
    assert_eq!(adb.shell("pm clear dev.retap.fixture.conform"), "Success\n");
    adb.shell("settings put system user_rotation 0");
    launch(&adb);
    assert!(!adb.dump().contains("Hello"));
}

#[test]
fn a_crash_is_in_the_log_and_followers_of_the_log_see_it_come() {
    let Some(adb) = connect() else { return };
    launch(&adb);
    let mut follower = adb
        .command(&["logcat", "-v", "threadtime", "-b", "crash"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    adb.shell("logcat -c");
    adb.tap("crash");
    let lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let seen: Vec<String> = lines.map(Result::unwrap).take(4).collect();
    follower.kill().unwrap();
    follower.wait().unwrap();
    assert!(seen[1].contains("E AndroidRuntime: FATAL EXCEPTION: main"), "{seen:?}");
    assert!(seen[2].contains(&format!("Process: {PACKAGE}, PID: 2001")), "{seen:?}");
    assert!(seen[3].contains("java.lang.RuntimeException"), "{seen:?}");
    let dumped = adb.run(&["logcat", "-d", "-v", "brief", "AndroidRuntime:E", "*:S"]).out;
    assert!(dumped.contains("E/AndroidRuntime( 2001): FATAL EXCEPTION: main"), "{dumped}");
    assert!(adb.shell("logcat -d -b main").is_empty());
    assert!(adb.shell("dumpsys window").contains("com.android.launcher3"), "the app is gone");
    assert_eq!(adb.run(&["shell", "pidof", PACKAGE]).code, 1);
    launch(&adb);
    assert!(adb.shell("dumpsys window").contains(&format!("{PACKAGE}/")));
}

#[test]
fn the_monkey_repeats_itself_by_seed_and_plays_scripts() {
    let Some(adb) = connect() else { return };
    let random = |seed: u32| {
        adb.shell(&format!("pm clear {PACKAGE}"));
        let line = format!("monkey -p {PACKAGE} -s {seed} -v -v --ignore-crashes 40");
        adb.run(&["shell", &line]).out
    };
    let (first, again, other) = (random(5), random(5), random(6));
    assert!(first.contains(":Monkey: seed=5 count=40"), "{first}");
    assert!(first.contains("Events injected: 40") && first.contains("// Monkey finished"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    adb.shell(&format!("pm clear {PACKAGE}"));
    launch(&adb);
    let (counter, crash) = (adb.place("counter"), adb.place("crash"));
    let tap = |at: &str| format!("Tap({})", at.replace(' ', ","));
    let script = |last: &str| {
        format!("type= user\ncount= 2\nspeed= 1.0\nstart data >>\n{}\n{last}\n", tap(&counter))
    };
    let file = adb.temp.path().join("script");
    let play = |last: &str| {
        fs::write(&file, script(last)).unwrap();
        adb.run(&["push", &file.display().to_string(), "/sdcard/script"]);
        adb.run(&["shell", &format!("monkey -p {PACKAGE} -f /sdcard/script 1")])
    };
    assert_eq!(play(&tap(&counter)).code, 0);
    assert!(adb.dump().contains("text=\"2\""));
    let crashed = play(&tap(&crash));
    assert!(crashed.out.contains("// CRASH: dev.retap.fixture.conform"), "{crashed:?}");
    assert!(crashed.out.contains("** Monkey aborted due to error."), "{crashed:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let Some(adb) = connect() else { return };
    let file = adb.temp.path().join("no.apk");
    fs::write(&file, "no zip").unwrap();
    let refused = adb.run(&["install", &file.display().to_string()]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("INSTALL_PARSE_FAILED_NOT_APK"), "{refused:?}");
    let gone = adb.run(&["uninstall", "no.such.app"]);
    assert!(gone.code != 0 || gone.out.contains("DELETE_FAILED"), "{gone:?}");
    let start = adb.run(&["shell", "am start -n no.such/.App"]);
    assert!(start.code == 1 && start.err.contains("does not exist"), "{start:?}");
    for line in ["input tap here there", "settings get nowhere x", "for x in y", "wm size 1x1"] {
        let said = adb.run(&["shell", line]);
        assert!(said.code != 0 && !said.err.is_empty(), "{line}: {said:?}");
    }
    assert_ne!(adb.run(&["forward", "tcp:0", "tcp:22"]).code, 125, "adb itself goes on");
    assert_eq!(adb.shell("echo still here"), "still here\n");
}

#[test]
fn lines_that_tools_send_are_expanded_and_what_leads_elsewhere_is_refused_in_words() {
    let Some(adb) = connect() else { return };
    let names = adb.shell("touch /sdcard/a.png /sdcard/b.png; ls /sdcard/*.png; echo '*'");
    assert_eq!(names, "/sdcard/a.png\n/sdcard/b.png\n*\n");
    let told = adb.shell("A=$(echo one two); echo $(getprop sys.boot_completed) \"`echo $A`\"");
    assert_eq!(told, "1 one two\n");
    assert_eq!(adb.shell("cp /dev/null /sdcard/empty && cat /sdcard/empty"), "");
    adb.shell("input keyevent SLEEP");
    assert!(adb.shell("dumpsys power").contains("mWakefulness=Asleep"));
    adb.shell("input keyevent WAKEUP");
    assert!(adb.shell("dumpsys window policy").contains("INTERACTIVE_STATE_AWAKE"));
    assert_eq!(adb.shell("which input"), "/system/bin/input\n");
    let reversed = adb.run(&["reverse", "tcp:1", "tcp:2"]);
    assert!(reversed.code != 0 && reversed.err.contains("leads no port"), "{reversed:?}");
    assert_eq!(adb.run(&["reverse", "--list"]).code, 0);
    let listens = adb.run(&["tcpip", "5555"]);
    assert!(listens.out.contains("the port it was served at"), "{listens:?}");
    let unknown = adb.run(&["shell", "content read --uri content://no.such/x"]);
    assert!(unknown.code == 1 && unknown.err.contains("no app here provides"), "{unknown:?}");
}
