//! Finds the widget of a model's input on a screen, and the event that does the input.

use super::TextMemory;
use crate::model::ModelInput;
use retap_explore::DecisionRng;
use retap_model::screen::WidgetRef;
use retap_model::widget::children;
use retap_model::{Event, Flags, Key, Orientation, Point, Screen, Selector, Target};
use retap_static::InputEvent;

/// Returns true if a touched widget belongs to an input: it is the input's widget, or lies in it as a row in a list.
pub fn is_part_of(input: &ModelInput, widget: WidgetRef<'_>) -> bool {
    if has_id(input, widget) || has_text(input, widget) || says(input, &widget.widget().text) {
        return true;
    }
    let widgets = &widget.window().widgets;
    let mut depth = widgets[widget.index].depth;
    for index in (0..widget.index).rev() {
        if widgets[index].depth < depth {
            depth = widgets[index].depth;
            if has_id(input, WidgetRef { index, ..widget }) {
                return true;
            }
        }
    }
    false
}

/// Returns true if the input can be done on a screen.
pub fn is_available(input: &ModelInput, screen: &Screen) -> bool {
    match input.event {
        InputEvent::Menu | InputEvent::Back | InputEvent::Dismiss | InputEvent::Lifecycle => true,
        InputEvent::Result => false,
        InputEvent::Key => true,
        _ => !places(input, screen).is_empty(),
    }
}

/// Returns an event that does the input on a screen, or `None` if its widget is not there.
pub fn event_for(
    input: &ModelInput,
    screen: &Screen,
    texts: &TextMemory,
    rng: &mut DecisionRng,
) -> Option<Event> {
    match input.event {
        InputEvent::Menu => return Some(Event::Key(Key::menu())),
        InputEvent::Back | InputEvent::Dismiss => return Some(Event::Key(Key::back())),
        InputEvent::Lifecycle => {
            return Some(Event::Rotate(match screen.orientation {
                Orientation::Portrait => Orientation::Landscape,
                _ => Orientation::Portrait,
            }));
        }
        InputEvent::Key => {
            let keys = ["enter", "dpad_center", "search", "volume_down", "volume_up"];
            return rng.pick(&keys).and_then(|name| Key::new(name).ok()).map(Event::Key);
        }
        InputEvent::EditorAction => return Key::new("enter").ok().map(Event::Key),
        _ => {}
    }
    let places = places(input, screen);
    let place = *rng.pick(&places)?;
    let target = target_of(place);
    Some(match input.event {
        InputEvent::LongClick | InputEvent::ItemLongClick => Event::LongPress(target),
        InputEvent::TextChange => {
            let text = texts.draw(place.widget(), input.window, rng);
            Event::Text { on: target, text }
        }
        InputEvent::Swipe => {
            let ends = swipe_ends(place);
            Event::Drag { from: target, to: *rng.pick(&ends)?, ms: 200 }
        }
        _ => Event::Tap(target),
    })
}

/// Returns the target that names a widget and touches its centre.
pub fn target_of(widget: WidgetRef<'_>) -> Target {
    Target { on: Some(Selector::of(widget)), at: Some(widget.widget().bounds.center()) }
}

/// Returns the ends of the four swipes over a widget.
pub fn swipe_ends(widget: WidgetRef<'_>) -> [Point; 4] {
    let bounds = widget.widget().bounds;
    let Point { x, y } = bounds.center();
    let (dx, dy) = (bounds.width() / 3, bounds.height() / 3);
    [Point::new(x, y - dy), Point::new(x, y + dy), Point::new(x - dx, y), Point::new(x + dx, y)]
}

