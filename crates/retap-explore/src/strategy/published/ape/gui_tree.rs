//! What APE's reducers can see of a screen: its actions, each with the attributes of its widget.

use super::super::actions::offered_actions;
use crate::decision_rng::DecisionRng;
use retap_model::hash::StableHasher;
use retap_model::{App, Event, Key, Screen, Selector};

/// The attributes of a widget, as hashes, in the order of the bits of [`super::naming::Reducer`].
pub type Attributes = [u64; 4];

/// An action on a widget, or on the device if it has no widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeAction {
    pub kind: TreeActionKind,
    /// `None` for keys.
    pub attributes: Option<Attributes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeActionKind {
    Tap,
    LongPress,
    Scroll(ScrollDirection),
    Type,
    Back,
    Menu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScrollDirection {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GuiTree {
    pub activity: String,
    /// In order, so that equal screens are equal trees.
    pub actions: Vec<TreeAction>,
}

impl GuiTree {
    pub fn of(screen: &Screen, app: &App) -> Self {
        // The texts of these actions are never typed.
        let offers = offered_actions(screen, app, &mut DecisionRng::new(0, 0));
        let mut actions: Vec<TreeAction> =
            offers.iter().filter_map(|offer| TreeAction::of(&offer.event)).collect();
        actions.sort_unstable();
        Self { activity: screen.activity.clone(), actions }
    }
}

impl TreeAction {
    /// Returns the action that an event performs; `None` if APE's model does not know such events.
    pub fn of(event: &Event) -> Option<Self> {
        let kind = match event {
            Event::Tap(_) => TreeActionKind::Tap,
            Event::LongPress(_) => TreeActionKind::LongPress,
            Event::Text { .. } => TreeActionKind::Type,
            Event::Drag { from, to, .. } => {
                let (dx, dy) = from.at.map_or((0, 0), |at| (to.x - at.x, to.y - at.y));
                TreeActionKind::Scroll(match (dx.abs() > dy.abs(), dx > 0, dy > 0) {
                    (true, true, _) => ScrollDirection::Right,
                    (true, false, _) => ScrollDirection::Left,
                    (false, _, true) => ScrollDirection::Down,
                    (false, _, false) => ScrollDirection::Up,
                })
            }
            Event::Key(key) if *key == Key::back() => TreeActionKind::Back,
            Event::Key(key) if *key == Key::menu() => TreeActionKind::Menu,
            _ => return None,
        };
        let on = event.target().and_then(|target| target.on.as_ref());
        let needs_widget = !matches!(kind, TreeActionKind::Back | TreeActionKind::Menu);
        match (needs_widget, on) {
            (true, None) => None,
            _ => Some(Self { kind, attributes: on.map(attributes_of) }),
        }
    }

    /// Returns APE's empirical priority of the kind.
    pub fn priority(self) -> u32 {
        match self.kind {
            TreeActionKind::Tap | TreeActionKind::Type => 4,
            TreeActionKind::Scroll(ScrollDirection::Up | ScrollDirection::Right) => 3,
            TreeActionKind::Scroll(_) | TreeActionKind::LongPress => 2,
            TreeActionKind::Back | TreeActionKind::Menu => 1,
        }
    }
}

/// Hashes the type, the text, the index among the siblings and the ancestors of a widget.
fn attributes_of(on: &Selector) -> Attributes {
    let path = on.path.as_deref().unwrap_or_default();
    let (ancestors, index) = path.rsplit_once('/').unwrap_or(("", path));
    let hash = |parts: [&str; 2]| {
        let mut hasher = StableHasher::new("attribute");
        hasher.str(parts[0]).str(parts[1]);
        hasher.finish()
    };
    [
        hash([&on.class, &on.id]),
        hash([&on.text, &on.description]),
        hash([index, ""]),
        hash([ancestors, ""]),
    ]
}
