//! The screen that a device shows at rest: the activity in front and its windows, from back to
//! front.

use crate::event::Orientation;
use crate::geometry::{Point, Rect};
use crate::hash::{StableHasher, hex_id};
use crate::widget::{Flags, Widget};
use serde::{Deserialize, Serialize};

/// Everything that the device shows at rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// The fully qualified class of the activity in front, or empty if the app shows none.
    pub activity: String,
    #[serde(default)]
    pub orientation: Orientation,
    /// Back to front.
    pub windows: Vec<Window>,
}

/// An activity, dialog, menu, popup, toast or keyboard on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    pub kind: WindowKind,
    pub package: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub bounds: Rect,
    /// True if keys and touches go to this window. Nobody can touch windows behind a focused
    /// dialog.
    pub focused: bool,
    /// In pre-order; see [`crate::widget`].
    pub widgets: Vec<Widget>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    Activity,
    Dialog,
    Menu,
    Popup,
    Keyboard,
    Toast,
    /// A window of the system or of another app.
    Outside,
}

impl Window {
    /// Returns true if touches act on this window. A toast lets them through, and a text event does
    /// what a keyboard would.
    pub fn takes_touches(&self) -> bool {
        !matches!(self.kind, WindowKind::Toast | WindowKind::Keyboard)
    }
}

hex_id!(
    /// The hash of a whole screen: equal ids mean equal screens. Thirty-two hexadecimal digits.
    ScreenId, u128, 32
);

impl Screen {
    pub fn id(&self) -> ScreenId {
        let mut hasher = StableHasher::new("screen");
        hasher.str(&self.activity).u64(self.orientation as u64).u64(self.windows.len() as u64);
        for window in &self.windows {
            hasher.u64(window.kind as u64).str(&window.package).str(&window.title);
            hash_rect(&mut hasher, &window.bounds);
            hasher.u64(window.focused.into()).u64(window.widgets.len() as u64);
            for widget in &window.widgets {
                hasher.u64(u64::from(widget.depth) << 32 | u64::from(widget.flags.bits()));
                hasher.str(&widget.class).str(&widget.id);
                hasher.str(&widget.text).str(&widget.description);
                hash_rect(&mut hasher, &widget.bounds);
            }
        }
        ScreenId(hasher.finish128())
    }

    /// Returns the windows that touches can reach, front first, down to and including the focused
    /// one. Windows in front of it without the focus, such as a list of completions, are reachable
    /// too.
    pub fn reachable(&self) -> impl Iterator<Item = (usize, &Window)> {
        let last = self
            .windows
            .iter()
            .rposition(|w| w.focused && w.takes_touches())
            .or_else(|| self.windows.iter().rposition(Window::takes_touches))
            .unwrap_or(self.windows.len());
        self.windows.iter().enumerate().skip(last).rev().filter(|(_, w)| w.takes_touches())
    }

    /// Returns the frontmost window that takes touches.
    pub fn front(&self) -> Option<&Window> {
        self.reachable().next().map(|(_, window)| window)
    }

    /// Returns the widgets that an event can act on, front window first, in tree order.
    pub fn actionable(&self) -> impl Iterator<Item = WidgetRef<'_>> {
        self.reachable().flat_map(move |(window, w)| {
            w.widgets
                .iter()
                .enumerate()
                .filter(|(_, widget)| widget.is_actionable())
                .map(move |(index, _)| WidgetRef { screen: self, window, index })
        })
    }

    /// Returns the deepest live widget of the front window under a point.
    pub fn widget_at(&self, point: Point) -> Option<WidgetRef<'_>> {
        let (window, w) = self.reachable().next()?;
        let hit = |widget: &Widget| widget.is_live() && widget.bounds.contains(point);
        let index = w.widgets.iter().rposition(hit)?;
        Some(WidgetRef { screen: self, window, index })
    }

    /// Returns all visible texts, front window first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let visible = |widget: &&Widget| widget.has(Flags::VISIBLE);
        self.windows
            .iter()
            .rev()
            .flat_map(move |w| w.widgets.iter().filter(visible))
            .flat_map(|widget| [widget.text.as_str(), widget.description.as_str()])
            .filter(|text| !text.is_empty())
    }
}