/// Returns the widgets that an event of this input may touch: the widget itself, or the rows and buttons in it.
fn places<'a>(input: &ModelInput, screen: &'a Screen) -> Vec<WidgetRef<'a>> {
    let named = named_widgets(input, screen);
    let inside = match input.event {
        InputEvent::ItemClick | InputEvent::ItemLongClick | InputEvent::CheckedChange => true,
        InputEvent::LongClick | InputEvent::Click | InputEvent::Touch => {
            // A list hands what is done to it to its rows.
            named.iter().any(|widget| is_list(widget.widget().short_class()))
        }
        _ => false,
    };
    if !inside {
        return named;
    }
    let rows = |widget: &WidgetRef<'a>| -> Vec<WidgetRef<'a>> {
        let widgets = &widget.window().widgets;
        let row = |index| WidgetRef { index, ..*widget };
        let rows = children(widgets, widget.index).map(row).filter(|row| row.widget().is_live());
        rows.collect()
    };
    let of_rows: Vec<WidgetRef<'a>> = named.iter().flat_map(rows).collect();
    // A check box or a switch has no rows: it is touched itself. An empty list offers nothing.
    let has_lists = named.iter().any(|widget| is_list(widget.widget().short_class()));
    if of_rows.is_empty() && !has_lists { named } else { of_rows }
}

fn is_list(class: &str) -> bool {
    ["ListView", "GridView", "RecyclerView", "RadioGroup"].iter().any(|name| class.ends_with(name))
}

fn named_widgets<'a>(input: &ModelInput, screen: &'a Screen) -> Vec<WidgetRef<'a>> {
    let live: Vec<WidgetRef<'a>> = screen
        .reachable()
        .flat_map(|(window, w)| {
            (0..w.widgets.len()).map(move |index| WidgetRef { screen, window, index })
        })
        .filter(|widget| widget.widget().is_live())
        .collect();
    let by_id: Vec<WidgetRef<'a>> =
        live.iter().copied().filter(|widget| has_id(input, *widget)).collect();
    if !by_id.is_empty() {
        return by_id;
    }
    let pressed: Vec<WidgetRef<'a>> =
        live.iter().copied().filter(|widget| has_text(input, *widget)).collect();
    if !pressed.is_empty() {
        return pressed;
    }
    // The rows of a menu are not pressed themselves: their list is.
    let is_wanted = |widget: &WidgetRef<'_>| says(input, &widget.widget().text);
    live.into_iter().filter(is_wanted).collect()
}

fn has_id(input: &ModelInput, widget: WidgetRef<'_>) -> bool {
    let name = input.widget.as_deref().map_or("", |name| name.rsplit('/').next().unwrap_or(name));
    !name.is_empty() && widget.widget().short_id() == name
}

/// Returns true if a widget that can be pressed shows the input's text. Rows of menus and preferences have no ids.
fn has_text(input: &ModelInput, widget: WidgetRef<'_>) -> bool {
    const PRESSED: Flags = Flags::CLICKABLE.union(Flags::LONG_CLICKABLE).union(Flags::CHECKABLE);
    if !widget.widget().flags.intersects(PRESSED) {
        return false;
    }
    says(input, widget.label()) || says(input, &widget.widget().description)
}

/// Returns true if a label is one of the input's texts.
fn says(input: &ModelInput, label: &str) -> bool {
    let is_same = |text: &str| text.eq_ignore_ascii_case(label);
    let texts = input.texts.iter().map(String::as_str).chain(input.widget.as_deref());
    !label.is_empty() && texts.into_iter().any(is_same)
}

/// Returns true for a list that shows rows.
pub fn has_rows(widget: WidgetRef<'_>) -> bool {
    let widgets = &widget.window().widgets;
    is_list(widget.widget().short_class())
        && children(widgets, widget.index).any(|row| widgets[row].is_live())
}

/// Returns the rows of a list that a touch can reach and that are not pressed by themselves: each by its first text, which
/// names it.
pub fn rows_of(list: WidgetRef<'_>) -> Vec<WidgetRef<'_>> {
    if !is_list(list.widget().short_class()) {
        return Vec::new();
    }
    let widgets = &list.window().widgets;
    let row = |index: usize| {
        let depth = widgets[index].depth;
        let inside = (index + 1..widgets.len()).take_while(|it| widgets[*it].depth > depth);
        let mut all = std::iter::once(index).chain(inside);
        let named = all.find(|it| widgets[*it].is_live() && !widgets[*it].text.is_empty());
        WidgetRef { index: named.unwrap_or(index), ..list }
    };
    let is_plain = |index: &usize| widgets[*index].is_live() && !widgets[*index].is_actionable();
    children(widgets, list.index).filter(is_plain).map(row).collect()
}
