//! The places of the app under test where the checks find what they need.

use retap_model::{Event, Selector};

/// One entry for each kind of check. A check whose entry is `None` is skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConformanceScript {
    pub counter: Option<CounterScript>,
    pub typing: Option<TypingScript>,
    pub dialog: Option<DialogScript>,
    pub hold: Option<HoldScript>,
    pub list: Option<ListScript>,
    /// A button that disappears when it is tapped.
    pub vanishing: Option<Selector>,
    /// A label that says `portrait` or `landscape`.
    pub orientation: Option<Selector>,
    pub crash: Option<CrashScript>,
    /// An event that loses the device, on the first screen.
    pub loss: Option<Event>,
}

/// A button that changes a label's text at every tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterScript {
    pub button: Selector,
    pub label: Selector,
}

/// A button that crashes the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashScript {
    pub button: Selector,
    /// The exception's class.
    pub exception: String,
}

/// A text field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypingScript {
    pub field: Selector,
    /// Shows the field's text.
    pub echo: Selector,
}

/// A dialog with an answer to tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogScript {
    pub open: Selector,
    pub answer: Selector,
    /// Shows `answered` after a tap on the answer.
    pub label: Selector,
    pub answered: String,
}

/// A widget that shows choices after a long press and nothing after a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldScript {
    pub target: Selector,
    pub choice: Selector,
    /// Shows `chosen` after a tap on the choice.
    pub label: Selector,
    pub chosen: String,
}

/// A list that is longer than the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListScript {
    pub open: Selector,
    pub list: Selector,
    /// The text of the first item. One long drag scrolls it out.
    pub first: String,
    /// The text of the last item. It is not visible at first.
    pub last: String,
}

impl ConformanceScript {
    /// Returns the script of the app that retap carries for this purpose: `fixtures/conform.apk` and `fakes/conform.fake`.
    pub fn conform() -> ConformanceScript {
        ConformanceScript {
            counter: Some(CounterScript { button: id("counter"), label: id("count") }),
            typing: Some(TypingScript { field: id("input"), echo: id("echo") }),
            dialog: Some(DialogScript {
                open: id("dialog"),
                answer: id("button1"),
                label: id("answer"),
                answered: "yes".into(),
            }),
            hold: Some(HoldScript {
                target: id("hold"),
                // All rows of a menu have the same framework id: only their text differs.
                choice: Selector { text: "Once".into(), ..Selector::default() },
                label: id("held"),
                chosen: "Once".into(),
            }),
            list: Some(ListScript {
                open: id("list"),
                list: id("rows"),
                first: "Row 1".into(),
                last: "Row 40".into(),
            }),
            vanishing: Some(id("vanish")),
            orientation: Some(id("orientation")),
            crash: Some(CrashScript {
                button: id("crash"),
                exception: "java.lang.RuntimeException".into(),
            }),
            loss: None,
        }
    }
}

fn id(name: &str) -> Selector {
    Selector { id: name.into(), ..Selector::default() }
}
