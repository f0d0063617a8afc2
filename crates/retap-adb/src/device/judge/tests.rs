use super::*;
use crate::parse::activities::OpenActivities;
use crate::parse::dump::NoDump;
use crate::parse::logcat::parse_logcat;
use crate::parse::windows::OpenWindows;

fn judged(focus: &str, open: &str, log: &str) -> Outcome {
    let sight = Sight {
        dump: Err(NoDump::NotIdle),
        views: None,
        windows: OpenWindows::parse(&format!("mCurrentFocus=Window{{1 u0 {focus}}}")),
        activities: OpenActivities::parse(&format!("* Hist #0: ActivityRecord{{2 u0 {open} t1}}")),
        pids: Vec::new(),
        uptime: None,
        log: String::new(),
        is_steady: true,
    };
    judge(&sight, &Screen::default(), &parse_logcat(log), "a.b", &[7])
}

#[test]
fn an_event_ends_as_focus_and_open_activities_say() {
    assert_eq!(judged("a.b/a.b.Main", "a.b/.Main", ""), Outcome::Running);
    let left = Outcome::Left { package: "com.other".into() };
    assert_eq!(judged("com.other/.Main", "a.b/.Main", ""), left);
    assert_eq!(judged("com.other/.Main", "com.other/.Main", ""), Outcome::Exited);
    let asks = "com.google.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";
    assert_eq!(judged(asks, "a.b/.Main", ""), Outcome::Running);
    assert_eq!(judged("a.b/a.b.Main", "a.b/.Main f", ""), Outcome::Running);
}

#[test]
fn the_log_and_the_dialogs_of_the_system_say_more_than_the_focus() {
    let crash = "\
01-01 00:00:00.000     7     7 E AndroidRuntime: FATAL EXCEPTION: main
01-01 00:00:00.000     7     7 E AndroidRuntime: Process: a.b, PID: 7
01-01 00:00:00.000     7     7 E AndroidRuntime: java.lang.Error: no
01-01 00:00:00.000     7     7 E AndroidRuntime: \tat a.b.Main.go(Main.java:1)
";
    let Outcome::Crashed(found) = judged("a.b/a.b.Main", "a.b/.Main", crash) else {
        panic!("no crash")
    };
    assert_eq!(found.stack, "java.lang.Error: no\n\tat a.b.Main.go(Main.java:1)");
    let of_another = crash.replace("Process: a.b,", "Process: a.bc,");
    assert_eq!(judged("a.b/a.b.Main", "a.b/.Main", &of_another), Outcome::Running);
    let nameless: String = crash
        .lines()
        .filter(|line| !line.contains("Process:"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(matches!(judged("x/y", "a.b/.Main", &nameless), Outcome::Crashed(_)), "by its pid");
    let dialog = judged("Application Error: a.b", "a.b/.Main", "");
    assert!(matches!(dialog, Outcome::Crashed(_)), "{dialog:?}");
    let hangs = judged("Application Not Responding: a.b", "a.b/.Main", "");
    assert!(matches!(hangs, Outcome::NotResponding { .. }), "{hangs:?}");
}
