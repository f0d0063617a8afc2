//! Checks of how events end: outside the app, in a crash, without a widget.

use super::subject::{Stop, Subject, ensure, scripted, tap};
use retap_model::{Event, Key, Outcome};

pub(super) fn back_leaves(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let first = subject.reset()?;
    let left = subject.perform(&Event::Key(Key::back()))?;
    ensure(matches!(left.outcome, Outcome::Left { .. } | Outcome::Exited), || {
        format!("expected to leave the app, found {:?}", left.outcome)
    })?;
    let launched = subject.run(&Event::Launch)?;
    ensure(launched.screen.activity == first.screen.activity, || {
        format!("launching again showed {:?}", launched.screen.activity)
    })
}

pub(super) fn crash_reported_once(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let (button, exception) = scripted(&subject.script.crash, "button that crashes")?;
    let package = subject.app()?.identity.package.clone();
    subject.reset()?;
    let crashed = subject.perform(&tap(button))?;
    let Outcome::Crashed(crash) = &crashed.outcome else {
        return Err(Stop::Fail(format!("expected a crash, found {:?}", crashed.outcome)));
    };
    ensure(crash.innermost_class() == exception, || {
        format!("expected {exception}, found {}", crash.innermost_class())
    })?;
    ensure(crash.mentions(&package), || "the stack has no frame of the app".into())?;
    for event in [Event::Key(Key::back()), Event::Wait(100)] {
        let after = subject.perform(&event)?.outcome;
        ensure(after.crash().is_none(), || format!("\"{event}\" reported the crash again"))?;
        ensure(after != Outcome::Running, || "an app that crashed runs on".into())?;
    }
    let after = subject.reset()?.outcome;
    ensure(after == Outcome::Running, || format!("a reset after the crash ended {after:?}"))
}

pub(super) fn usable_after_crash(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let (button, _) = scripted(&subject.script.crash, "button that crashes")?;
    let first = subject.reset()?;
    subject.perform(&tap(button))?;
    let again = subject.reset()?;
    ensure(again.screen == first.screen, || "the first screen is another".into())?;
    if let Some((counter, _)) = &subject.script.counter {
        let counted = subject.run(&tap(counter))?;
        ensure(counted.screen != first.screen, || format!("{counter} does nothing"))?;
    }
    Ok(())
}

pub(super) fn gone_is_missed(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let vanishing = scripted(&subject.script.vanishing, "widget that disappears")?;
    subject.reset()?;
    let vanished = subject.run(&tap(vanishing))?;
    ensure(vanishing.find(&vanished.screen).is_none(), || format!("{vanishing} is still there"))?;
    let missed = subject.perform(&tap(vanishing))?;
    ensure(missed.outcome == Outcome::Missed, || {
        format!("expected a miss, found {:?}", missed.outcome)
    })?;
    ensure(missed.screen == vanished.screen, || "a miss changed the screen".into())?;
    ensure(missed.coverage.is_empty(), || "a miss executed something".into())?;
    let waited = subject.run(&Event::Wait(100))?;
    ensure(waited.screen == vanished.screen, || "a miss changed the app".into())
}
