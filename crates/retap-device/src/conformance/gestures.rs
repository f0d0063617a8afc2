//! Checks of what fingers do: typing, long presses, drags, rotation, dialogs.

use super::subject::{Stop, Subject, ensure, expect_text, on, read, scripted, tap, text};
use retap_model::{Event, Key, Orientation, Outcome, Point, Rect, Screen, WindowKind};

/// Enough long drags to get to the end of any list that a check is made with.
const DRAGS: usize = 40;

pub(super) fn text_replaces(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let typing = scripted(&subject.script.typing, "text field")?;
    subject.reset()?;
    for typed in ["first", "Zweites, größer", "3"] {
        let seen = subject.run(&text(&typing.field, typed))?;
        expect_text(&seen.screen, &typing.field, typed)?;
        expect_text(&seen.screen, &typing.echo, typed)?;
    }
    Ok(())
}

pub(super) fn long_press(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let hold = scripted(&subject.script.hold, "widget to hold")?;
    subject.reset()?;
    let tapped = subject.run(&tap(&hold.target))?;
    ensure(hold.choice.find(&tapped.screen).is_none(), || "a tap showed the choices".into())?;
    let held = subject.run(&Event::LongPress(on(&hold.target)))?;
    ensure(hold.choice.find(&held.screen).is_some(), || "no choices were shown".into())?;
    let chosen = subject.run(&tap(&hold.choice))?;
    expect_text(&chosen.screen, &hold.label, &hold.chosen)
}

pub(super) fn scrolling(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let list = scripted(&subject.script.list, "list")?;
    subject.reset()?;
    let mut seen = subject.run(&tap(&list.open))?;
    let shows = |screen: &Screen, wanted: &str| screen.texts().any(|text| text == wanted);
    ensure(shows(&seen.screen, &list.first), || format!("{:?} is not shown", list.first))?;
    ensure(!shows(&seen.screen, &list.last), || format!("{:?} is shown at once", list.last))?;
    for drag in 0..DRAGS {
        let bounds = list.list.find(&seen.screen).map(|found| found.widget.widget().bounds);
        let bounds = bounds.ok_or_else(|| Stop::Fail("the list is gone".into()))?;
        seen = subject.run(&drag_up(bounds))?;
        if drag == 0 {
            ensure(!shows(&seen.screen, &list.first), || "a long drag moved too little".into())?;
        }
        if shows(&seen.screen, &list.last) {
            return Ok(());
        }
    }
    Err(Stop::Fail(format!("{:?} never came after {DRAGS} drags", list.last)))
}

/// Over most of the rectangle, slowly.
fn drag_up(bounds: Rect) -> Event {
    let tenth = bounds.height() / 10;
    let x = bounds.center().x;
    Event::Drag {
        from: retap_model::Target::point(Point::new(x, bounds.bottom - tenth)),
        to: Point::new(x, bounds.top + tenth),
        ms: 500,
    }
}

pub(super) fn rotation(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let label = scripted(&subject.script.orientation, "label of the orientation")?;
    subject.reset()?;
    for (orientation, name) in
        [(Orientation::Landscape, "landscape"), (Orientation::Portrait, "portrait")]
    {
        let seen = subject.run(&Event::Rotate(orientation))?.screen;
        ensure(seen.orientation == orientation, || {
            format!("expected {orientation:?}, found {:?}", seen.orientation)
        })?;
        let bounds = seen.windows.first().map(|window| window.bounds).unwrap_or_default();
        ensure((bounds.width() > bounds.height()) == (name == "landscape"), || {
            format!("a window of {} by {} is not {name}", bounds.width(), bounds.height())
        })?;
        // A small landscape screen may have to be scrolled to the label.
        let found = read(&seen, label);
        ensure(found.is_none_or(|found| found == name), || {
            format!("the app says {found:?} in {name}")
        })?;
    }
    Ok(())
}

pub(super) fn dialog_covers(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let dialog = scripted(&subject.script.dialog, "dialog")?;
    subject.reset()?;
    let asked = subject.run(&tap(&dialog.open))?;
    let front = asked.screen.front().map(|window| window.kind);
    ensure(front == Some(WindowKind::Dialog), || format!("in front there is {front:?}"))?;
    ensure(dialog.answer.find(&asked.screen).is_some(), || "there is no answer to tap".into())?;
    let behind = subject.perform(&tap(&dialog.open))?;
    ensure(behind.outcome == Outcome::Missed, || {
        format!("a tap on what is behind the dialog ended {:?}", behind.outcome)
    })?;
    let answered = subject.run(&tap(&dialog.answer))?;
    expect_text(&answered.screen, &dialog.label, &dialog.answered)
}

pub(super) fn back_closes_dialog(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let dialog = scripted(&subject.script.dialog, "dialog")?;
    let first = subject.reset()?;
    subject.run(&tap(&dialog.open))?;
    let closed = subject.run(&Event::Key(Key::back()))?;
    ensure(closed.screen.windows.len() == first.screen.windows.len(), || {
        "the dialog is still there".into()
    })?;
    ensure(dialog.open.find(&closed.screen).is_some(), || {
        "the screen behind the dialog is gone".into()
    })
}
