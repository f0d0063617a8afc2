//! The phone around an app: it installs splits, starts an app again after it has exited, and has the
//! chosen other apps.

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::event::Connectivity;
use retap_model::{Event, Key, Observation, Outcome, Selector, SystemEvent, Target};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// One JVM at a time: each takes hundreds of megabytes.
static ALONE: Mutex<()> = Mutex::new(());

fn run_alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn phone(app: &str, options: EmbeddedOptions) -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(app);
    EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {})).connect().expect("a device").0
}

fn tap(device: &mut dyn Device, id: &str) -> Observation {
    tap_on(device, Selector { id: id.into(), ..Selector::default() })
}

fn tap_text(device: &mut dyn Device, text: &str) -> Observation {
    tap_on(device, Selector { text: text.into(), ..Selector::default() })
}

fn tap_on(device: &mut dyn Device, on: Selector) -> Observation {
    device.perform(&Event::Tap(Target { on: Some(on), at: None })).expect("the device lives")
}

fn assert_shows(observation: &Observation, text: &str) {
    let screen = &observation.screen;
    assert!(screen.texts().any(|shown| shown == text), "no {text:?} in {screen:?}");
}

#[test]
fn a_bundle_brings_the_resources_and_the_code_of_its_splits() {
    let _alone = run_alone();
    let mut device = phone("parts.apks", EmbeddedOptions::default());
    assert_shows(&device.reset(1).unwrap(), "Good morning");
    let german = Event::System(SystemEvent::Locale("de".into()));
    assert_shows(&device.perform(&german).unwrap(), "Guten Morgen");
    assert_shows(&tap(&mut *device, "extra"), "from another part");
}

#[test]
fn an_app_that_has_exited_can_be_launched_again() {
    let _alone = run_alone();
    let mut device = phone("exit.apk", EmbeddedOptions::default());
    let first = device.reset(1).unwrap();
    tap(&mut *device, "next");
    assert_eq!(tap(&mut *device, "exit").outcome, Outcome::Exited);
    assert_eq!(tap(&mut *device, "next").outcome, Outcome::Missed);
    let again = device.perform(&Event::Launch).unwrap();
    assert_eq!(again.outcome, Outcome::Running);
    assert_eq!(again.screen, first.screen);
    assert_eq!(
        tap(&mut *device, "finish_all").outcome,
        Outcome::Left { package: "com.android.launcher3".into() }
    );
}

#[test]
fn an_intent_for_a_removed_app_crashes_with_activity_not_found() {
    let _alone = run_alone();
    let gallery = |outside: &[&str]| {
        let outside = outside.iter().map(ToString::to_string).collect();
        let mut device =
            phone("notes.apk", EmbeddedOptions { outside, ..EmbeddedOptions::default() });
        device.reset(1).unwrap();
        tap_text(&mut *device, "Ideas");
        device.perform(&Event::Key(Key::menu())).unwrap();
        tap_text(&mut *device, "Attach a picture").outcome
    };
    let with = gallery(&[]);
    assert!(matches!(with, Outcome::Left { .. }), "{with:?}");
    let Outcome::Crashed(crash) = gallery(&["none"]) else { panic!("another app took the intent") };
    assert!(crash.stack.contains("ActivityNotFoundException"), "{}", crash.stack);
}

/// Starts the stock fixture and passes its splash and its welcome.
fn start_stock() -> Box<dyn Device> {
    let mut device = phone("stock.apk", EmbeddedOptions::default());
    device.reset(1).expect("the device lives");
    tap_text(&mut *device, "Begin");
    device
}

#[test]
fn a_step_waits_for_a_splash_and_a_dialog_of_on_create_is_in_front() {
    let _alone = run_alone();
    let mut device = phone("stock.apk", EmbeddedOptions::default());
    let first = device.reset(1).unwrap();
    assert!(first.screen.activity.ends_with("MainActivity"), "{:?}", first.screen);
    let front = first.screen.windows.last().expect("a window");
    assert!(front.focused, "{front:?}");
    assert_shows(&first, "Welcome");
    assert!(tap_text(&mut *device, "Begin").screen.windows.iter().all(|w| w.focused));
}

#[test]
fn system_providers_apply_where_clauses() {
    let _alone = run_alone();
    let mut device = start_stock();
    let observation = tap(&mut *device, "gallery");
    assert_shows(
        &observation,
        "1 changed, long: three, described: none, 1 removed, left: four one",
    );
}

