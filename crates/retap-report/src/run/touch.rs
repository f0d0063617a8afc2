//! Where an event touches the screen, so that a picture can show it.

use retap_model::event::PinchDirection;
use retap_model::{Event, Point, Target};

/// A mark on the picture of the screen before an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TouchMark {
    Tap(Point),
    LongPress(Point),
    Drag(Point, Point),
    Pinch(Point, PinchDirection),
    /// A text goes into the field here.
    Text(Point),
}

impl TouchMark {
    /// Returns the marks of an event. Keys, rotations and the like touch nothing.
    pub fn of(event: &Event) -> Vec<Self> {
        event.parts().iter().filter_map(mark).collect()
    }
}

fn mark(event: &Event) -> Option<TouchMark> {
    let at = |target: &Target| target.at;
    Some(match event {
        Event::Tap(target) => TouchMark::Tap(at(target)?),
        Event::LongPress(target) => TouchMark::LongPress(at(target)?),
        Event::Drag { from, to, .. } => TouchMark::Drag(at(from)?, *to),
        Event::Pinch { on, direction } => TouchMark::Pinch(at(on)?, *direction),
        Event::Text { on, .. } => TouchMark::Text(at(on)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_marks_the_points_that_it_touches() {
        let check = |event: &str, expected: &[TouchMark]| {
            let event: Event = serde_json::from_str(event).unwrap();
            assert_eq!(TouchMark::of(&event), expected);
        };
        let point = |x, y| Point { x, y };
        check(r#"{"tap":{"at":[3,4]}}"#, &[TouchMark::Tap(point(3, 4))]);
        check(r#"{"tap":{"on":{"id":"a"}}}"#, &[]);
        check(r#"{"key":"back"}"#, &[]);
        check(
            r#"{"drag":{"from":{"at":[1,2]},"to":[5,6]}}"#,
            &[TouchMark::Drag(point(1, 2), point(5, 6))],
        );
        check(
            r#"{"hasty":{"events":[{"tap":{"at":[1,1]}},{"key":"back"},{"tap":{"at":[2,2]}}]}}"#,
            &[TouchMark::Tap(point(1, 1)), TouchMark::Tap(point(2, 2))],
        );
    }
}
