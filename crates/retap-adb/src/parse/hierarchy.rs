//! The view hierarchy of `dumpsys activity top`: a cheap sign of whether the screen still changes, and the only screen there
//! is while an app never comes to rest. It has no texts.

use retap_model::{Flags, Orientation, Rect, Screen, Widget, Window, WindowKind};
use xxhash_rust::xxh3::xxh3_64;

/// What a phone needs to send of `dumpsys activity top`: activities, and views with their flags.
pub const FILTER: &str = "ACTIVITY |[{][0-9a-f]+ [VIG][F.][E.]";

/// One line `android.widget.Button{3a VFED..C.. ........ 40,80-300,176 #7f08 app:id/add}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ViewLine<'a> {
    indent: usize,
    class: &'a str,
    /// Visibility, focusable, enabled, drawn, scroll bars, clickable, long clickable.
    can: &'a str,
    /// Root, focused, selected, pressed, …
    is: &'a str,
    bounds: [i32; 4],
    id: &'a str,
}

/// Returns a hash of the hierarchy that stays the same while nothing on the screen changes.
pub fn signature(text: &str) -> u64 {
    let mut seen = String::new();
    for line in text.lines() {
        if let Some(view) = parse_line(line) {
            let ViewLine { indent, class, can, bounds, id, .. } = view;
            seen.push_str(&format!("{indent} {class} {can} {bounds:?} {id}\n"));
        } else if line.trim_start().starts_with("ACTIVITY ") {
            seen.push_str(line.trim());
        }
    }
    xxh3_64(seen.as_bytes())
}

/// Returns the last activity's views as a screen without texts, or `None` if there are none.
pub fn parse_hierarchy(text: &str, package: &str) -> Option<Screen> {
    // Each activity follows its own line; the last one is in front.
    let start = text.rfind("ACTIVITY ").unwrap_or(0);
    let mut widgets: Vec<Widget> = Vec::new();
    // The views around the current one: their indentation and where they begin on the screen.
    let mut around: Vec<(usize, i32, i32)> = Vec::new();
    for view in text[start..].lines().filter_map(parse_line) {
        while around.last().is_some_and(|(indent, ..)| *indent >= view.indent) {
            around.pop();
        }
        let (left, top) = around.last().map_or((0, 0), |(_, left, top)| (*left, *top));
        let [l, t, r, b] = view.bounds;
        let moved = |a: i32, by: i32| a.saturating_add(by);
        let bounds = Rect::new(moved(l, left), moved(t, top), moved(r, left), moved(b, top));
        let depth = u16::try_from(around.len()).unwrap_or(u16::MAX);
        around.push((view.indent, bounds.left, bounds.top));
        // A second root is another activity's.
        if depth == 0 && !widgets.is_empty() {
            break;
        }
        widgets.push(widget(&view, depth, bounds, package));
    }
    let bounds = widgets.first()?.bounds;
    let orientation = match bounds.width() > bounds.height() {
        true => Orientation::Landscape,
        false => Orientation::Portrait,
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: package.into(),
        title: String::new(),
        bounds,
        focused: true,
        widgets,
    };
    Some(Screen { activity: String::new(), orientation, windows: vec![window] })
}

fn widget(view: &ViewLine<'_>, depth: u16, bounds: Rect, package: &str) -> Widget {
    let mut flags = Flags::empty();
    let mut set = |letters: &str, at: usize, letter: u8, flag: Flags| {
        flags.set(flag, letters.as_bytes().get(at) == Some(&letter));
    };
    set(view.can, 0, b'V', Flags::VISIBLE);
    set(view.can, 1, b'F', Flags::FOCUSABLE);
    set(view.can, 2, b'E', Flags::ENABLED);
    set(view.can, 6, b'C', Flags::CLICKABLE);
    set(view.can, 7, b'L', Flags::LONG_CLICKABLE);
    set(view.is, 1, b'F', Flags::FOCUSED);
    set(view.is, 2, b'S', Flags::SELECTED);
    flags.set(Flags::EDITABLE, view.class.ends_with("EditText"));
    let id = match view.id.strip_prefix("app:") {
        Some(rest) => format!("{package}:{rest}"),
        None => view.id.to_string(),
    };
    Widget { depth, class: view.class.into(), id, bounds, flags, ..Widget::default() }
}

fn parse_line(line: &str) -> Option<ViewLine<'_>> {
    let trimmed = line.trim_start();
    let (class, inside) = trimmed.split_once('{')?;
    let inside = inside.split_once('}').map_or(inside, |(inside, _)| inside);
    let mut words = inside.split_whitespace();
    words.next()?;
    let (can, is, bounds) = (words.next()?, words.next()?, words.next()?);
    let is_flags = can.len() >= 8 && can.starts_with(['V', 'I', 'G']) && can.is_ascii();
    let is_class =
        !class.is_empty() && class.chars().all(|c| c.is_alphanumeric() || "._$@[]-".contains(c));
    if !is_flags || !is_class || !is.is_ascii() {
        return None;
    }
    let rest: Vec<&str> = words.collect();
    let id = rest.iter().find(|word| word.contains(":id/")).copied().unwrap_or_default();
    let (indent, bounds) = (line.len() - trimmed.len(), parse_bounds(bounds)?);
    Some(ViewLine { indent, class, can, is, bounds, id })
}

/// Parses `40,80-300,176`; any of the numbers may be negative.
fn parse_bounds(text: &str) -> Option<[i32; 4]> {
    let (left, rest) = text.split_once(',')?;
    let dash = rest.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    let (top, rest) = (&rest[..dash], &rest[dash + 1..]);
    let (right, bottom) = rest.split_once(',')?;
    Some([left.parse().ok()?, top.parse().ok()?, right.parse().ok()?, bottom.parse().ok()?])
}
