//! An app that tries to break out of the sandbox: every attempt fails, as root and as an ordinary user, and with a
//! layer of the sandbox left out where `docs/threats.md` promises it. The run goes on. Only Linux has the sandbox.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a test may panic

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice, SandboxLayers};
use retap_model::{Event, Outcome, Screen, Selector, Target};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

/// The button of each attempt that takes much of something, and a part of its expected error, which is a phone's
/// where it has one.
const ATTEMPTS: [(&str, &str); 6] = [
    ("home", "no home directory can be read"),
    ("socket", "ENETUNREACH"),
    ("outside", "java.io.IOException"),
    ("exec", "Cannot run program \"/usr/bin/env\": error=2, No such file or directory"),
    ("disk", "ENOSPC (No space left on device)"),
    ("memory", "java.lang.OutOfMemoryError"),
];

/// What the app may do with its own files.
const ALLOWED: [&str; 2] = ["own-mode", "own-time"];

const THREATS: &str = include_str!("../../../../docs/threats.md");

/// The folder that the app tries to reach. One test at a time uses it.
const PREY: &str = "/tmp/retap-prey";
static PREY_IN_USE: Mutex<()> = Mutex::new(());

const ALL: SandboxLayers = SandboxLayers { namespaces: true, landlock: true, seccomp: true };

#[test]
fn attempts_to_break_out_fail_and_the_run_goes_on() {
    let _alone = PREY_IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut device = hostile_device(ALL);
    let first = device.reset(1).unwrap();
    // A server for the app to reach. If the port is taken, there is one already.
    let server = TcpListener::bind(("127.0.0.1", 48917));
    check_everything(device.as_mut(), ALL);
    for (button, words) in ATTEMPTS {
        let shown = attempt(device.as_mut(), button);
        assert!(shown.starts_with("failed: ") && shown.contains(words), "{button}: {shown}");
    }
    if let Ok(server) = server {
        server.set_nonblocking(true).unwrap();
        assert!(server.accept().is_err(), "the app reached this machine");
    }
    // The app may find something harmless to write to. The agent's socket would lose the device.
    let shown = attempt(device.as_mut(), "pipe");
    assert!(!shown.contains("[inherited channel") && !shown.contains("descriptor 0"), "{shown}");
    assert!(attempt(device.as_mut(), "home").starts_with("failed: "));

    let spun = device.perform(&tap("spin")).unwrap();
    assert!(matches!(spun.outcome, Outcome::NotResponding { .. }), "{:?}", spun.outcome);
    assert_eq!(device.reset(1).unwrap().screen, first.screen);
}

#[test]
fn the_other_layers_hold_without_namespaces() {
    let mut device = check_in_new_device(SandboxLayers { namespaces: false, ..ALL });
    // Nothing but retap itself bounds the disk here, and it ends the process.
    let error = device.perform(&tap("disks")).unwrap_err().to_string();
    assert!(error.contains("ENOSPC"), "{error}");
    assert_eq!(device.reset(1).unwrap().outcome, Outcome::Running);
}

#[test]
fn the_other_layers_hold_without_landlock() {
    check_in_new_device(SandboxLayers { landlock: false, ..ALL });
}

#[test]
fn the_other_layers_hold_without_seccomp() {
    check_in_new_device(SandboxLayers { seccomp: false, ..ALL });
}

/// Root runs two of the tests once more as a user who owns nothing but the folder that the app tries to reach. That
/// user gets a copy of the cache, on which only the differences take room.
#[test]
#[expect(clippy::disallowed_methods, reason = "another user needs another process")]
fn attempts_fail_as_an_ordinary_user_too() {
    const NAMES: [&str; 2] = [
        "hostile::the_other_layers_hold_without_namespaces",
        "hostile::the_other_layers_hold_without_landlock",
    ];
    const SCRIPT: &str = r#"
        set -e
        room=$(mktemp -d)
        mount -t tmpfs -o mode=0755 none "$room"
        mkdir "$room/upper" "$room/work" "$room/cache"
        mount -t overlay -o "lowerdir=$RETAP_CACHE,upperdir=$room/upper,workdir=$room/work" none "$room/cache"
        find "$room/cache" ! -type l ! -perm -o+r -exec chmod o+rX {} +
        closed=$RETAP_CACHE
        while test "$(dirname "$closed")" != /; do closed=$(dirname "$closed"); done
        mount -t tmpfs -o mode=0755 none "$closed"
        mkdir -p "$RETAP_CACHE"
        mount --bind "$room/cache" "$RETAP_CACHE"
        exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@""#;
    let unshare = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", program]);
        command
    };
    if !unshare("true").status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: only root can become an ordinary user, who runs the other tests");
        return;
    }
    let _alone = PREY_IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    // The cache is complete before it is copied.
    drop(hostile_device(ALL));
    let folder = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let cache = folder("RETAP_CACHE").or_else(|| folder("HOME").map(|it| it.join(".cache/retap")));
    let output = unshare("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(NAMES)
        .args(["--exact", "--nocapture"])
        .env("RETAP_CACHE", cache.unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("2 passed"), "{output:#?}");
}

