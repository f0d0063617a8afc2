//! Checks of installing, resetting and repeating.

use super::CounterScript;
use super::device_under_test::{
    CheckStop, DeviceUnderTest, ensure, expect_same, expect_text, read_text, scripted, tap, text,
};
use retap_model::{Event, Outcome};

pub(super) fn installing_describes(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let app = device.app()?.clone();
    let identity = &app.identity;
    ensure(!identity.package.is_empty(), || "the package has no name".into())?;
    let is_hash =
        identity.sha256.len() == 64 && identity.sha256.bytes().all(|b| b.is_ascii_hexdigit());
    ensure(is_hash, || format!("{:?} is no SHA-256", identity.sha256))?;
    let first = device.reset()?;
    ensure(app.activities.contains(&first.screen.activity), || {
        format!("the first activity {:?} is none of the app's", first.screen.activity)
    })
}

pub(super) fn same_first_screen(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let first = device.reset()?;
    ensure(first.outcome == Outcome::Running, || format!("a reset ended {:?}", first.outcome))?;
    for _ in 0..3 {
        let again = device.reset()?;
        ensure(again.screen == first.screen, || "two resets showed different screens".into())?;
        ensure(again.outcome == first.outcome, || "two resets ended differently".into())?;
    }
    Ok(())
}

pub(super) fn reset_forgets(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let script = device.script;
    let CounterScript { button: counter, label } = scripted(&script.counter, "counter")?;
    let first = device.reset()?;
    let before = read_text(&first.screen, label).unwrap_or_default().to_string();
    let counted = device.run(&tap(counter))?;
    let after = read_text(&counted.screen, label).unwrap_or_default();
    ensure(after != before, || format!("{counter} did not change {label}"))?;
    if let Some(typing) = &script.typing {
        device.run(&text(&typing.field, "left over"))?;
    }
    let again = device.reset()?;
    expect_text(&again.screen, label, &before)?;
    ensure(again.screen == first.screen, || "something was kept".into())
}

pub(super) fn same_observations(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    expect_deterministic(device)?;
    let events = device.tour();
    let first = device.run_all(&events)?;
    let second = device.run_all(&events)?;
    expect_same(&first, &second)
}

pub(super) fn same_on_another_device(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    expect_deterministic(device)?;
    let events = device.tour();
    device.replace();
    let first = device.run_all(&events)?;
    device.replace();
    let second = device.run_all(&events)?;
    expect_same(&first, &second)
}

fn expect_deterministic(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    if device.description()?.deterministic {
        Ok(())
    } else {
        Err(CheckStop::Skip("the device does not claim to be deterministic".into()))
    }
}

pub(super) fn coverage_is_known(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let units = device.app()?.units.clone();
    if units.is_empty() {
        return Err(CheckStop::Skip("the device sees no coverage".into()));
    }
    let events = device.tour();
    let observations = device.run_all(&events)?;
    for unit in observations.iter().flat_map(|observation| observation.coverage.iter()) {
        ensure(units.get(unit).is_some(), || format!("the app has no unit {unit}"))?;
    }
    ensure(observations.iter().skip(1).any(|o| !o.coverage.is_empty()), || {
        "no event executed anything".into()
    })
}

pub(super) fn coverage_starts_anew(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    device.replace();
    let launch = device.reset()?.coverage;
    let events = device.tour();
    device.run_all(&events)?;
    // Code that runs once in a process, such as a class initialiser, may be missing later. Nothing
    // may be added.
    let again = device.reset()?.coverage;
    let added = again.difference(&launch);
    ensure(added.is_empty(), || format!("{} units of earlier events came back", added.len()))
}

pub(super) fn waiting_passes_time(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    device.reset()?;
    let waited = device.run(&Event::Wait(5000))?;
    ensure(waited.elapsed_ms >= 5000, || format!("only {} ms passed", waited.elapsed_ms))
}
