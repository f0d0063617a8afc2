//! Checks of gestures: typing, long presses, drags, rotation, dialogs.

use super::device_under_test::{
    CheckStop, DeviceUnderTest, ensure, expect_text, on, read_text, scripted, tap, text,
};
use retap_model::event::HastyEvents;
use retap_model::{Event, Key, Orientation, Outcome, Point, Rect, Screen, WindowKind};

/// Enough long drags to reach the end of any list in a check.
const DRAGS: usize = 40;

pub(super) fn text_replaces(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let typing = scripted(&device.script.typing, "text field")?;
    device.reset()?;
    for typed in ["first", "Zweites, größer", "3"] {
        let observation = device.run(&text(&typing.field, typed))?;
        expect_text(&observation.screen, &typing.field, typed)?;
        expect_text(&observation.screen, &typing.echo, typed)?;
    }
    Ok(())
}

pub(super) fn long_press(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let hold = scripted(&device.script.hold, "widget to hold")?;
    device.reset()?;
    let tapped = device.run(&tap(&hold.target))?;
    ensure(hold.choice.find(&tapped.screen).is_none(), || "a tap showed the choices".into())?;
    let held = device.run(&Event::LongPress(on(&hold.target)))?;
    ensure(hold.choice.find(&held.screen).is_some(), || "no choices were shown".into())?;
    let chosen = device.run(&tap(&hold.choice))?;
    expect_text(&chosen.screen, &hold.label, &hold.chosen)
}

pub(super) fn scrolling(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let list = scripted(&device.script.list, "list")?;
    device.reset()?;
    let mut observation = device.run(&tap(&list.open))?;
    let shows = |screen: &Screen, wanted: &str| screen.texts().any(|text| text == wanted);
    ensure(shows(&observation.screen, &list.first), || format!("{:?} is not shown", list.first))?;
    ensure(!shows(&observation.screen, &list.last), || {
        format!("{:?} is shown at once", list.last)
    })?;
    for drag in 0..DRAGS {
        let bounds = list.list.find(&observation.screen).map(|found| found.widget.widget().bounds);
        let bounds = bounds.ok_or_else(|| CheckStop::Fail("the list is gone".into()))?;
        observation = device.run(&drag_up(bounds))?;
        if drag == 0 {
            ensure(!shows(&observation.screen, &list.first), || {
                "a long drag moved too little".into()
            })?;
        }
        if shows(&observation.screen, &list.last) {
            return Ok(());
        }
    }
    Err(CheckStop::Fail(format!("{:?} never came after {DRAGS} drags", list.last)))
}

/// Returns a slow drag over most of the rectangle.
fn drag_up(bounds: Rect) -> Event {
    let tenth = bounds.height() / 10;
    let x = bounds.center().x;
    Event::Drag {
        from: retap_model::Target::point(Point::new(x, bounds.bottom - tenth)),
        to: Point::new(x, bounds.top + tenth),
        ms: 500,
    }
}

/// Two taps in one go count twice, the second goes to the screen that the first one was aimed at, and nothing happens if
/// one of them has no widget.
pub(super) fn haste(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let counter = scripted(&device.script.counter, "counter")?;
    let dialog = scripted(&device.script.dialog, "dialog")?;
    for gap_ms in [0, 100] {
        let hasty = |events: Vec<Event>| {
            HastyEvents::new(events, gap_ms).map(Event::Hasty).map_err(CheckStop::Fail)
        };
        device.reset()?;
        let (count, ask) = (tap(&counter.button), tap(&dialog.open));
        let twice = device.run(&hasty(vec![count.clone(), count.clone()])?)?;
        expect_text(&twice.screen, &counter.label, "2")?;
        let missed = device.perform(&hasty(vec![count.clone(), tap(&dialog.answer)])?)?;
        ensure(missed.outcome == Outcome::Missed, || {
            format!("expected a miss, found {:?}", missed.outcome)
        })?;
        let covered = device.run(&hasty(vec![ask, count])?)?;
        ensure(dialog.answer.find(&covered.screen).is_some(), || "no dialog is shown".into())?;
        let uncovered = device.run(&Event::Key(Key::back()))?;
        expect_text(&uncovered.screen, &counter.label, "3")?;
    }
    Ok(())
}

pub(super) fn rotation(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let label = scripted(&device.script.orientation, "label of the orientation")?;
    device.reset()?;
    for (orientation, name) in
        [(Orientation::Landscape, "landscape"), (Orientation::Portrait, "portrait")]
    {
        let observation = device.run(&Event::Rotate(orientation))?.screen;
        ensure(observation.orientation == orientation, || {
            format!("expected {orientation:?}, found {:?}", observation.orientation)
        })?;
        let bounds = observation.windows.first().map(|window| window.bounds).unwrap_or_default();
        ensure((bounds.width() > bounds.height()) == (name == "landscape"), || {
            format!("a window of {} by {} is not {name}", bounds.width(), bounds.height())
        })?;
        // On a small landscape screen the label may be scrolled out.
        let found = read_text(&observation, label);
        ensure(found.is_none_or(|found| found == name), || {
            format!("the app says {found:?} in {name}")
        })?;
    }
    Ok(())
}

pub(super) fn dialog_covers(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let dialog = scripted(&device.script.dialog, "dialog")?;
    device.reset()?;
    let asked = device.run(&tap(&dialog.open))?;
    let front = asked.screen.front().map(|window| window.kind);
    ensure(front == Some(WindowKind::Dialog), || format!("in front there is {front:?}"))?;
    ensure(dialog.answer.find(&asked.screen).is_some(), || "there is no answer to tap".into())?;
    let behind = device.perform(&tap(&dialog.open))?;
    ensure(behind.outcome == Outcome::Missed, || {
        format!("a tap on what is behind the dialog ended {:?}", behind.outcome)
    })?;
    let answered = device.run(&tap(&dialog.answer))?;
    expect_text(&answered.screen, &dialog.label, &dialog.answered)
}

pub(super) fn back_closes_dialog(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let dialog = scripted(&device.script.dialog, "dialog")?;
    let first = device.reset()?;
    device.run(&tap(&dialog.open))?;
    let closed = device.run(&Event::Key(Key::back()))?;
    ensure(closed.screen.windows.len() == first.screen.windows.len(), || {
        "the dialog is still there".into()
    })?;
    ensure(dialog.open.find(&closed.screen).is_some(), || {
        "the screen behind the dialog is gone".into()
    })
}