#[test]
fn the_phone_has_storage_an_app_picker_and_a_share_chooser() {
    let _alone = run_alone();
    let mut device = start_stock();
    assert_shows(&tap(&mut *device, "storage"), "storage is mounted");
    let share = tap(&mut *device, "share");
    assert_eq!(share.outcome, Outcome::Left { package: "com.android.intentresolver".into() });
    device.perform(&Event::Key(Key::back())).unwrap();
    let pick = tap(&mut *device, "pick");
    assert_eq!(pick.outcome, Outcome::Left { package: "com.android.settings".into() });
    assert_shows(
        &tap_text(&mut *device, "Choose Settings"),
        "picked ComponentInfo{com.android.settings/com.android.settings.Main}",
    );
}

#[test]
fn old_apps_find_apaches_http_client_but_no_network() {
    let _alone = run_alone();
    let mut device = start_stock();
    assert_shows(
        &tap(&mut *device, "http"),
        "no answer: org.apache.http.conn.HttpHostConnectException",
    );
}

#[test]
fn printing_never_fails_and_start_extras_survive_process_death() {
    let _alone = run_alone();
    let mut device = start_stock();
    assert_shows(&tap(&mut *device, "print"), "printed");
    let gone = device.perform(&Event::System(SystemEvent::ProcessDeath)).unwrap();
    assert_shows(&gone, "so far CALM");
    assert_shows(&tap(&mut *device, "print"), "printed");
}

#[test]
fn a_loop_that_only_makes_garbage_is_not_responding() {
    let _alone = run_alone();
    let mut device = phone("hang.apk", EmbeddedOptions::default());
    device.reset(1).unwrap();
    let observation = tap(&mut *device, "hoard");
    assert!(
        matches!(observation.outcome, Outcome::NotResponding { .. }),
        "{:?}",
        observation.outcome
    );
}

/// The fixture asks the phone some two hundred questions and shows those with a wrong answer.
#[test]
fn a_phone_answers_as_an_ordinary_one_does() {
    let _alone = run_alone();
    for api in [28, 34] {
        let mut device =
            phone("phone.apk", EmbeddedOptions { api: Some(api), ..EmbeddedOptions::default() });
        let first = device.reset(1).unwrap();
        assert!(
            first
                .screen
                .texts()
                .any(|shown| !shown.contains('\n') && shown.ends_with("as on a phone")),
            "API {api}: {:?}",
            first.screen
        );
    }
}

#[test]
fn answers_about_the_network_agree_in_every_state() {
    let _alone = run_alone();
    let mut device = phone("phone.apk", EmbeddedOptions::default());
    device.reset(1).unwrap();
    for state in [Connectivity::Wifi, Connectivity::Mobile, Connectivity::Off] {
        device.perform(&Event::System(SystemEvent::Connectivity(state))).unwrap();
        device.perform(&Event::Key(Key::back())).unwrap();
        let again = device.perform(&Event::Launch).unwrap();
        assert!(
            again
                .screen
                .texts()
                .any(|shown| !shown.contains('\n') && shown.ends_with("as on a phone")),
            "{:?}",
            again.screen
        );
    }
}

#[test]
fn a_version_that_is_installed_over_another_finds_its_data_until_a_reset() {
    let _alone = run_alone();
    let fixture =
        |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    let mut device = phone("shop-1.apk", EmbeddedOptions::default());
    let is_member = |device: &mut dyn Device| {
        device.perform(&Event::Key(Key::menu())).unwrap();
        let settings = tap_text(device, "Settings");
        let mut widgets = settings.screen.windows.iter().flat_map(|window| &window.widgets);
        let member = widgets.find(|it| it.short_id() == "member").expect("a switch");
        member.has(retap_model::Flags::CHECKED)
    };
    device.reset(1).unwrap();
    assert!(!is_member(&mut *device));
    tap(&mut *device, "member");
    device.install(&fixture("shop-2.apk")).unwrap();
    let refused = device.perform(&Event::Key(Key::back()));
    assert!(refused.is_err(), "the new version was not launched yet");
    assert_eq!(device.perform(&Event::Launch).unwrap().outcome, Outcome::Running);
    assert!(is_member(&mut *device), "the new version reads what the old one wrote");
    device.reset(1).unwrap();
    assert!(!is_member(&mut *device), "a reset is a clean install");
    device.install(&fixture("shop-1.apk")).unwrap();
    device.reset(1).unwrap();
    assert!(!is_member(&mut *device));
}
