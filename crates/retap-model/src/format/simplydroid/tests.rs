//! A recording of an invented app, and every way in which its two logs can disagree.

use super::*;
use crate::crash::Crash;

const SCRIPT: &str = "\
# Start MonkeyScript
type= user
count= 10
speed= 1.0
start data >>
LaunchActivity(com.app, com.app.Main)
Tap(116.0, 160.0, 0)
Drag(530.0, 238.0, 592.46704, 255.12378, 2)
DispatchPress(4)
DispatchTrackball(1, 1, 2, 3, 4, 1, 1, -1, 1, 1, 0, 0)
Tap(5.0, 6.0, 0)
";

const CRASH: &str = "// CRASH: // java.lang.RuntimeException: Unable to resume {com.app/com.app.Main}$$ \
                     \tat android.os.Handler.dispatch(Handler.java:1)$$ \
                     Caused by: java.lang.NullPointerException$$ \
                     \tat com.app.Main$$Lambda$1.onClick(Main.java:7)$$ \t... 1 more$$ ";

/// Turns `"Touch Main"` into a line of a low-level event, and leaves rows with a slash as they are.
fn log(rows: &[&str]) -> String {
    let line = |(index, row): (usize, &&str)| match row.split_once(' ') {
        Some((kind, activity)) if !row.contains('/') => {
            format!("{};Monkey{kind}Event;com.app;com.app.{activity};1\n", index + 1)
        }
        _ => format!("{row}\n"),
    };
    rows.iter().enumerate().map(line).collect()
}

const ROWS: [&str; 19] = [
    "Activity Main",
    "Throttle Main",
    "Touch Main",
    "Touch Main",
    "Throttle List",
    "Touch List",
    "Touch List",
    "Touch List",
    "Touch List",
    "Throttle List",
    "Key List",
    "Key List",
    "Throttle Main",
    "Trackball Main",
    "Touch Main",
    "Touch Main",
    CRASH,
    "Throttle Main",
    "what comes after the crash/does not count",
];

fn recording(script: &str, rows: &[&str]) -> Result<MonkeyRecording, String> {
    let log = log(rows);
    read((script.as_bytes(), "script.log"), (log.as_bytes(), "execute.log"))
        .map_err(|error| error.to_string())
}

#[test]
fn every_event_knows_what_was_in_front_before_it() {
    let recording = recording(SCRIPT, &ROWS).unwrap();
    assert_eq!(recording.launch.unwrap().class, "com.app.Main");
    let steps: Vec<String> = recording
        .steps
        .iter()
        .map(|step| format!("{}: {} on {}", step.line, step.event, step.before))
        .collect();
    insta::assert_snapshot!(steps.join("\n"), @r"
    7: tap (116, 160) on com.app/com.app.Main
    8: drag (530, 238) to (592, 255) on com.app/com.app.List
    9: press back on com.app/com.app.List
    11: tap (5, 6) on com.app/com.app.Main
    ");
    assert!(recording.steps.iter().all(|step| step.accepted));
    assert_eq!(recording.remarks.len(), 1, "the trackball: {:?}", recording.remarks);
}

#[test]
fn the_crash_gets_its_lines_back() {
    let recording = recording(SCRIPT, &ROWS).unwrap();
    let crash: &Crash = recording.outcome.crash().unwrap();
    insta::assert_snapshot!(crash.stack, @r"
    java.lang.RuntimeException: Unable to resume {com.app/com.app.Main}
    	at android.os.Handler.dispatch(Handler.java:1)
    Caused by: java.lang.NullPointerException
    	at com.app.Main$$Lambda$1.onClick(Main.java:7)
    	... 1 more
    ");
    assert_eq!(crash.innermost_class(), "java.lang.NullPointerException");
    assert_eq!(crash.place("com.app").unwrap(), "com.app.Main$$Lambda$1.onClick(Main.java:7)");
}

#[test]
fn an_app_that_hangs_is_not_responding() {
    let mut rows = ROWS;
    rows[16] = "// NOT RESPONDING: // main is blocked$$ \tat com.app.Main.loop(Main.java:9)$$ ";
    let outcome = recording(SCRIPT, &rows).unwrap().outcome;
    let stack = "main is blocked\n\tat com.app.Main.loop(Main.java:9)".to_string();
    assert_eq!(outcome, Outcome::NotResponding { stack });
}

#[test]
fn a_refused_event_is_marked() {
    let taken = "4;MonkeyTouchEvent;com.app;com.app.Main;";
    let log = log(&ROWS).replace(&format!("{taken}1"), &format!("{taken}0"));
    let recording = read((SCRIPT.as_bytes(), "s"), (log.as_bytes(), "e")).unwrap();
    let accepted: Vec<bool> = recording.steps.iter().map(|step| step.accepted).collect();
    assert_eq!(accepted, [false, true, true, true]);
}

#[test]
fn logs_that_disagree_are_refused_with_both_lines() {
    let mut rows = ROWS.to_vec();
    rows.remove(3);
    assert_eq!(
        recording(SCRIPT, &rows).unwrap_err(),
        "execute.log:4: expected MonkeyTouchEvent (2 of 2) for the command at script.log:7, \
         found `MonkeyThrottleEvent`"
    );
}

#[test]
fn a_log_longer_than_its_script_is_refused() {
    let shorter = SCRIPT.trim_end().rsplit_once('\n').unwrap().0;
    assert_eq!(
        recording(shorter, &ROWS).unwrap_err(),
        "execute.log:15: expected the end, as script.log has no further command, found `MonkeyTouchEvent`"
    );
}

#[test]
fn what_was_never_executed_is_left_out_and_said() {
    let recording = recording(&format!("{SCRIPT}Tap(7,8)\nTap(9,9)\n"), &ROWS).unwrap();
    assert_eq!(recording.steps.len(), 4);
    let said = "12: from here on nothing was executed: execute.log ends before it";
    assert_eq!(recording.remarks.last().unwrap().to_string(), said);
}

#[test]
fn an_app_may_crash_in_the_middle_of_a_gesture() {
    let mut rows = ROWS.to_vec();
    rows.remove(15);
    assert_eq!(recording(SCRIPT, &rows).unwrap().steps.len(), 4);
}

#[test]
fn a_replayed_pinch_leaves_the_next_touches_to_the_next_command() {
    let script = "start data >>\nPinchZoom(40,5,20,5,60,5,80,5,2)\nTap(1,2)\n";
    let replayed = ["Touch A"; 5].into_iter().chain(["Touch B", "Touch B", "Throttle B"]);
    let rows: Vec<&str> = replayed.collect();
    let recording_of =
        |rows: &[&str]| recording(script, rows).unwrap().steps[1].before.class.clone();
    assert_eq!(recording_of(&rows), "com.app.B");
    let recorded = ["Touch A"; 6].into_iter().chain(["Throttle A", "Touch B", "Touch B"]);
    assert_eq!(recording_of(&recorded.collect::<Vec<_>>()), "com.app.B");
}

#[test]
fn a_line_that_is_no_event_is_refused() {
    for row in ["x;MonkeyTouchEvent/a;b;1", "1;MonkeyJumpEvent;a/b;c;1", "1;MonkeyTouchEvent;a/b;c"]
    {
        let error = recording(SCRIPT, &[row]).unwrap_err();
        assert!(error.starts_with("execute.log:1: expected INDEX;MonkeyTouchEvent"), "{error}");
    }
}
