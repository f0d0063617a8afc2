//! Coverage over adb: an instrumented app hands over what the embedded device counts in the app itself, event by event.

use crate::phone::{ServedPhone, is_here, is_long_wanted, root};
use retap_adb::AdbConnect;
use retap_device::Connect;
use retap_embedded::{
    CoverageSelection, EmbeddedConnect, EmbeddedOptions, InstrumentRequest, InstrumentedConnect,
    Notice, instrument,
};
use retap_model::event::Target;
use retap_model::{Coverage, Event, Key, Orientation, Outcome, Selector};
use std::sync::Arc;

fn tap(id: &str) -> Event {
    Event::Tap(Target { on: Some(Selector { id: id.into(), ..Selector::default() }), at: None })
}

#[test]
fn an_instrumented_app_hands_over_the_coverage_that_the_device_sees() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (apk, counted) = (root().join("fixtures/conform.apk"), folder.path().join("counted.apk"));
    let quiet = || Arc::new(|_: Notice<'_>| {});
    let request = InstrumentRequest {
        apk: apk.clone(),
        output: counted.clone(),
        force: false,
        selection: CoverageSelection::default(),
        key: None,
    };
    let report = instrument(&request, &(quiet() as retap_embedded::Listener)).unwrap();
    let (mut direct, app) =
        EmbeddedConnect::new(apk, EmbeddedOptions::default(), quiet()).connect().unwrap();
    let phone = ServedPhone::of_embedded();
    let adb = Box::new(AdbConnect::new(counted, phone.options()));
    let connect = InstrumentedConnect::new(adb, report.app);
    let (mut over_adb, counted_app) = connect.connect().unwrap();
    assert_eq!(app.units, counted_app.units);
    let mut all = Coverage::default();
    let mut compare = |name: &str, first: &Coverage, second: &Coverage| {
        let differ = first.difference(second).len() + second.difference(first).len();
        println!("{name}: {} units, {differ} otherwise", first.len());
        assert_eq!(differ, 0, "{name}");
        all.union_with(second);
    };
    let (first, second) = (direct.reset(1).unwrap(), over_adb.reset(1).unwrap());
    compare("launch", &first.coverage, &second.coverage);
    let events = [
        tap("counter"),
        tap("no_such_widget"),
        Event::Rotate(Orientation::Landscape),
        Event::Rotate(Orientation::Portrait),
        Event::Key(Key::home()),
        Event::Launch,
        tap("counter"),
        tap("crash"),
    ];
    for event in &events {
        let (first, second) = (direct.perform(event).unwrap(), over_adb.perform(event).unwrap());
        assert_eq!(
            std::mem::discriminant(&first.outcome),
            std::mem::discriminant(&second.outcome),
            "{event}: {:?} {:?}",
            first.outcome,
            second.outcome
        );
        let is_over = matches!(second.outcome, Outcome::Crashed(_));
        compare(&event.to_string(), &first.coverage, &second.coverage);
        assert_eq!(is_over, *event == tap("crash"));
    }
    assert!(all.len() > 10, "{}", all.len());
}
