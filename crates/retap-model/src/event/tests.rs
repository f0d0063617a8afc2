use super::*;

fn check(event: &Event, json: &str, sentence: &str) {
    assert_eq!(serde_json::to_string(event).unwrap(), json);
    assert_eq!(&serde_json::from_str::<Event>(json).unwrap(), event);
    assert_eq!(event.to_string(), sentence);
}

#[test]
fn events_have_this_form_on_disk_and_for_people() {
    let at = Target::point(Point::new(3, 4));
    check(&Event::Tap(at.clone()), r#"{"tap":{"at":[3,4]}}"#, "tap (3, 4)");
    check(&Event::Key(Key::back()), r#"{"key":"back"}"#, "press back");
    check(&Event::Launch, r#""launch""#, "launch the app");
    check(&Event::Wait(500), r#"{"wait":500}"#, "wait 500 ms");
    check(
        &Event::Text { on: at, text: "hi".into() },
        r#"{"text":{"on":{"at":[3,4]},"text":"hi"}}"#,
        r#"type "hi" into (3, 4)"#,
    );
    check(
        &Event::System(SystemEvent::Battery { level: 5, charging: false }),
        r#"{"system":{"battery":{"level":5,"charging":false}}}"#,
        "battery at 5%",
    );
    check(
        &Event::System(SystemEvent::Notification { n: 0, action: NotificationAction::Open }),
        r#"{"system":{"notification":{"n":0,"way":"open"}}}"#,
        "open notification 0",
    );
}

#[test]
fn a_hasty_event_is_written_with_its_parts_and_its_gap() {
    let at = Target::point(Point::new(3, 4));
    let hasty = |events, ms| Event::Hasty(HastyEvents::new(events, ms).unwrap());
    check(
        &hasty(vec![Event::Tap(at.clone()), Event::Key(Key::back())], 0),
        r#"{"hasty":{"events":[{"tap":{"at":[3,4]}},{"key":"back"}]}}"#,
        "tap (3, 4) and at once press back",
    );
    check(
        &hasty(vec![Event::Tap(at.clone()), Event::Tap(at)], 100),
        r#"{"hasty":{"events":[{"tap":{"at":[3,4]}},{"tap":{"at":[3,4]}}],"ms":100}}"#,
        "tap (3, 4) and 100 ms later tap (3, 4)",
    );
}

#[test]
fn haste_that_no_device_could_perform_is_refused() {
    let refused = |json: &str| serde_json::from_str::<Event>(json).unwrap_err().to_string();
    let two = r#"[{"key":"back"},{"key":"back"}]"#;
    assert!(refused(r#"{"hasty":{"events":[{"key":"back"}]}}"#).contains("2 to 4"));
    assert!(refused(r#"{"hasty":{"events":[{"key":"back"},{"wait":5}]}}"#).contains("wait 5 ms"));
    assert!(refused(&format!(r#"{{"hasty":{{"events":{two},"ms":5000}}}}"#)).contains("1000 ms"));
    let nested =
        format!(r#"{{"hasty":{{"events":[{{"key":"back"}},{{"hasty":{{"events":{two}}}}}]}}}}"#);
    assert!(refused(&nested).contains("hasty"));
}

#[test]
fn a_widget_without_a_name_is_described_by_its_class_and_point() {
    let selector = |text: &str| Selector {
        class: "android.widget.ListView".into(),
        text: text.into(),
        path: Some("0/0".into()),
        ..Selector::default()
    };
    let tap = |selector, at| Event::Tap(Target { on: Some(selector), at });
    let point = Some(Point::new(540, 960));
    assert_eq!(tap(selector(""), point).to_string(), "tap the ListView at (540, 960)");
    assert_eq!(tap(selector(""), None).to_string(), "tap the ListView without a label");
    assert_eq!(tap(selector("Songs"), point).to_string(), "tap \"Songs\"");
    let nothing = Selector::default();
    assert_eq!(tap(nothing, point).to_string(), "tap the widget at (540, 960)");
}

#[test]
fn the_stable_name_of_an_event_stays_as_it_is() {
    // File names of suites that people keep are made from it.
    let selector = Selector {
        class: "android.widget.ListView".into(),
        path: Some("0/0".into()),
        ..Selector::default()
    };
    let event = Event::Tap(Target { on: Some(selector), at: Some(Point::new(540, 960)) });
    assert_eq!(event.stable_name(), "tap ListView at 0/0");
    assert_eq!(Event::Key(Key::back()).stable_name(), "press back");
}

#[test]
fn key_names_are_normalised_and_malformed_ones_refused() {
    assert_eq!(Key::new("KEYCODE_DPAD_UP").unwrap().name(), "dpad_up");
    assert!(Key::new("rm -rf").is_err());
    assert!(Key::new("").is_err());
}

#[test]
fn a_misspelt_field_is_an_error_not_a_default() {
    assert!(serde_json::from_str::<Event>(r#"{"tap":{"att":[3,4]}}"#).is_err());
}
