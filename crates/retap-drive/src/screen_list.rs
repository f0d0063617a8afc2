//! A screen as a list of widgets: those that an event can act on have numbers, the others are there to be read.

use retap_model::event::PinchDirection;
use retap_model::screen::WidgetRef;
use retap_model::{Event, Flags, Point, Rect, Screen, Selector, Target};
use serde::Serialize;
use std::fmt::Write;
use std::str::FromStr;

/// The longest label that the text form shows.
const MAX_LABEL: usize = 80;
/// The most lines of the text form, so that a screen fits into a conversation.
const MAX_LINES: usize = 150;

/// A screen as a list.
#[derive(Debug, Clone, Serialize)]
pub struct ScreenList {
    pub activity: String,
    pub orientation: String,
    /// The kind and title of the window in front.
    pub window: String,
    pub widgets: Vec<ListedWidget>,
}

/// One widget of the list.
#[derive(Debug, Clone, Serialize)]
pub struct ListedWidget {
    /// From 1, for a widget that an event can act on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Its depth below the root of its window.
    pub depth: u16,
    /// The window that it belongs to, from the back to the front.
    pub window: usize,
    /// What it is to a person: button, field, checkbox, list, text, image.
    pub kind: &'static str,
    pub class: String,
    pub id: String,
    pub label: String,
    pub description: String,
    /// What is worth knowing: checked, disabled, scrolls, takes long presses, password, focused.
    pub notes: Vec<&'static str>,
    pub bounds: Rect,
    /// The selector that an event on it would record.
    pub selector: Selector,
}

/// The direction in which a finger goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swipe {
    Up,
    Down,
    Left,
    Right,
}

impl FromStr for Swipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "up" => Ok(Self::Up),
            "down" => Ok(Self::Down),
            "left" => Ok(Self::Left),
            "right" => Ok(Self::Right),
            _ => Err(format!("expected up, down, left or right, found {text:?}")),
        }
    }
}

impl ScreenList {
    /// Lists the visible widgets that say something or can be acted on, the windows from the back to the front.
    pub fn of(screen: &Screen) -> Self {
        let actionable: Vec<(usize, usize)> =
            screen.actionable().map(|widget| (widget.window, widget.index)).collect();
        let mut widgets = Vec::new();
        for (window, one) in screen.windows.iter().enumerate() {
            for index in 0..one.widgets.len() {
                let widget = WidgetRef { screen, window, index };
                let place = actionable.iter().position(|known| *known == (window, index));
                let says =
                    !widget.widget().text.is_empty() || !widget.widget().description.is_empty();
                if widget.widget().has(Flags::VISIBLE) && (place.is_some() || says) {
                    widgets.push(ListedWidget::of(widget, place.map(|place| place + 1)));
                }
            }
        }
        let front = screen.front();
        Self {
            activity: screen.activity.clone(),
            orientation: screen.orientation.to_string(),
            window: front.map_or_else(String::new, |window| {
                format!("{:?} {}", window.kind, window.title).to_lowercase().trim().to_string()
            }),
            widgets,
        }
    }

    /// Returns the widget with this number.
    pub fn find(&self, number: usize) -> Option<&ListedWidget> {
        self.widgets.iter().find(|widget| widget.number == Some(number))
    }

    /// Renders the list as a few lines of text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for widget in self.widgets.iter().take(MAX_LINES) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{widget}");
        }
        if self.widgets.len() > MAX_LINES {
            let _ = writeln!(text, "… and {} more widgets", self.widgets.len() - MAX_LINES);
        }
        if self.widgets.is_empty() {
            text.push_str("no widget is visible\n");
        }
        text
    }
}

impl std::fmt::Display for ListedWidget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.number {
            Some(number) => write!(f, "{number:>3} ")?,
            None => f.write_str("    ")?,
        }
        f.write_str(self.kind)?;
        let label = if self.label.is_empty() { &self.description } else { &self.label };
        if !label.is_empty() {
            let short: String = label.chars().take(MAX_LABEL).collect();
            let dots = if short.len() < label.len() { "…" } else { "" };
            write!(f, " {:?}{dots}", short)?;
        }
        if !self.id.is_empty() {
            write!(f, " #{}", self.id)?;
        }
        if !self.notes.is_empty() {
            write!(f, " ({})", self.notes.join(", "))?;
        }
        Ok(())
    }
}

impl ListedWidget {
    fn of(widget: WidgetRef<'_>, number: Option<usize>) -> Self {
        let own = widget.widget();
        Self {
            number,
            depth: own.depth,
            window: widget.window,
            kind: kind_of(widget),
            class: own.class.clone(),
            id: own.short_id().to_string(),
            label: if number.is_some() { widget.label() } else { &own.text }.to_string(),
            description: own.description.clone(),
            notes: notes_of(own.flags),
            bounds: own.bounds,
            selector: Selector::of(widget),
        }
    }

    /// Returns the target of an event on the widget.
    pub fn target(&self) -> Target {
        Target { on: Some(self.selector.clone()), at: Some(self.bounds.center()) }
    }

    /// Returns the event of a finger that goes over the widget in a direction: what lies beyond the other end comes up.
    pub fn swipe(&self, direction: Swipe) -> Event {
        let Rect { left, top, right, bottom } = self.bounds;
        let third = |low: i32, high: i32| high.saturating_sub(low) / 3;
        let (x, y) = (third(left, right), third(top, bottom));
        let Point { x: middle_x, y: middle_y } = self.bounds.center();
        let to = match direction {
            Swipe::Up => Point::new(middle_x, middle_y.saturating_sub(y)),
            Swipe::Down => Point::new(middle_x, middle_y.saturating_add(y)),
            Swipe::Left => Point::new(middle_x.saturating_sub(x), middle_y),
            Swipe::Right => Point::new(middle_x.saturating_add(x), middle_y),
        };
        Event::Drag { from: self.target(), to, ms: 200 }
    }

    /// Returns the event of two fingers on the widget.
    pub fn pinch(&self, direction: PinchDirection) -> Event {
        Event::Pinch { on: self.target(), direction }
    }
}

fn kind_of(widget: WidgetRef<'_>) -> &'static str {
    let own = widget.widget();
    let class = own.short_class();
    if own.has(Flags::EDITABLE) {
        "field"
    } else if class.contains("RadioButton") {
        "radio button"
    } else if class.contains("Switch") || class.contains("ToggleButton") {
        "switch"
    } else if own.has(Flags::CHECKABLE) {
        "checkbox"
    } else if class.contains("SeekBar") {
        "slider"
    } else if class.contains("Spinner") {
        "choice"
    } else if own.has(Flags::SCROLLABLE) {
        "list"
    } else if class.contains("Button") {
        "button"
    } else if own.has(Flags::CLICKABLE) {
        "item"
    } else if class.contains("Image") {
        "image"
    } else {
        "text"
    }
}

fn notes_of(flags: Flags) -> Vec<&'static str> {
    let notes = [
        (Flags::CHECKED, "checked"),
        (Flags::SELECTED, "selected"),
        (Flags::FOCUSED, "focused"),
        (Flags::PASSWORD, "password"),
        (Flags::SCROLLABLE, "scrolls"),
        (Flags::LONG_CLICKABLE, "long press"),
    ];
    let set = notes.into_iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, note)| note);
    let disabled = (!flags.contains(Flags::ENABLED)).then_some("disabled");
    set.chain(disabled).collect()
}
