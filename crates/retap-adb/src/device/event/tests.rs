use super::*;
use crate::apk::PhoneApp;
use retap_model::app::AppIdentity;
use retap_model::event::{Connectivity, Extra, Intent, PinchDirection};
use retap_model::{App, Key, Orientation, Rect, Target, Units, Widget, Window, WindowKind};

fn app() -> PhoneApp {
    let identity =
        AppIdentity { package: "a.b".into(), version: "1".into(), sha256: String::new() };
    let app = App {
        identity,
        activities: vec!["a.b.Main".into()],
        broadcasts: Vec::new(),
        units: Units::default().into(),
        libraries: Default::default(),
    };
    PhoneApp { app, launcher: "a.b.Main".into(), dangerous: Vec::new() }
}

fn screen() -> Screen {
    let bounds = Rect::new(0, 0, 100, 40);
    let field = Widget {
        class: "android.widget.EditText".into(),
        id: "a.b:id/name".into(),
        text: "old".into(),
        bounds,
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE,
        ..Widget::default()
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "a.b".into(),
        title: String::new(),
        bounds,
        focused: true,
        widgets: vec![field],
    };
    Screen { windows: vec![window], ..Screen::default() }
}

fn said(event: &Event, api: u32, has_console: bool) -> String {
    let (app, screen) = (app(), screen());
    let phone =
        EventPhone { app: &app, screen: &screen, api, types_everything: false, has_console };
    match commands(event, &phone) {
        Ok(commands) => {
            commands.console.into_iter().chain([commands.line]).collect::<Vec<_>>().join("\n")
        }
        Err(EventRefusal::Missed) => "missed".into(),
        Err(EventRefusal::Cannot(reason)) => format!("cannot: {reason}"),
    }
}

fn at(x: i32, y: i32) -> Target {
    Target::point(Point::new(x, y))
}

#[test]
fn every_event_is_a_command_or_a_named_limitation() {
    let intent = Intent {
        action: "x.VIEW".into(),
        extras: [("it's".to_string(), Extra::Int(1 << 40))].into(),
        ..Intent::default()
    };
    let tap = Event::Tap(at(5, 6));
    let hasty = |gap| {
        Event::Hasty(HastyEvents::new(vec![tap.clone(), Event::Key(Key::back())], gap).unwrap())
    };
    let text = |text: &str| Event::Text { on: at(5, 5), text: text.into() };
    let call = Event::System(SystemEvent::Call { number: "0170; kill".into() });
    let sms = Event::System(SystemEvent::Sms { from: "55".into(), text: "a\nkill".into() });
    let events = [
        tap.clone(),
        Event::Tap(Target {
            on: Some(retap_model::Selector { id: "gone".into(), ..Default::default() }),
            at: None,
        }),
        Event::LongPress(at(5, 6)),
        Event::Drag { from: at(5, 6), to: Point::new(7, 8), ms: 300 },
        Event::Pinch { on: at(1, 1), direction: PinchDirection::Open },
        text("two words; it's 100%sure\nyes"),
        text("größer"),
        Event::Key(Key::new("dpad_up").unwrap()),
        Event::Key(Key::new("no_such_key").unwrap()),
        Event::Rotate(Orientation::Landscape),
        Event::Intent(intent.clone()),
        Event::System(SystemEvent::Broadcast(intent)),
        Event::System(SystemEvent::Connectivity(Connectivity::Off)),
        Event::System(SystemEvent::ProcessDeath),
        call.clone(),
        Event::Wait(1_500),
        Event::Launch,
        Event::Close,
        hasty(0),
        hasty(100),
    ];
    let lines: Vec<String> = events.iter().map(|event| said(event, 30, false)).collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert_eq!(said(&Event::Wait(1_500), 22, false), "sleep 2");
    assert_eq!(said(&call, 30, true), "gsm call 0170\ngsm cancel 0170\ntrue");
    assert_eq!(said(&sms, 30, true), "sms send 55 a kill\ntrue");
}
