//! `uiautomator dump` and `screencap`: what is on the screen.

use crate::shell::Invocation;
use retap_model::format::uiautomator::{Dialect, write};
use retap_model::{Flags, Screen, Widget, Window};
use std::io;

const DUMP: &str = "/sdcard/window_dump.xml";

pub fn uiautomator(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let Some((&"dump", rest)) = words.split_first() else {
        return invocation.complain("uiautomator: this phone knows `uiautomator dump` alone");
    };
    let all = rest.contains(&"--windows");
    let name = rest.iter().find(|word| !word.starts_with("--")).unwrap_or(&DUMP).to_string();
    let screen = invocation.phone.state().screen();
    let mut xml = Vec::new();
    write(&mut xml, &visible(&screen, all), Dialect::Node)?;
    if name == "/dev/tty" || name == "/dev/stdout" {
        // As on a phone, the sentence follows the dump on the same line.
        while xml.last() == Some(&b'\n') {
            xml.pop();
        }
        invocation.streams.output.write_all(&xml)?;
    } else {
        let (path, time) = (invocation.path(&name), invocation.phone.log.now_ms() / 1_000);
        let written = invocation.phone.files().write(&path, xml, 0o644, time as u32);
        if let Err(error) = written {
            return invocation.complain(&format!("ERROR: could not write {name}: {error}"));
        }
    }
    // The word is misspelt on every phone, and tools look for it.
    invocation.print(&format!("UI hierchary dumped to: {name}\n"))?;
    Ok(0)
}

/// Returns what accessibility tells: the visible widgets of the window in front, or of all windows.
fn visible(screen: &Screen, all: bool) -> Screen {
    let front = screen.reachable().next().map(|(index, _)| index);
    let shown = |(index, _): &(usize, &Window)| all || front.is_none_or(|front| front == *index);
    let windows = screen.windows.iter().enumerate().filter(shown);
    let windows = windows
        .map(|(_, window)| Window { widgets: visible_widgets(&window.widgets), ..window.clone() });
    Screen {
        activity: screen.activity.clone(),
        orientation: screen.orientation,
        windows: windows.filter(|window| !window.widgets.is_empty()).collect(),
    }
}

/// What is in an invisible widget is invisible.
fn visible_widgets(widgets: &[Widget]) -> Vec<Widget> {
    let mut hidden = u16::MAX;
    let mut shown = Vec::new();
    for widget in widgets {
        if widget.depth > hidden {
            continue;
        }
        hidden = u16::MAX;
        if widget.has(Flags::VISIBLE) {
            shown.push(widget.clone());
        } else {
            hidden = widget.depth;
        }
    }
    shown
}

pub fn screencap(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let file = words.iter().find(|word| !word.starts_with('-')).map(|name| name.to_string());
    let wants_png = words.contains(&"-p") || file.as_ref().is_some_and(|it| it.ends_with(".png"));
    if !wants_png {
        return invocation.complain("screencap: this phone writes PNG alone: add -p");
    }
    let png = invocation.phone.state().screenshot();
    let png = match png {
        Ok(png) => png,
        Err(error) => return invocation.complain(&format!("screencap: {error}")),
    };
    match file {
        None => invocation.streams.output.write_all(&png)?,
        Some(name) => {
            let (path, time) = (invocation.path(&name), invocation.phone.log.now_ms() / 1_000);
            let written = invocation.phone.files().write(&path, png, 0o644, time as u32);
            if let Err(error) = written {
                return invocation.complain(&format!("screencap: {name}: {error}"));
            }
        }
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inside_an_invisible_widget_is_not_dumped() {
        let widget = |depth, is_visible| Widget {
            depth,
            flags: if is_visible { Flags::VISIBLE } else { Flags::empty() },
            ..Widget::default()
        };
        let tree = [widget(0, true), widget(1, false), widget(2, true), widget(1, true)];
        let depths: Vec<u16> = visible_widgets(&tree).iter().map(|widget| widget.depth).collect();
        assert_eq!(depths, [0, 1]);
    }
}
