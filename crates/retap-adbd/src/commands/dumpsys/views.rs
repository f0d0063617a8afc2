//! The views of the activity in front, as `dumpsys activity top` prints them: no texts, and places inside the parent.

use retap_model::{Flags, Rect, Screen, Widget, WindowKind};
use std::fmt::Write;

pub fn dump(screen: &Screen, package: &str) -> String {
    let activity = screen.windows.iter().find(|window| window.kind == WindowKind::Activity);
    let Some(window) = activity.or(screen.windows.first()) else { return String::new() };
    let mut text = String::new();
    let mut around: Vec<Rect> = Vec::new();
    for (number, widget) in window.widgets.iter().enumerate() {
        around.truncate(widget.depth.into());
        let (left, top) = around.last().map_or((0, 0), |parent| (parent.left, parent.top));
        let bounds = widget.bounds;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:indent$}{}{{{number:x} {} {} {},{}-{},{}{}}}",
            "",
            if widget.class.is_empty() { "android.view.View" } else { &widget.class },
            can(widget),
            is(widget),
            bounds.left - left,
            bounds.top - top,
            bounds.right - left,
            bounds.bottom - top,
            id(widget, package),
            indent = 6 + 2 * around.len(),
        );
        around.push(bounds);
    }
    text
}

/// Visible, focusable, enabled, drawn, scroll bars, clickable, long clickable, clickable for its context.
fn can(widget: &Widget) -> String {
    let flag = |flag: Flags, letter: char| if widget.has(flag) { letter } else { '.' };
    let visible = if widget.has(Flags::VISIBLE) { 'V' } else { 'I' };
    let (focusable, enabled) = (flag(Flags::FOCUSABLE, 'F'), flag(Flags::ENABLED, 'E'));
    let (clickable, long) = (flag(Flags::CLICKABLE, 'C'), flag(Flags::LONG_CLICKABLE, 'L'));
    format!("{visible}{focusable}{enabled}D..{clickable}{long}.")
}

fn is(widget: &Widget) -> String {
    let flag = |flag: Flags, letter: char| if widget.has(flag) { letter } else { '.' };
    format!(".{}{}.....", flag(Flags::FOCUSED, 'F'), flag(Flags::SELECTED, 'S'))
}

fn id(widget: &Widget, package: &str) -> String {
    let own = widget.id.strip_prefix(package).and_then(|rest| rest.strip_prefix(':'));
    match (widget.id.as_str(), own) {
        ("", _) => String::new(),
        (_, Some(rest)) => format!(" #7f010001 app:{rest}"),
        (id, None) => format!(" #1020001 {id}"),
    }
}
