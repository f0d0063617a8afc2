use super::*;
use crate::geometry::Rect;
use crate::screen::{Window, WindowKind};
use crate::widget::Flags;

/// Makes a screen of rows `"depth class #id text"`, a dash for nothing.
fn screen(rows: &[&str]) -> Screen {
    let widget = |row: &&str| {
        let parts: Vec<&str> = row.split_whitespace().collect();
        let given = |part: &str| if part == "-" { String::new() } else { part.to_string() };
        Widget {
            depth: parts[0].parse().unwrap(),
            class: parts[1].to_string(),
            id: if parts[2] == "-" { String::new() } else { format!("p:id/{}", parts[2]) },
            text: given(parts[3]),
            bounds: Rect::new(0, 0, 5, 5),
            flags: match parts[1] {
                "Text" => Flags::VISIBLE | Flags::ENABLED,
                _ => Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
            },
            ..Widget::default()
        }
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "p".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 5, 5),
        focused: true,
        widgets: rows.iter().map(widget).collect(),
    };
    Screen { activity: "p.Main".into(), windows: vec![window], ..Screen::default() }
}

/// Makes a selector of row `index` of `before`, then looks for it in `after`.
fn check(before: &[&str], index: usize, after: &[&str], expected: Option<(usize, bool)>) {
    let before = screen(before);
    let selector = Selector::of(WidgetRef { screen: &before, window: 0, index });
    let after = screen(after);
    let found = selector.find(&after).map(|f| (f.widget.index, f.moved));
    assert_eq!(found, expected, "{selector:?}");
}

#[test]
fn every_widget_of_an_unchanged_screen_is_found_where_it_was() {
    let rows =
        ["0 Root - -", "1 Button ok Ok", "1 Row item a", "1 Row item a", "1 Row - -", "1 Row - -"];
    for index in 0..rows.len() {
        check(&rows, index, &rows, Some((index, false)));
    }
}

#[test]
fn an_id_survives_a_moved_layout_and_a_new_text() {
    let before = ["0 Root - -", "1 Button ok Ok"];
    let after = ["0 Root - -", "1 Banner - Hello", "1 Button ok Okay"];
    check(&before, 1, &after, Some((2, true)));
}

#[test]
fn a_row_is_found_by_its_text_when_the_list_grew() {
    let before = ["0 List - -", "1 Row item apple", "1 Row item pear"];
    let after = ["0 List - -", "1 Row item fig", "1 Row item apple", "1 Row item pear"];
    check(&before, 1, &after, Some((2, true)));
}

#[test]
fn a_row_whose_text_is_gone_is_gone_even_if_another_has_taken_its_place() {
    let before = ["0 List - -", "1 Row item apple", "1 Row item pear"];
    let after = ["0 List - -", "1 Row item fig", "1 Row item pear"];
    check(&before, 1, &after, None);
}

#[test]
fn a_renamed_id_is_found_by_a_unique_label() {
    let before = ["0 Root - -", "1 Button ok Save"];
    check(&before, 1, &["0 Root - -", "1 Button b1 Save"], Some((1, false)));
    check(&before, 1, &["0 Root - -", "1 Button b1 Save", "1 Button b2 Save"], None);
}

#[test]
fn a_row_made_of_several_widgets_is_named_by_what_is_in_it() {
    let before = ["0 List - -", "1 Row - -", "2 Text - apple", "1 Row - -", "2 Text - pear"];
    let after = ["0 List - -", "1 Row - -", "2 Text - pear"];
    check(&before, 3, &after, Some((1, true)));
    check(&before, 1, &after, None);
    let text_alone = Selector { text: "pear".into(), ..Selector::default() };
    let screen = screen(&before);
    assert_eq!(text_alone.find(&screen).map(|found| found.widget.index), Some(4));
}

#[test]
fn a_list_is_not_named_by_its_first_row_but_a_row_with_a_box_by_its_text() {
    let rows = [
        "0 List - -",
        "1 Row - -",
        "2 Box - new",
        "2 Group - -",
        "3 Text - apple",
        "2 Text - pear",
    ];
    let mut screen = screen(&rows);
    screen.windows[0].widgets[3].flags -= Flags::CLICKABLE;
    let name = |index| Selector::of(WidgetRef { screen: &screen, window: 0, index }).text;
    assert_eq!([name(0), name(1), name(2)], ["", "apple", "new"]);
}

#[test]
fn without_id_and_label_only_the_same_place_counts() {
    let before = ["0 Root - -", "1 Image - -", "1 Image - -"];
    check(&before, 2, &["0 Root - -", "1 Image - -"], None);
}

#[test]
fn the_content_of_a_text_box_does_not_name_it() {
    let mut before = screen(&["0 Root - -", "1 Edit name Bob"]);
    before.windows[0].widgets[1].flags |= Flags::EDITABLE;
    let selector = Selector::of(WidgetRef { screen: &before, window: 0, index: 1 });
    assert_eq!(selector.text, "");
}
