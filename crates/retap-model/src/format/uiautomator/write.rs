//! Writes a screen as a dump. A dump has no place for the kind, title and focus of windows.

use super::FLAGS;
use crate::format::rotation;
use crate::screen::{Screen, Window};
use crate::widget::{Flags, Widget};
use std::io::{self, Write};

/// The form of a widget's element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Every widget is a `<node>`.
    Node,
    /// A widget's class is its element.
    Class,
}

/// Writes a screen as a dump.
pub fn write(out: &mut impl Write, screen: &Screen, dialect: Dialect) -> io::Result<()> {
    let rotation = rotation::number(screen.orientation);
    out.write_all(b"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n")?;
    write!(out, "<hierarchy rotation=\"{rotation}\"")?;
    if !screen.activity.is_empty() {
        write!(out, " activity=\"{}\"", escape(&screen.activity))?;
    }
    out.write_all(b">\n")?;
    screen.windows.iter().try_for_each(|window| write_window(out, window, dialect))?;
    out.write_all(b"</hierarchy>\n")
}

fn write_window(out: &mut impl Write, window: &Window, dialect: Dialect) -> io::Result<()> {
    // The open elements and the number of their children so far.
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut widgets = window.widgets.iter().peekable();
    while let Some(widget) = widgets.next() {
        let depth = usize::from(widget.depth).min(open.len());
        close(out, &mut open, depth)?;
        let index = open.last_mut().map_or(0, |(_, children)| {
            *children += 1;
            *children - 1
        });
        let element = element(widget, dialect);
        indent(out, open.len())?;
        write!(out, "<{element} index=\"{index}\" {}", attributes(widget, &window.package))?;
        if widgets.peek().is_some_and(|next| next.depth > widget.depth) {
            out.write_all(b">\n")?;
            open.push((element, 0));
        } else {
            out.write_all(b" />\n")?;
        }
    }
    close(out, &mut open, 0)
}

fn close(out: &mut impl Write, open: &mut Vec<(String, usize)>, depth: usize) -> io::Result<()> {
    while open.len() > depth {
        let Some((element, _)) = open.pop() else { break };
        indent(out, open.len())?;
        writeln!(out, "</{element}>")?;
    }
    Ok(())
}

fn indent(out: &mut impl Write, depth: usize) -> io::Result<()> {
    // Deep trees would otherwise be mostly indentation, whose size is the square of the depth.
    write!(out, "{:1$}", "", 2 * (1 + depth.min(20)))
}

/// Returns the element's name. A class that cannot be one becomes `<node>` in either dialect, and
/// its attribute names it.
fn element(widget: &Widget, dialect: Dialect) -> String {
    let fits = widget.class.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && widget.class.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    let name = if fits && dialect == Dialect::Class { &widget.class } else { "node" };
    name.to_string()
}

fn attributes(widget: &Widget, package: &str) -> String {
    let texts = [
        ("text", widget.text.as_str()),
        ("resource-id", &widget.id),
        ("class", &widget.class),
        ("package", package),
        ("content-desc", &widget.description),
    ];
    let mut all: Vec<String> =
        texts.iter().map(|(name, text)| format!("{name}=\"{}\"", escape(text))).collect();
    all.extend(FLAGS.iter().map(|(name, flag)| format!("{name}=\"{}\"", widget.has(*flag))));
    let bounds = widget.bounds;
    all.push(format!("visible-to-user=\"{}\"", widget.has(Flags::VISIBLE)));
    all.push(format!(
        "bounds=\"[{},{}][{},{}]\"",
        bounds.left, bounds.top, bounds.right, bounds.bottom
    ));
    all.join(" ")
}

/// Escapes an attribute's value. Characters that XML cannot hold become dots, as in uiautomator.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('.'),
            _ => escaped.push(c),
        }
    }
    escaped
}
