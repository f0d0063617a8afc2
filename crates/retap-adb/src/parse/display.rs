//! `wm size` and `wm density`: what the screen is now, which a user may have overridden.

use retap_model::Display;

/// Reads both outputs, in any order. `None` if one of them is missing.
pub fn parse_display(text: &str) -> Option<Display> {
    let value = |name: &str| {
        let mut found = text.lines().filter_map(|line| {
            let (before, after) = line.split_once(name)?;
            before.trim().is_empty().then(|| after.trim_start_matches(':').trim().to_string())
        });
        found.next()
    };
    let size = value("Override size").or_else(|| value("Physical size"))?;
    let dpi = value("Override density").or_else(|| value("Physical density"))?;
    let (width, height) = size.split_once('x')?;
    let display = Display {
        width: width.trim().parse().ok()?,
        height: height.trim().parse().ok()?,
        dpi: dpi.parse().ok()?,
    };
    // The same bounds as for a display that a user writes.
    display.to_string().parse().ok()
}
