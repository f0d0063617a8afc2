//! Checks of snapshots and screenshots, for devices that support them.

use super::device_under_test::{CheckStop, DeviceUnderTest, ensure, expect_same, scripted, tap};
use retap_model::{Event, Orientation, Outcome};

pub(super) fn restore_many_times(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    expect_snapshots(device)?;
    let counter = &scripted(&device.script.counter, "counter")?.button;
    device.reset()?;
    let saved_at = device.run(&tap(counter))?;
    let snapshot = device.save()?;
    let events = [tap(counter), Event::Rotate(Orientation::Landscape)];
    let mut first = Vec::new();
    for event in &events {
        first.push(device.perform(event)?);
    }
    for _ in 0..3 {
        let restored = device.restore(snapshot)?;
        ensure(restored.screen == saved_at.screen, || "another screen was restored".into())?;
        ensure(restored.outcome == Outcome::Running, || {
            format!("restoring ended {:?}", restored.outcome)
        })?;
        ensure(restored.coverage.is_empty(), || "restoring counted as executing".into())?;
        let mut again = Vec::new();
        for event in &events {
            again.push(device.perform(event)?);
        }
        expect_same(&first, &again)?;
        device.reset()?;
    }
    Ok(())
}

pub(super) fn restore_after_crash(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    expect_snapshots(device)?;
    let button = &scripted(&device.script.crash, "button that crashes")?.button;
    let first = device.reset()?;
    let snapshot = device.save()?;
    device.perform(&tap(button))?;
    let restored = device.restore(snapshot)?;
    ensure(restored.screen == first.screen, || "another screen was restored".into())?;
    let crashed = device.perform(&tap(button))?;
    ensure(crashed.outcome.crash().is_some(), || "the restored app does not crash".into())
}

fn expect_snapshots(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    if device.description()?.snapshots {
        Ok(())
    } else {
        Err(CheckStop::Skip("the device cannot save its state".into()))
    }
}

pub(super) fn screenshot(device: &mut DeviceUnderTest<'_>) -> Result<(), CheckStop> {
    let description = device.description()?;
    if !description.screenshots {
        return Err(CheckStop::Skip("the device takes no screenshots".into()));
    }
    let display = description.display;
    device.reset()?;
    let bytes = device.screenshot()?;
    let size = png_size(&bytes).ok_or_else(|| CheckStop::Fail("the bytes are no PNG".into()))?;
    ensure(size == (display.width, display.height), || {
        format!("a picture of {}x{} on a display of {display}", size.0, size.1)
    })
}

/// Reads width and height from a PNG's first chunk.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(4..16)?.strip_prefix(b"IHDR")?;
    let (width, height) = header.split_at_checked(4)?;
    Some((u32::from_be_bytes(width.try_into().ok()?), u32::from_be_bytes(height.try_into().ok()?)))
}
