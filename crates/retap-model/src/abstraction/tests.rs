//! The differences that each abstraction sees and those that it does not.

use super::*;
use crate::geometry::Rect;
use crate::screen::{Window, WindowKind};
use crate::widget::{Flags, Widget};

fn screen() -> Screen {
    let live = Flags::VISIBLE | Flags::ENABLED;
    let widget = |depth, class: &str, text: &str, flags: Flags| Widget {
        depth,
        class: class.into(),
        text: text.into(),
        bounds: Rect::new(0, 0, 10, 10),
        flags: live | flags,
        ..Widget::default()
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "app".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 100, 100),
        focused: true,
        widgets: vec![
            widget(0, "Frame", "", Flags::empty()),
            widget(1, "Label", "Title", Flags::empty()),
            widget(1, "Edit", "typed", Flags::EDITABLE),
            widget(1, "Row", "", Flags::CLICKABLE),
            widget(2, "Label", "apple", Flags::empty()),
            widget(1, "Row", "", Flags::CLICKABLE),
            widget(2, "Label", "pear", Flags::empty()),
        ],
    };
    Screen { activity: "app.Main".into(), windows: vec![window], ..Screen::default() }
}

/// Returns the abstractions that see a difference after `change`.
fn seen_by(change: impl Fn(&mut Screen)) -> Vec<String> {
    let before = screen();
    let mut after = screen();
    change(&mut after);
    Abstraction::ALL
        .iter()
        .filter(|abstraction| abstraction.state(&before) != abstraction.state(&after))
        .map(ToString::to_string)
        .collect()
}

#[test]
fn another_activity_is_another_state_to_all() {
    assert_eq!(seen_by(|s| s.activity = "app.Other".into()).len(), Abstraction::ALL.len());
}

#[test]
fn a_moved_widget_is_the_same_state_to_all() {
    assert!(seen_by(|s| s.windows[0].widgets[3].bounds.top += 1).is_empty());
}

#[test]
fn the_value_of_a_text_box_matters_only_where_text_is_an_attribute() {
    let seen = seen_by(|s| s.windows[0].widgets[2].text = "other".into());
    assert_eq!(seen, ["reducers:L2", "reducers:L3", "reducers:L4", "reducers:L5"]);
}

#[test]
fn the_text_of_a_label_is_layout_and_nothing_else() {
    assert_eq!(seen_by(|s| s.windows[0].widgets[1].text = "Other".into()), ["layout"]);
}

#[test]
fn the_text_inside_a_row_is_seen_through_its_children() {
    let seen = seen_by(|s| s.windows[0].widgets[4].text = "fig".into());
    assert_eq!(seen, ["layout", "reducers:L5"]);
}

#[test]
fn a_third_equal_row_is_many_as_two_are() {
    let seen = seen_by(|s| {
        let row = s.windows[0].widgets[5].clone();
        s.windows[0].widgets.push(row);
    });
    // L3 onward see that this row, unlike the others, has no children.
    assert_eq!(
        seen,
        ["layout", "structure", "actionable", "reducers:L3", "reducers:L4", "reducers:L5"]
    );
}

#[test]
fn names_are_read_as_they_are_written() {
    for abstraction in Abstraction::ALL {
        assert_eq!(abstraction.to_string().parse(), Ok(abstraction));
    }
    assert!("reducers:L6".parse::<Abstraction>().unwrap_err().contains("reducers:L5"));
}
