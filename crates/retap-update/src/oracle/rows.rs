//! Names the rows that events touch by their place in a list. A new row moves the others, and the same place is another row in the
//! other version; a person touches what the row says.

use crate::input::locate::target_of;
use crate::model::widget_of;
use retap_model::screen::WidgetRef;
use retap_model::widget::children;
use retap_model::{Event, Observation, Screen, Target};

/// Returns the events with the rows named that the screens before them show.
pub fn name_rows(events: &[Event], shown: &[Observation]) -> Vec<Event> {
    let name = |(step, event): (usize, &Event)| {
        let screen = shown.get(step).map(|observation| &*observation.screen);
        screen.and_then(|screen| name_row(event, screen)).unwrap_or_else(|| event.clone())
    };
    events.iter().enumerate().map(name).collect()
}

fn name_row(event: &Event, screen: &Screen) -> Option<Event> {
    match event {
        Event::Tap(target) => Some(Event::Tap(row_at(target, screen)?)),
        Event::LongPress(target) => Some(Event::LongPress(row_at(target, screen)?)),
        _ => None,
    }
}

/// Returns the first text of the row that a touch of a list meets.
fn row_at(target: &Target, screen: &Screen) -> Option<Target> {
    let (list, at) = (widget_of(target, screen)?, target.at?);
    let widgets = &list.window().widgets;
    if !widgets[list.index].text.is_empty() {
        return None;
    }
    let row = children(widgets, list.index)
        .find(|row| widgets[*row].is_live() && widgets[*row].bounds.contains(at))?;
    let depth = widgets[row].depth;
    let inside = (row + 1..widgets.len()).take_while(|it| widgets[*it].depth > depth);
    let mut all = std::iter::once(row).chain(inside);
    let text = all.find(|it| widgets[*it].is_live() && !widgets[*it].text.is_empty())?;
    Some(target_of(WidgetRef { index: text, ..list }))
}
