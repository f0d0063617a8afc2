//! Foreign files: cut, mixed up, huge. Every reader returns a value or an error, never panics, and
//! uses no more memory than its bounds allow.

use proptest::prelude::*;
use retap_model::format::{FormatError, monkey, simplydroid, uiautomator};

const SCRIPT: &str = "# Start Script\ntype= user\ncount= 10\nspeed= 1.0\nstart data >>\n\
    LaunchActivity(com.app, com.app.Main)\nTap(116.0, 160.0, 0)\nTap(1,2,900)\nDrag(530.0, 238.0, 592.4, 255.1, 3)\n\
    PinchZoom(90,50,0,50,110,50,200,50,2)\nDispatchPress(4)\nDispatchPress(KEYCODE_MENU)\nUserWait(500)\n\
    DispatchString(a%sb)\nRotateScreen(1,0)\nDispatchKey(1,1,0,4,0,0,0,0)\nDispatchKey(1,1,1,4,0,0,0,0)\n\
    captureDispatchPointer(5,5,0,230.7,458.1,0.2,0.06,0,0.0,0.0,65539,0)\nUserWait(700)\n\
    captureDispatchPointer(5,9,1,230.7,458.1,0.2,0.06,0,0.0,0.0,65539,0)\nRunCmd(ls)\nDeviceWakeUp()\n";

const EXECUTION: &str = "1;MonkeyActivityEvent;com.app;com.app.Main;1\n2;MonkeyThrottleEvent;com.app;com.app.Main;1\n\
    3;MonkeyTouchEvent;com.app;com.app.Main;1\n4;MonkeyTouchEvent;com.app;com.app.Main;0\n\
    5;MonkeyThrottleEvent;com.app;com.app.List;1\n6;MonkeyTouchEvent;com.app;com.app.List;1\n\
    // CRASH: // java.lang.NullPointerException: boo$$ \tat com.app.Main.a(Main.java:7)$$ \n\
    7;MonkeyThrottleEvent;com.app;com.app.List;1\n";

const DUMP: &str = "<?xml version='1.0' encoding='UTF-8'?>\n<hierarchy rotation=\"0\">\n\
    <node text=\"Tom &amp; J\" class=\"a.EditText\" package=\"com.app\" clickable=\"true\" bounds=\"[0,0][9,9]\">\n\
    <android.widget.Button content-desc=\"x&#10;y\" displayed=\"true\" bounds=\"[-1,2][3,4]\"/></node>\n\
    <!-- c --></hierarchy>\n";

/// One way to damage a file.
#[derive(Debug, Clone)]
enum Damage {
    Overwrite(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    /// Copies a part of the file to another place.
    Copy(usize, usize, usize),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let at = || 0..2_000usize;
    let tokens = prop_oneof![
        proptest::collection::vec(any::<u8>(), 1..5),
        prop_oneof![
            Just("("),
            Just(")"),
            Just(","),
            Just("$$"),
            Just(";"),
            Just("//"),
            Just("<"),
            Just("&"),
            Just("\""),
            Just("\n"),
            Just("-1"),
            Just("99999999999999999999"),
            Just("1e308"),
            Just("NaN"),
            Just("4294967295"),
            Just("<![CDATA["),
            Just("<!DOCTYPE"),
            Just("&#0;"),
            Just("\u{2028}"),
        ]
        .prop_map(|token| token.as_bytes().to_vec()),
    ];
    let damage = prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Overwrite(at, byte)),
        (at(), tokens).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), 1..60usize).prop_map(|(at, count)| Damage::Remove(at, count)),
        (at(), 1..200usize, at()).prop_map(|(from, count, to)| Damage::Copy(from, count, to)),
    ];
    proptest::collection::vec(damage, 1..6)
}

