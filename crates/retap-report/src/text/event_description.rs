//! The description of an event as a sentence: "Tap *Add* in NotesList". Texts that come from the app stand out.

use super::names::{capitalize, simple_class_name};
use maud::{Markup, Render, html};
use retap_model::event::PinchDirection;
use retap_model::{Event, Key, Selector, Target};
use std::fmt;

/// Texts are cut after so many letters, so that a description stays readable.
const MAX_LETTERS: usize = 60;

/// An event as a sentence. It can be shown as plain text or as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDescription(Vec<TextPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum TextPart {
    /// Words of ours.
    Plain(String),
    /// A text that comes from the app or the user.
    Quoted(String),
}

impl EventDescription {
    /// Describes an event that was performed in an activity. `activity` is empty if it is not known.
    pub fn new(event: &Event, activity: &str) -> Self {
        let mut parts = describe(event);
        if !activity.is_empty() {
            parts.push(TextPart::Plain(format!(" in {}", simple_class_name(activity))));
        }
        Self(parts)
    }
}

fn describe(event: &Event) -> Vec<TextPart> {
    let with =
        |verb: &str, target: &Target| vec![TextPart::Plain(verb.into()), describe_target(target)];
    match event {
        Event::Tap(target) => with("Tap ", target),
        Event::LongPress(target) => with("Long-press ", target),
        Event::Pinch { on, direction: PinchDirection::Open } => with("Pinch open on ", on),
        Event::Pinch { on, direction: PinchDirection::Close } => with("Pinch close on ", on),
        Event::Drag { from, to, .. } => {
            let mut parts = with("Drag ", from);
            parts.push(TextPart::Plain(format!(" to ({}, {})", to.x, to.y)));
            parts
        }
        Event::Text { on, text } if text.is_empty() => with("Clear ", on),
        Event::Text { on, text } => vec![
            TextPart::Plain("Type ".into()),
            TextPart::Quoted(shorten(text)),
            TextPart::Plain(" into ".into()),
            describe_target(on),
        ],
        Event::Key(key) => vec![TextPart::Plain("Press ".into()), TextPart::Quoted(key_name(key))],
        other => vec![TextPart::Plain(capitalize(&shorten(&other.to_string())))],
    }
}

fn describe_target(target: &Target) -> TextPart {
    match (&target.on, target.at) {
        (Some(Selector { text, .. }), _) if !text.is_empty() => TextPart::Quoted(shorten(text)),
        (Some(Selector { description, .. }), _) if !description.is_empty() => {
            TextPart::Quoted(shorten(description))
        }
        (Some(Selector { id, .. }), _) if !id.is_empty() => TextPart::Quoted(shorten(id)),
        (Some(Selector { class, path, .. }), _) => {
            let position =
                path.as_deref().map_or_else(String::new, |path| format!(" at path {path}"));
            TextPart::Plain(format!("the {}{position}", simple_class_name(class)))
        }
        (None, Some(point)) => TextPart::Plain(format!("({}, {})", point.x, point.y)),
        (None, None) => TextPart::Plain("the focused widget".into()),
    }
}

fn key_name(key: &Key) -> String {
    capitalize(&key.name().replace('_', " "))
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

impl fmt::Display for EventDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            TextPart::Plain(text) => f.write_str(text),
            TextPart::Quoted(text) => write!(f, "{text:?}"),
        })
    }
}

impl Render for EventDescription {
    fn render(&self) -> Markup {
        html! {
            @for part in &self.0 {
                @match part {
                    TextPart::Plain(text) => (text),
                    // The text may be in any script, or change the direction of writing.
                    TextPart::Quoted(text) => strong { bdi { (text) } },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(event: &str, activity: &str, expected: &str) {
        let event: Event = serde_json::from_str(event).unwrap();
        assert_eq!(EventDescription::new(&event, activity).render().into_string(), expected);
    }

    #[test]
    fn an_event_is_described_by_a_sentence() {
        check(
            r#"{"tap":{"on":{"id":"add","text":"Add"}}}"#,
            "com.app.NotesList",
            "Tap <strong><bdi>Add</bdi></strong> in NotesList",
        );
        check(
            r#"{"text":{"on":{"on":{"id":"title"}},"text":"hi"}}"#,
            "",
            "Type <strong><bdi>hi</bdi></strong> into <strong><bdi>title</bdi></strong>",
        );
        check(r#"{"key":"dpad_up"}"#, "", "Press <strong><bdi>Dpad up</bdi></strong>");
        check(r#"{"rotate":"landscape"}"#, "a.B", "Rotate to landscape in B");
        check(r#"{"tap":{"at":[3,4]}}"#, "", "Tap (3, 4)");
        check(r#"{"tap":{"on":{"class":"a.Row","path":"0/1"}}}"#, "", "Tap the Row at path 0/1");
        check(
            r#"{"tap":{"on":{"text":"<script>"}}}"#,
            "",
            "Tap <strong><bdi>&lt;script&gt;</bdi></strong>",
        );
    }
}
