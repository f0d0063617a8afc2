//! Checks of saved states and pictures, for devices that have them.

use super::subject::{Stop, Subject, ensure, expect_same, scripted, tap};
use retap_model::{Event, Orientation, Outcome};

pub(super) fn restore_many_times(subject: &mut Subject<'_>) -> Result<(), Stop> {
    expect_snapshots(subject)?;
    let (counter, _) = scripted(&subject.script.counter, "counter")?;
    subject.reset()?;
    let saved_at = subject.run(&tap(counter))?;
    let snapshot = subject.save()?;
    let events = [tap(counter), Event::Rotate(Orientation::Landscape)];
    let mut first = Vec::new();
    for event in &events {
        first.push(subject.perform(event)?);
    }
    for _ in 0..3 {
        let restored = subject.restore(snapshot)?;
        ensure(restored.screen == saved_at.screen, || "another screen was restored".into())?;
        ensure(restored.outcome == Outcome::Running, || {
            format!("restoring ended {:?}", restored.outcome)
        })?;
        ensure(restored.coverage.is_empty(), || "restoring counted as executing".into())?;
        let mut again = Vec::new();
        for event in &events {
            again.push(subject.perform(event)?);
        }
        expect_same(&first, &again)?;
        subject.reset()?;
    }
    Ok(())
}

pub(super) fn restore_after_crash(subject: &mut Subject<'_>) -> Result<(), Stop> {
    expect_snapshots(subject)?;
    let (button, _) = scripted(&subject.script.crash, "button that crashes")?;
    let first = subject.reset()?;
    let snapshot = subject.save()?;
    subject.perform(&tap(button))?;
    let restored = subject.restore(snapshot)?;
    ensure(restored.screen == first.screen, || "another screen was restored".into())?;
    let crashed = subject.perform(&tap(button))?;
    ensure(crashed.outcome.crash().is_some(), || "the restored app does not crash".into())
}

fn expect_snapshots(subject: &mut Subject<'_>) -> Result<(), Stop> {
    if subject.description()?.snapshots {
        Ok(())
    } else {
        Err(Stop::Skip("the device cannot save its state".into()))
    }
}

pub(super) fn screenshot(subject: &mut Subject<'_>) -> Result<(), Stop> {
    let description = subject.description()?;
    if !description.screenshots {
        return Err(Stop::Skip("the device takes no screenshots".into()));
    }
    let display = description.display;
    subject.reset()?;
    let bytes = subject.screenshot()?;
    let size = png_size(&bytes).ok_or_else(|| Stop::Fail("the bytes are no PNG".into()))?;
    ensure(size == (display.width, display.height), || {
        format!("a picture of {}x{} on a display of {display}", size.0, size.1)
    })
}

/// Width and height from a PNG's first chunk.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(4..16)?.strip_prefix(b"IHDR")?;
    let (width, height) = header.split_at_checked(4)?;
    Some((u32::from_be_bytes(width.try_into().ok()?), u32::from_be_bytes(height.try_into().ok()?)))
}
