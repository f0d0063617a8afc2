//! `uiautomator dump`: the XML between whatever else was printed, or why there is none.

use retap_model::Screen;
use retap_model::format::uiautomator;

/// Why there is no dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDump {
    /// The screen never stops moving.
    NotIdle,
    /// The window in front does not answer.
    NoRoot,
    /// The dump was cut, or is no dump.
    Damaged(String),
    /// Anything else, in uiautomator's words.
    Said(String),
}

/// Reads the screen: one window, the one in front, without its kind.
pub fn parse_dump(text: &str) -> Result<Screen, NoDump> {
    let Some(start) = text.find("<?xml").or_else(|| text.find("<hierarchy")) else {
        return Err(reason(text));
    };
    let xml = &text[start..];
    let Some(end) = xml.rfind("</hierarchy>") else {
        // An empty screen is written as one element.
        let closed = xml.find("/>").map(|at| &xml[..at + 2]).filter(|it| !it.contains("<node"));
        return match closed {
            Some(xml) => read(xml),
            None => Err(NoDump::Damaged("the dump was cut".into())),
        };
    };
    read(&xml[..end + "</hierarchy>".len()])
}

fn read(xml: &str) -> Result<Screen, NoDump> {
    uiautomator::read(xml.as_bytes(), "the dump")
        .map_err(|error| NoDump::Damaged(error.to_string()))
}

fn reason(text: &str) -> NoDump {
    if text.contains("could not get idle state") {
        NoDump::NotIdle
    } else if text.contains("null root node") {
        NoDump::NoRoot
    } else {
        let words: Vec<&str> = text.split_whitespace().take(30).collect();
        NoDump::Said(words.join(" "))
    }
}
