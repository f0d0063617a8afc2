//! Where things are found in the app that a device is checked with.

use retap_model::Selector;

/// What is `None` is skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// A button and the label whose text it changes at every tap.
    pub counter: Option<(Selector, Selector)>,
    pub typing: Option<TypingScript>,
    pub dialog: Option<DialogScript>,
    pub hold: Option<HoldScript>,
    pub list: Option<ListScript>,
    /// A button that disappears when it is tapped.
    pub vanishing: Option<Selector>,
    /// A label that says `portrait` or `landscape`.
    pub orientation: Option<Selector>,
    /// A button that crashes the app, and the exception's class.
    pub crash: Option<(Selector, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypingScript {
    pub field: Selector,
    /// Shows what the field holds.
    pub echo: Selector,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogScript {
    pub open: Selector,
    pub answer: Selector,
    /// Shows `answered` once the answer was tapped.
    pub label: Selector,
    pub answered: String,
}

/// A widget that shows choices when it is long-pressed, and nothing when it is tapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldScript {
    pub target: Selector,
    pub choice: Selector,
    /// Shows `chosen` once the choice was tapped.
    pub label: Selector,
    pub chosen: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListScript {
    pub open: Selector,
    pub list: Selector,
    /// The text of the first item; it is scrolled out by one long drag.
    pub first: String,
    /// The text of the last; it is not seen at first.
    pub last: String,
}

impl Script {
    /// For the app that retap carries for this: `fixtures/conform.apk` and `fakes/conform.fake`.
    pub fn conform() -> Script {
        Script {
            counter: Some((id("counter"), id("count"))),
            typing: Some(TypingScript { field: id("input"), echo: id("echo") }),
            dialog: Some(DialogScript {
                open: id("dialog"),
                answer: id("button1"),
                label: id("answer"),
                answered: "yes".into(),
            }),
            hold: Some(HoldScript {
                target: id("hold"),
                // A menu's rows have the framework's ids, so that only the text tells them apart.
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
            crash: Some((id("crash"), "java.lang.RuntimeException".into())),
        }
    }
}

fn id(name: &str) -> Selector {
    Selector { id: name.into(), ..Selector::default() }
}
