//! Reads a dump. It may be anybody's file, so there are no document types, no entities but XML's
//! own five, and bounds on size, depth and number of widgets.

use super::FLAGS;
use crate::format::{FormatError, rotation};
use crate::geometry::Rect;
use crate::screen::{Screen, Window, WindowKind};
use crate::widget::{Flags, Widget};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::io::{BufRead, Read};

/// Dumps of real screens are smaller than a hundredth of this.
pub const MAX_BYTES: usize = 32 << 20;
pub const MAX_DEPTH: usize = 1_000;
pub const MAX_WIDGETS: usize = 100_000;
pub const MAX_WINDOWS: usize = 200;

/// Reads a dump as a screen. `file` is a name for errors.
pub fn read(reader: impl BufRead, file: &str) -> Result<Screen, FormatError> {
    let text = read_text(reader, file)?;
    let mut dump =
        Dump { file, text: &text, line: 1, position: 0, depth: 0, count: 0, screen: None };
    let mut xml = Reader::from_str(&text);
    loop {
        dump.advance(xml.buffer_position());
        let event =
            xml.read_event().map_err(|error| dump.error("well-formed XML", error.to_string()))?;
        match event {
            Event::Start(element) => dump.open(&element)?,
            Event::Empty(element) => {
                dump.open(&element)?;
                dump.depth -= 1;
            }
            Event::End(_) => dump.depth -= 1,
            Event::Text(text) if !text.trim().is_empty() => {
                return Err(dump.error("elements only", text.trim()));
            }
            Event::CData(_) | Event::GeneralRef(_) => {
                return Err(dump.error("elements only", "text"));
            }
            Event::DocType(_) => return Err(dump.error("no document type", "<!DOCTYPE")),
            Event::Eof => return dump.finish(),
            Event::Text(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

fn read_text(reader: impl BufRead, file: &str) -> Result<String, FormatError> {
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    reader.take(limit).read_to_end(&mut bytes).map_err(|error| FormatError::io(file, error))?;
    if bytes.len() > MAX_BYTES {
        let expected = format!("a dump of at most {MAX_BYTES} bytes");
        return Err(FormatError::malformed(file, 1, expected, "a larger file"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + newlines(valid);
        FormatError::malformed(file, line, "text in UTF-8", "other bytes")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// A dump on its way to a screen.
struct Dump<'a> {
    file: &'a str,
    text: &'a str,
    /// The line of `position`, counted step by step so that reading stays linear.
    line: usize,
    position: usize,
    /// The number of open elements.
    depth: usize,
    count: usize,
    screen: Option<Screen>,
}

impl Dump<'_> {
    fn advance(&mut self, position: u64) {
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        self.line += newlines(&self.text.as_bytes()[self.position..position]);
        self.position = position;
    }

    fn error(&self, expected: impl Into<String>, found: impl AsRef<str>) -> FormatError {
        FormatError::malformed(self.file, self.line, expected, found)
    }

    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), FormatError> {
        if self.depth == 0 {
            self.open_root(element)?;
        } else {
            self.open_widget(element)?;
        }
        self.depth += 1;
        Ok(())
    }

    fn open_root(&mut self, element: &BytesStart<'_>) -> Result<(), FormatError> {
        let name = element.name();
        if name.as_ref() != "hierarchy" || self.screen.is_some() {
            return Err(
                self.error("one <hierarchy> around all widgets", format!("<{}", name.as_ref()))
            );
        }
        let mut screen = Screen::default();
        self.each_attribute(element, |name, value| match name {
            "rotation" => {
                screen.orientation =
                    rotation::parse(&value).ok_or(("a rotation from 0 to 3", value))?;
                Ok(())
            }
            "activity" => {
                screen.activity = value;
                Ok(())
            }
            _ => Ok(()),
        })?;
        self.screen = Some(screen);
        Ok(())
    }

    fn open_widget(&mut self, element: &BytesStart<'_>) -> Result<(), FormatError> {
        self.count += 1;
        if self.count > MAX_WIDGETS {
            return Err(self.error(format!("at most {MAX_WIDGETS} widgets"), "more"));
        }
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("widgets at most {MAX_DEPTH} deep"), "deeper ones"));
        }
        let (widget, package) = self.widget(element)?;
        let Some(screen) = self.screen.as_mut() else {
            return Err(self.error("one <hierarchy> around all widgets", "a widget outside of it"));
        };
        if self.depth == 1 && screen.windows.len() == MAX_WINDOWS {
            return Err(self.error(format!("at most {MAX_WINDOWS} windows"), "more"));
        }
        if self.depth == 1 {
            screen.windows.push(window(&screen.windows, package, widget.bounds));
        }
        if let Some(window) = screen.windows.last_mut() {
            window.widgets.push(widget);
        }
        Ok(())
    }

    fn widget(&self, element: &BytesStart<'_>) -> Result<(Widget, String), FormatError> {
        let name = element.name();
        let mut widget = Widget {
            depth: u16::try_from(self.depth - 1).unwrap_or(u16::MAX),
            class: if name.as_ref() == "node" { String::new() } else { name.as_ref().to_string() },
            // A dump leaves out invisible widgets, unless an attribute says otherwise.
            flags: Flags::VISIBLE,
            ..Widget::default()
        };
        let mut package = String::new();
        self.each_attribute(element, |name, value| {
            match name {
                "class" if !value.is_empty() => widget.class = value,
                "resource-id" => widget.id = value,
                "text" => widget.text = value,
                "content-desc" => widget.description = value,
                "package" => package = value,
                "bounds" => {
                    widget.bounds = bounds(&value).ok_or(("bounds such as [0,0][90,40]", value))?;
                }
                "visible-to-user" | "displayed" => {
                    widget.flags.set(Flags::VISIBLE, boolean(value)?);
                }
                _ => {
                    if let Some((_, flag)) = FLAGS.iter().find(|(known, _)| *known == name) {
                        widget.flags.set(*flag, boolean(value)?);
                    }
                }
            }
            Ok(())
        })?;
        widget.flags.set(Flags::EDITABLE, is_editable(&widget));
        Ok((widget, package))
    }

    /// Calls back with every attribute, unescaped. The callback's error is the expected and the
    /// found value.
    fn each_attribute(
        &self,
        element: &BytesStart<'_>,
        mut use_it: impl FnMut(&str, String) -> Result<(), (&'static str, String)>,
    ) -> Result<(), FormatError> {
        // A check for duplicates would cost the square of the number of attributes.
        for attribute in element.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|e| self.error("well-formed attributes", e.to_string()))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|e| self.error("no entities but XML's own", e.to_string()))?;
            use_it(attribute.key.as_ref(), value.into_owned())
                .map_err(|(expected, found)| self.error(expected, found))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Screen, FormatError> {
        if self.depth > 0 {
            return Err(self.error("a closing tag for every element", "the end of the file"));
        }
        match self.screen {
            Some(mut screen) => {
                if let Some(front) = screen.windows.last_mut() {
                    front.focused = true;
                }
                Ok(screen)
            }
            None => Err(self.error("a uiautomator dump, <hierarchy …>", "no element")),
        }
    }
}

/// Returns a window. The first root of a package is its activity, and any further one a dialog.
fn window(behind: &[Window], package: String, bounds: Rect) -> Window {
    let over = behind.iter().any(|window| window.package == package);
    let kind = if over { WindowKind::Dialog } else { WindowKind::Activity };
    Window { kind, package, title: String::new(), bounds, focused: false, widgets: Vec::new() }
}

fn is_editable(widget: &Widget) -> bool {
    let class = widget.short_class();
    class.ends_with("EditText") || class.ends_with("AutoCompleteTextView")
}

fn boolean(value: String) -> Result<bool, (&'static str, String)> {
    match value.as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(("true or false", value)),
    }
}

/// Parses `[left,top][right,bottom]`.
fn bounds(text: &str) -> Option<Rect> {
    let (left_top, right_bottom) = text.strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
    let pair = |text: &str| {
        let (a, b) = text.split_once(',')?;
        Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
    };
    let ((left, top), (right, bottom)) = (pair(left_top)?, pair(right_bottom)?);
    Some(Rect::new(left, top, right, bottom))
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}