fn hash_rect(hasher: &mut StableHasher, rect: &Rect) {
    hasher.i32(rect.left).i32(rect.top).i32(rect.right).i32(rect.bottom);
}

/// A widget with its place in the screen, which is enough to make a selector.
#[derive(Debug, Clone, Copy)]
pub struct WidgetRef<'a> {
    pub screen: &'a Screen,
    pub window: usize,
    pub index: usize,
}

impl<'a> WidgetRef<'a> {
    pub fn window(&self) -> &'a Window {
        &self.screen.windows[self.window]
    }

    pub fn widget(&self) -> &'a Widget {
        &self.window().widgets[self.index]
    }

    /// Returns what a person would read on the widget: its own text, or the first text inside a row
    /// or button that consists of several widgets. A scrolling container is not named by its
    /// content. A text inside another widget that can be pressed names that widget instead.
    pub fn label(&self) -> &'a str {
        const PRESSED: Flags =
            Flags::CLICKABLE.union(Flags::LONG_CLICKABLE).union(Flags::CHECKABLE);
        let widgets = &self.window().widgets;
        let own = &widgets[self.index];
        let named_by_content = own.text.is_empty()
            && own.flags.intersects(PRESSED)
            && !own.flags.intersects(Flags::SCROLLABLE | Flags::EDITABLE);
        if !named_by_content {
            return &own.text;
        }
        let mut pressed_above = u16::MAX;
        widgets[self.index + 1..]
            .iter()
            .take_while(|inside| inside.depth > own.depth)
            .filter(|inside| {
                if inside.depth <= pressed_above {
                    let pressed = inside.flags.intersects(PRESSED);
                    pressed_above = if pressed { inside.depth } else { u16::MAX };
                }
                pressed_above == u16::MAX && !inside.has(Flags::EDITABLE)
            })
            .map(|inside| inside.text.as_str())
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    }

    /// Returns the child positions from the window's root, `"0/2/1"`. The root's path is empty.
    pub fn path(&self) -> String {
        let widgets = &self.window().widgets;
        let mut positions = Vec::new();
        let mut index = self.index;
        while widgets[index].depth > 0 && index > 0 {
            let depth = widgets[index].depth;
            let mut position = 0u32;
            let mut above = index;
            while above > 0 {
                above -= 1;
                if widgets[above].depth == depth {
                    position += 1;
                } else if widgets[above].depth < depth {
                    break;
                }
            }
            positions.push(position.to_string());
            index = above;
        }
        positions.reverse();
        positions.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(kind: WindowKind, depths: &[u16]) -> Window {
        let live = Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE;
        let widget = |&depth| Widget {
            depth,
            flags: live,
            bounds: Rect::new(0, 0, 9, 9),
            ..Widget::default()
        };
        Window {
            kind,
            package: "p".into(),
            title: String::new(),
            bounds: Rect::new(0, 0, 9, 9),
            focused: true,
            widgets: depths.iter().map(widget).collect(),
        }
    }

    #[test]
    fn a_path_counts_siblings_only() {
        let screen = Screen {
            windows: vec![window(WindowKind::Activity, &[0, 1, 2, 1, 2, 2, 3])],
            ..Screen::default()
        };
        let path = |index| WidgetRef { screen: &screen, window: 0, index }.path();
        assert_eq!([path(0), path(2), path(3), path(6)], ["", "0/0", "1", "1/1/0"]);
    }

    #[test]
    fn a_dialog_hides_what_is_behind_it_and_a_toast_does_not() {
        let mut screen = Screen {
            windows: vec![
                window(WindowKind::Activity, &[0]),
                window(WindowKind::Dialog, &[0]),
                window(WindowKind::Toast, &[0]),
            ],
            ..Screen::default()
        };
        assert_eq!(screen.front().unwrap().kind, WindowKind::Dialog);
        assert_eq!(screen.actionable().count(), 1);
        screen.windows.remove(1);
        assert_eq!(screen.front().unwrap().kind, WindowKind::Activity);
    }

    #[test]
    fn any_difference_changes_the_screen_id() {
        let one =
            Screen { windows: vec![window(WindowKind::Activity, &[0, 1])], ..Screen::default() };
        let mut other = one.clone();
        assert_eq!(one.id(), other.id());
        other.windows[0].widgets[1].bounds.top = 1;
        assert_ne!(one.id(), other.id());
    }
}
