//! The places of a minimised trace. Without the events that were removed, a widget may lie elsewhere, and scripts that
//! know only places must touch it there.

use retap_device::aim::aim;
use retap_model::{Event, Screen};

/// Returns the event with the place where it acted on this screen.
pub fn as_aimed(event: &Event, screen: &Screen) -> Event {
    let mut aimed = event.clone();
    let parts = event.parts().iter().filter(|part| part.target().is_some());
    for (target, part) in aimed.targets_mut().into_iter().zip(parts) {
        if let (Some(_), Ok(Some(aim))) = (&target.on, aim(part, screen)) {
            target.at = Some(aim.point);
        }
    }
    aimed
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Flags, Point, Rect, Selector, Target, Widget, Window, WindowKind};

    #[test]
    fn an_event_gets_the_place_where_its_widget_lies_now() {
        let save = Widget {
            class: "android.widget.Button".into(),
            text: "Save".into(),
            bounds: Rect { left: 0, top: 100, right: 200, bottom: 200 },
            flags: Flags::CLICKABLE | Flags::ENABLED | Flags::VISIBLE,
            ..Widget::default()
        };
        let window = Window {
            kind: WindowKind::Activity,
            package: String::new(),
            title: String::new(),
            bounds: save.bounds,
            focused: true,
            widgets: vec![save],
        };
        let screen = Screen { windows: vec![window], ..Screen::default() };
        let tap = |at| {
            let selector = Selector { text: "Save".into(), ..Selector::default() };
            Event::Tap(Target { on: Some(selector), at: Some(at) })
        };
        let elsewhere = tap(Point { x: 900, y: 50 });
        assert_eq!(as_aimed(&elsewhere, &screen), tap(Point { x: 100, y: 150 }));
        let inside = tap(Point { x: 10, y: 110 });
        assert_eq!(as_aimed(&inside, &screen), inside);
        let gone = Event::Tap(Target {
            on: Some(Selector { text: "No".into(), ..Selector::default() }),
            at: None,
        });
        assert_eq!(as_aimed(&gone, &screen), gone);
    }
}