fn spoil(sample: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = sample.as_bytes().to_vec();
    for damage in damages {
        let size = bytes.len().max(1);
        match damage {
            Damage::Overwrite(at, byte) => {
                if let Some(old) = bytes.get_mut(at % size) {
                    *old = *byte;
                }
            }
            Damage::Insert(at, new) => {
                let at = (at % size).min(bytes.len());
                bytes.splice(at..at, new.iter().copied());
            }
            Damage::Remove(at, count) => {
                let at = (at % size).min(bytes.len());
                bytes.drain(at..(at + count).min(bytes.len()));
            }
            Damage::Copy(from, count, to) => {
                let from = (from % size).min(bytes.len());
                let stretch = bytes[from..(from + count).min(bytes.len())].to_vec();
                let to = (to % size).min(bytes.len());
                bytes.splice(to..to, stretch);
            }
        }
    }
    bytes
}

/// Checks that an error names its file, so that the user can act on it.
fn check<T>(read: Result<T, FormatError>) -> Option<T> {
    read.map_err(|error| assert!(error.to_string().contains("file"), "{error}")).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_spoilt_script_is_read_or_refused(damages in damages()) {
        if let Some(script) = check(monkey::read(&spoil(SCRIPT, &damages)[..], "file")) {
            let lines: Vec<usize> = script.events.iter().map(|placed| placed.line).collect();
            prop_assert!(lines.is_sorted(), "events keep the order of their lines: {:?}", lines);
        }
    }

    #[test]
    fn a_spoilt_recording_is_read_or_refused(script in damages(), execution in damages(), which in 0..3) {
        let script = if which == 1 { SCRIPT.as_bytes().to_vec() } else { spoil(SCRIPT, &script) };
        let log = if which == 2 { EXECUTION.as_bytes().to_vec() } else { spoil(EXECUTION, &execution) };
        check(simplydroid::read((&script[..], "file s"), (&log[..], "file e")));
    }

    #[test]
    fn a_spoilt_dump_is_read_or_refused_and_what_is_read_can_be_written(damages in damages()) {
        if let Some(screen) = check(uiautomator::read(&spoil(DUMP, &damages)[..], "file")) {
            for dialect in [uiautomator::Dialect::Node, uiautomator::Dialect::Class] {
                let mut out = Vec::new();
                uiautomator::write(&mut out, &screen, dialect).unwrap();
                prop_assert!(uiautomator::read(&out[..], "file").is_ok());
            }
        }
    }
}

#[test]
fn the_samples_are_valid_before_they_are_spoilt() {
    let script = monkey::read(SCRIPT.as_bytes(), "file").unwrap();
    assert_eq!((script.events.len(), script.remarks.len()), (14, 1));
    let recording =
        simplydroid::read((SCRIPT.as_bytes(), "file"), (EXECUTION.as_bytes(), "file")).unwrap();
    assert_eq!(recording.steps.len(), 2);
    assert!(recording.outcome.crash().is_some());
    assert_eq!(uiautomator::read(DUMP.as_bytes(), "file").unwrap().windows[0].widgets.len(), 2);
}

#[test]
fn huge_files_meet_a_bound_before_they_fill_the_memory() {
    let taps = "Tap(1,2)\n".repeat(monkey::MAX_EVENTS + 1);
    let error = monkey::read(format!("start data >>\n{taps}").as_bytes(), "file").unwrap_err();
    assert!(error.to_string().contains("at most 1000000 events"), "{error}");

    let log = "1;MonkeyTouchEvent;a;b;1\n".repeat(simplydroid::MAX_EXECUTIONS + 1);
    let error =
        simplydroid::read((SCRIPT.as_bytes(), "file"), (log.as_bytes(), "file")).unwrap_err();
    assert!(error.to_string().contains("at most 4000000 low-level events"), "{error}");

    let attributes = " a='b'".repeat(1 << 20);
    let dump = format!("<hierarchy><node{attributes}/></hierarchy>");
    assert!(uiautomator::read(dump.as_bytes(), "file").is_ok());
}