fn check_in_new_device(layers: SandboxLayers) -> Box<dyn Device> {
    let _alone = PREY_IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut device = hostile_device(layers);
    device.reset(1).unwrap();
    check_everything(device.as_mut(), layers);
    device
}

fn hostile_device(sandbox_layers: SandboxLayers) -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hostile.apk");
    let options = EmbeddedOptions { sandbox_layers, ..EmbeddedOptions::default() };
    let embedded = EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {}));
    embedded.connect().unwrap().0
}

/// Has the app try everything and compares what it says with what is promised for these layers.
fn check_everything(device: &mut dyn Device, layers: SandboxLayers) {
    let prey = Path::new(PREY);
    let _ = fs::remove_dir_all(prey);
    fs::create_dir(prey).unwrap();
    for name in ["secret", "spare"] {
        fs::write(prey.join(name), "secret").unwrap();
    }
    symlink("secret", prey.join("leads")).unwrap();
    let mut shown = attempt(device, "everything");
    if layers.namespaces {
        shown.push_str(&attempt(device, "disks"));
    }
    let outcomes: BTreeMap<&str, &str> =
        shown.lines().filter_map(|line| line.split_once(' ')).collect();
    let used = [layers.namespaces, layers.landlock, layers.seccomp, true];
    let promised = promises();
    let mut broken = Vec::new();
    for (name, stops) in
        promised.iter().filter(|(name, _)| layers.namespaces || !name.starts_with("disk-"))
    {
        let outcome = outcomes.get(name).unwrap_or_else(|| panic!("{name} is missing in {shown}"));
        let is_promised = used.iter().zip(stops).any(|(used, stops)| *used && *stops);
        if is_promised && !outcome.starts_with("failed: ") {
            broken.push(format!("{name} {outcome}"));
        }
    }
    // Without namespaces an app cannot set modes and times even of its own files.
    for name in ALLOWED.into_iter().filter(|_| layers.namespaces) {
        if !outcomes[name].starts_with("succeeded: ") {
            broken.push(format!("{name} {}", outcomes[name]));
        }
    }
    assert!(broken.is_empty(), "{layers:?}: {broken:#?}\n{shown}");
    let is_listed = |name: &&str| promised.contains_key(*name) || ALLOWED.contains(name);
    assert!(outcomes.keys().all(is_listed), "docs/threats.md does not list all of {shown}");
    assert_eq!(fs::read_to_string(prey.join("secret")).unwrap(), "secret");
    fs::remove_dir_all(prey).unwrap();
}

/// Reads the table of Java attempts: which of the layers, and of what is always there, stop each.
fn promises() -> BTreeMap<&'static str, [bool; 4]> {
    let (_, table) = THREATS.split_once("## Java attempts").unwrap();
    let table = table.split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let stops = [2, 3, 4, 5].map(|column| cells[column] == "stops");
        assert!(stops.contains(&true), "nothing stops {row}");
        (cells[0].trim_matches('`'), stops)
    })
    .collect()
}

/// How often a report is looked for.
const LOOKS: usize = 30;

/// Taps a button and returns what the app reports. On a busy machine an attempt may hang in the kernel for longer than an
/// event waits for it; its report then shows up later.
fn attempt(device: &mut dyn Device, button: &str) -> String {
    let mut shown = perform(device, &Event::Wait(1), button);
    let before = shown.clone();
    let mut event = tap(button);
    for _ in 0..LOOKS {
        shown = perform(device, &event, button);
        if shown != before {
            break;
        }
        event = Event::Wait(1000);
    }
    shown
}

/// Performs an event and returns what the app shows then.
fn perform(device: &mut dyn Device, event: &Event, button: &str) -> String {
    let observation = device.perform(event).expect("the device lives");
    assert_eq!(observation.outcome, Outcome::Running, "{button}");
    shown_outcome(&observation.screen)
}

fn tap(button: &str) -> Event {
    let button = Selector { id: button.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(button), at: None })
}

/// Returns the text in which the app reports its attempt.
fn shown_outcome(screen: &Screen) -> String {
    let mut widgets = screen.windows.iter().flat_map(|window| &window.widgets);
    widgets
        .find(|widget| widget.short_id() == "outcome")
        .map(|found| found.text.clone())
        .unwrap_or_default()
}
