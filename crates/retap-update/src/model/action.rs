//! What an event is in the abstract graph: its kind, the attributes of its widget, and what else tells it apart.

use retap_model::abstraction::{Level, valuation_of};
use retap_model::screen::WidgetRef;
use retap_model::{Event, Flags, Point, Screen, Target};

/// The kinds of events that abstract transitions tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UiAction {
    Tap,
    LongPress,
    Swipe,
    Pinch,
    Text,
    Key,
    Rotate,
    Intent,
    System,
    Wait,
    Launch,
    Close,
    Hasty,
}

/// An event without the details that its window's abstraction leaves out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct AbstractAction {
    pub kind: UiAction,
    /// The hash of the widget's attribute valuation map; none for events without a widget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<u64>,
    /// A swipe's direction, a key's name, an intent's text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data: String,
}

impl AbstractAction {
    /// Returns the action of an event on a screen.
    pub fn of(event: &Event, screen: &Screen, level: Level) -> Self {
        let (kind, data) = match event {
            Event::Tap(_) => (UiAction::Tap, String::new()),
            Event::LongPress(_) => (UiAction::LongPress, String::new()),
            Event::Drag { from, to, .. } => (UiAction::Swipe, direction(from, *to).to_string()),
            Event::Pinch { direction, .. } => (UiAction::Pinch, format!("{direction:?}")),
            // The text itself is data of the app, as in the paper: typing is one action of its field.
            Event::Text { .. } => (UiAction::Text, String::new()),
            Event::Key(key) => (UiAction::Key, key.name().to_string()),
            Event::Rotate(orientation) => (UiAction::Rotate, format!("{orientation:?}")),
            Event::Intent(_) => (UiAction::Intent, event.to_string()),
            Event::System(_) => (UiAction::System, event.to_string()),
            Event::Wait(_) => (UiAction::Wait, String::new()),
            Event::Launch => (UiAction::Launch, String::new()),
            Event::Close => (UiAction::Close, String::new()),
            Event::Hasty(_) => (UiAction::Hasty, event.to_string()),
        };
        let widget = event.target().and_then(|target| widget_of(target, screen));
        let widget = widget.map(|widget| valuation_of(widget.window(), widget.index, level));
        Self { kind, widget, data }
    }

    /// Returns true if the action counts against budgets. Typing and ticking a box seldom lead anywhere.
    pub fn is_counted(event: &Event, screen: &Screen) -> bool {
        match event {
            Event::Text { .. } => false,
            Event::Tap(target) => !widget_of(target, screen)
                .is_some_and(|widget| widget.widget().has(Flags::CHECKABLE)),
            _ => true,
        }
    }
}

/// Returns the widget that a target names or touches.
pub fn widget_of<'a>(target: &Target, screen: &'a Screen) -> Option<WidgetRef<'a>> {
    let named = target.on.as_ref().and_then(|selector| selector.find(screen));
    named.map(|found| found.widget).or_else(|| screen.widget_at(target.at?))
}

/// Returns the box, switch or radio button that an event sets, by its place.
pub fn set_box(event: &Event, screen: &Screen) -> Option<String> {
    let Event::Tap(target) = event else { return None };
    let widget = widget_of(target, screen)?;
    widget.widget().has(Flags::CHECKABLE).then(|| {
        let path = target.on.as_ref().and_then(|selector| selector.path.clone());
        format!("{} {}", widget.widget().short_id(), path.unwrap_or_default())
    })
}

fn direction(from: &Target, to: Point) -> &'static str {
    let (dx, dy) = from.at.map_or((0, 0), |at| (to.x - at.x, to.y - at.y));
    match (dx.abs() > dy.abs(), dx > 0, dy > 0) {
        (true, true, _) => "right",
        (true, false, _) => "left",
        (false, _, true) => "down",
        (false, _, false) => "up",
    }
}
