//! A step as a sentence: "Tap *Add* in NotesList". What the app named stands out.

use maud::{Markup, Render, html};
use retap_model::event::PinchDirection;
use retap_model::{Event, Key, Selector, Target};
use std::fmt;

/// Longer texts are cut: a sentence is to be read.
const LONGEST: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Plain(String),
    Named(String),
}

impl Sentence {
    /// `activity` is where the event was done; empty where that is not known.
    pub fn new(event: &Event, activity: &str) -> Self {
        let mut pieces = pieces(event);
        if !activity.is_empty() {
            pieces.push(Piece::Plain(format!(" in {}", short(activity))));
        }
        Self(pieces)
    }
}

fn pieces(event: &Event) -> Vec<Piece> {
    let with = |verb: &str, target: &Target| vec![Piece::Plain(verb.into()), named(target)];
    match event {
        Event::Tap(target) => with("Tap ", target),
        Event::LongPress(target) => with("Long-press ", target),
        Event::Pinch { on, way: PinchDirection::Open } => with("Pinch open on ", on),
        Event::Pinch { on, way: PinchDirection::Close } => with("Pinch close on ", on),
        Event::Drag { from, to, .. } => {
            let mut pieces = with("Drag ", from);
            pieces.push(Piece::Plain(format!(" to ({}, {})", to.x, to.y)));
            pieces
        }
        Event::Text { on, text } if text.is_empty() => with("Empty ", on),
        Event::Text { on, text } => vec![
            Piece::Plain("Type ".into()),
            Piece::Named(cut(text)),
            Piece::Plain(" into ".into()),
            named(on),
        ],
        Event::Key(key) => vec![Piece::Plain("Press ".into()), Piece::Named(key_name(key))],
        other => vec![Piece::Plain(capital(&cut(&other.to_string())))],
    }
}

fn named(target: &Target) -> Piece {
    match (&target.on, target.at) {
        (Some(Selector { text, .. }), _) if !text.is_empty() => Piece::Named(cut(text)),
        (Some(Selector { description, .. }), _) if !description.is_empty() => {
            Piece::Named(cut(description))
        }
        (Some(Selector { id, .. }), _) if !id.is_empty() => Piece::Named(cut(id)),
        (Some(Selector { class, path, .. }), _) => {
            let place = path.as_deref().map_or_else(String::new, |path| format!(" at {path}"));
            Piece::Plain(format!("the {}{place}", short(class)))
        }
        (None, Some(point)) => Piece::Plain(format!("({}, {})", point.x, point.y)),
        (None, None) => Piece::Plain("what has the focus".into()),
    }
}

/// The class's own name, without its package.
pub fn short(class: &str) -> &str {
    class.rsplit(['.', '$']).next().filter(|name| !name.is_empty()).unwrap_or(class)
}

/// How an activity is called where there must be a name.
pub fn activity_name(activity: &str) -> &str {
    if activity.is_empty() { "no activity" } else { short(activity) }
}

fn key_name(key: &Key) -> String {
    capital(&key.name().replace('_', " "))
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Plain(text) => f.write_str(text),
            Piece::Named(name) => write!(f, "{name:?}"),
        })
    }
}

impl Render for Sentence {
    fn render(&self) -> Markup {
        html! {
            @for piece in &self.0 {
                @match piece {
                    Piece::Plain(text) => (text),
                    // A name may be written in any script, or turn the direction of writing.
                    Piece::Named(name) => strong { bdi { (name) } },
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
        assert_eq!(Sentence::new(&event, activity).render().into_string(), expected);
    }

    #[test]
    fn events_read_as_sentences() {
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
        check(r#"{"tap":{"on":{"class":"a.Row","path":"0/1"}}}"#, "", "Tap the Row at 0/1");
        check(
            r#"{"tap":{"on":{"text":"<script>"}}}"#,
            "",
            "Tap <strong><bdi>&lt;script&gt;</bdi></strong>",
        );
    }
}
