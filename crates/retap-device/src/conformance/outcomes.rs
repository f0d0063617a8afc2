//! Checks of how events end: outside the app, in a crash, without a widget.

use super::device_under_test::{CheckStop, DeviceUnderTest, WORLD_SEED, ensure, scripted, tap};
use super::{CounterScript, CrashScript};
use crate::rig::Rig;
use retap_model::{Event, Key, Outcome};
use std::sync::atomic::AtomicBool;

pub(super) fn back_leaves(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let first = device.reset()?;
    let left = device.perform(&Event::Key(Key::back()))?;
    ensure(matches!(left.outcome, Outcome::Left { .. } | Outcome::Exited), || {
        format!("expected to leave the app, found {:?}", left.outcome)
    })?;
    let launched = device.run(&Event::Launch)?;
    ensure(launched.screen.activity == first.screen.activity, || {
        format!("launching again showed {:?}", launched.screen.activity)
    })
}

pub(super) fn crash_reported_once(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let CrashScript { button, exception } = scripted(&device.script.crash, "button that crashes")?;
    let package = device.app()?.identity.package.clone();
    device.reset()?;
    let crashed = device.perform(&tap(button))?;
    let Outcome::Crashed(crash) = &crashed.outcome else {
        return Err(CheckStop::Fail(format!("expected a crash, found {:?}", crashed.outcome)));
    };
    ensure(crash.innermost_class() == exception, || {
        format!("expected {exception}, found {}", crash.innermost_class())
    })?;
    ensure(crash.mentions(&package), || "the stack has no frame of the app".into())?;
    for event in [Event::Key(Key::back()), Event::Wait(100)] {
        let after = device.perform(&event)?.outcome;
        ensure(after.crash().is_none(), || format!("\"{event}\" reported the crash again"))?;
        ensure(after != Outcome::Running, || "an app that crashed runs on".into())?;
    }
    let after = device.reset()?.outcome;
    ensure(after == Outcome::Running, || format!("a reset after the crash ended {after:?}"))
}

pub(super) fn usable_after_crash(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let button = &scripted(&device.script.crash, "button that crashes")?.button;
    let first = device.reset()?;
    device.perform(&tap(button))?;
    let again = device.reset()?;
    ensure(again.screen == first.screen, || "the first screen is another".into())?;
    if let Some(CounterScript { button: counter, .. }) = &device.script.counter {
        let counted = device.run(&tap(counter))?;
        ensure(counted.screen != first.screen, || format!("{counter} does nothing"))?;
    }
    Ok(())
}

pub(super) fn loss_is_an_outcome(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let event = scripted(&device.script.loss, "event that loses the device")?;
    let first = device.reset()?;
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(device.connect(), &interrupt);
    rig.reset(WORLD_SEED)?;
    let lost = rig.perform(event)?.outcome.clone();
    ensure(matches!(lost, Outcome::DeviceLost(_)), || {
        format!("expected a lost device, found {lost:?}")
    })?;
    ensure(rig.cost().devices_lost > 1, || "the event was tried only once".into())?;
    let again = rig.reset(WORLD_SEED)?;
    ensure(again.outcome == Outcome::Running, || "a fresh device does not run the app".into())?;
    ensure(again.screen.activity == first.screen.activity, || {
        "a fresh device shows another activity".into()
    })
}

pub(super) fn gone_is_missed(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let vanishing = scripted(&device.script.vanishing, "widget that disappears")?;
    device.reset()?;
    let vanished = device.run(&tap(vanishing))?;
    ensure(vanishing.find(&vanished.screen).is_none(), || format!("{vanishing} is still there"))?;
    let missed = device.perform(&tap(vanishing))?;
    ensure(missed.outcome == Outcome::Missed, || {
        format!("expected a miss, found {:?}", missed.outcome)
    })?;
    ensure(missed.screen == vanished.screen, || "a miss changed the screen".into())?;
    ensure(missed.coverage.is_empty(), || "a miss executed something".into())?;
    let waited = device.run(&Event::Wait(100))?;
    ensure(waited.screen == vanished.screen, || "a miss changed the app".into())
}
