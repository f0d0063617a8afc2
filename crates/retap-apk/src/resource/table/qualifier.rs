//! The name of a configuration: its qualifiers as a resource folder's name states them.

use crate::untrusted::Bytes;

/// Returns the qualifiers joined by dashes; empty for the default configuration. Qualifiers without a short name here
/// (mobile networks, keyboards, round screens, …) appear as one hexadecimal number, so that two configurations that
/// differ never share a name.
pub fn name(config: Bytes) -> String {
    let mut parts = Vec::new();
    let mut rest = config.0.to_vec();
    let mut take = |at: usize, len: usize| {
        let taken = rest.get_mut(at..at + len).map(|bytes| {
            let number =
                bytes.iter().rev().fold(0u32, |number, byte| number << 8 | u32::from(*byte));
            bytes.fill(0);
            number
        });
        taken.unwrap_or(0)
    };
    if let Some(language) = letters(config, 4) {
        parts.push(language);
        take(4, 2);
        if let Some(region) = letters(config, 6) {
            parts.push(format!("r{region}"));
            take(6, 2);
        }
    }
    match take(8, 1) {
        0 => {}
        1 => parts.push("port".to_owned()),
        2 => parts.push("land".to_owned()),
        other => parts.push(format!("orientation{other}")),
    }
    match take(10, 2) {
        0 => {}
        120 => parts.push("ldpi".to_owned()),
        160 => parts.push("mdpi".to_owned()),
        213 => parts.push("tvdpi".to_owned()),
        240 => parts.push("hdpi".to_owned()),
        320 => parts.push("xhdpi".to_owned()),
        480 => parts.push("xxhdpi".to_owned()),
        640 => parts.push("xxxhdpi".to_owned()),
        0xfffe => parts.push("anydpi".to_owned()),
        0xffff => parts.push("nodpi".to_owned()),
        other => parts.push(format!("{other}dpi")),
    }
    for (at, prefix) in [(26, "sw"), (28, "w"), (30, "h")] {
        match take(at, 2) {
            0 => {}
            size => parts.push(format!("{prefix}{size}dp")),
        }
    }
    match take(25, 1) {
        0 => {}
        0x10 => parts.push("notnight".to_owned()),
        0x20 => parts.push("night".to_owned()),
        other => parts.push(format!("ui{other}")),
    }
    match take(20, 2) {
        0 => {}
        level => parts.push(format!("v{level}")),
    }
    if rest.iter().any(|byte| *byte != 0) {
        let end = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        parts.push(rest[..end].iter().map(|byte| format!("{byte:02x}")).collect());
    }
    parts.join("-")
}

/// Returns the two letters at `at`. Languages of three letters are packed and stay a number.
fn letters(config: Bytes, at: usize) -> Option<String> {
    let pair = [config.u8(at)?, config.u8(at + 1)?];
    let plain = pair.iter().all(u8::is_ascii_alphanumeric);
    plain.then(|| pair.iter().map(|&byte| char::from(byte)).collect())
}
