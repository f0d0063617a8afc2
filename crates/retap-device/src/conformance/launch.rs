//! Checks of installing, resetting and repeating.

use super::subject::{Stop, Subject, ensure, expect_same, expect_text, read, scripted, tap, text};
use retap_model::{Event, Outcome};

pub(super) fn installing_describes(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let app = subject.app()?.clone();
    let identity = &app.identity;
    ensure(!identity.package.is_empty(), || "the package has no name".into())?;
    let is_hash =
        identity.sha256.len() == 64 && identity.sha256.bytes().all(|b| b.is_ascii_hexdigit());
    ensure(is_hash, || format!("{:?} is no SHA-256", identity.sha256))?;
    let first = subject.reset()?;
    ensure(app.activities.contains(&first.screen.activity), || {
        format!("the first activity {:?} is none of the app's", first.screen.activity)
    })
}

pub(super) fn same_first_screen(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let first = subject.reset()?;
    ensure(first.outcome == Outcome::Running, || format!("a reset ended {:?}", first.outcome))?;
    for _ in 0..3 {
        let again = subject.reset()?;
        ensure(again.screen == first.screen, || "two resets showed different screens".into())?;
        ensure(again.outcome == first.outcome, || "two resets ended differently".into())?;
    }
    Ok(())
}

pub(super) fn reset_forgets(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let script = subject.script;
    let (counter, label) = scripted(&script.counter, "counter")?;
    let first = subject.reset()?;
    let before = read(&first.screen, label).unwrap_or_default().to_string();
    let counted = subject.run(&tap(counter))?;
    let after = read(&counted.screen, label).unwrap_or_default();
    ensure(after != before, || format!("{counter} did not change {label}"))?;
    if let Some(typing) = &script.typing {
        subject.run(&text(&typing.field, "left over"))?;
    }
    let again = subject.reset()?;
    expect_text(&again.screen, label, &before)?;
    ensure(again.screen == first.screen, || "something was kept".into())
}

pub(super) fn same_observations(subject: &mut Subject<'_>) -> Result<(), Stop> {
    expect_deterministic(subject)?;
    let events = subject.tour();
    let first = subject.walk(&events)?;
    let second = subject.walk(&events)?;
    expect_same(&first, &second)
}

pub(super) fn same_on_another_device(subject: &mut Subject<'_>) -> Result<(), Stop> {
    expect_deterministic(subject)?;
    let events = subject.tour();
    subject.replace();
    let first = subject.walk(&events)?;
    subject.replace();
    let second = subject.walk(&events)?;
    expect_same(&first, &second)
}

fn expect_deterministic(subject: &mut Subject<'_>) -> Result<(), Stop> {
    if subject.description()?.deterministic {
        Ok(())
    } else {
        Err(Stop::Skip("the device does not claim to be deterministic".into()))
    }
}

pub(super) fn coverage_is_known(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let units = subject.app()?.units.clone();
    if units.is_empty() {
        return Err(Stop::Skip("the device sees no coverage".into()));
    }
    let events = subject.tour();
    let observations = subject.walk(&events)?;
    for unit in observations.iter().flat_map(|observation| observation.coverage.iter()) {
        ensure(units.get(unit).is_some(), || format!("the app has no unit {unit}"))?;
    }
    ensure(observations.iter().skip(1).any(|o| !o.coverage.is_empty()), || {
        "no event executed anything".into()
    })
}

pub(super) fn coverage_starts_anew(subject: &mut Subject<'_>) -> Result<(), Stop> {
    subject.replace();
    let launch = subject.reset()?.coverage;
    let events = subject.tour();
    subject.walk(&events)?;
    // Code that runs once in a process (class initialisers) may be missing later, never added.
    let again = subject.reset()?.coverage;
    let added = again.difference(&launch);
    ensure(added.is_empty(), || format!("{} units of earlier events came back", added.len()))
}

pub(super) fn waiting_passes_time(subject: &mut Subject<'_>) -> Result<(), Stop> {
    subject.reset()?;
    let waited = subject.run(&Event::Wait(5000))?;
    ensure(waited.elapsed_ms >= 5000, || format!("only {} ms passed", waited.elapsed_ms))
}
