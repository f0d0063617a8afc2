//! Rules that hold, rules that are broken, and files that are refused.

use super::*;
use retap_model::{Coverage, Flags, Rect, Screen, Widget, Window, WindowKind};
use std::sync::Arc;

fn widget(id: &str, text: &str, flags: Flags) -> Widget {
    Widget {
        class: "android.widget.Button".into(),
        id: format!("com.a:id/{id}"),
        text: text.into(),
        flags: flags | Flags::VISIBLE,
        ..Widget::default()
    }
}

fn observation() -> Observation {
    let window = Window {
        kind: WindowKind::Activity,
        package: "com.a".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 9, 9),
        focused: true,
        widgets: vec![
            widget("save", "Save", Flags::ENABLED),
            widget("total", "-3 €", Flags::empty()),
        ],
    };
    let screen =
        Screen { activity: "com.a.Main".into(), windows: vec![window], ..Screen::default() };
    Observation {
        screen: Arc::new(screen),
        coverage: Arc::new(Coverage::new()),
        elapsed_ms: 0,
        outcome: Outcome::Running,
        log: Vec::new(),
        host_limitations: Vec::new(),
    }
}

/// Returns true if the screen above breaks the rule.
fn is_broken(rule: &str) -> bool {
    let properties = Properties::parse(rule).unwrap();
    !properties.find_broken(&observation(), Abstraction::Layout).is_empty()
}

#[test]
fn a_rule_is_broken_if_its_condition_holds_and_its_expectation_does_not() {
    assert!(is_broken(r##"when #total then #total text matches "^[0-9]+ €$""##));
    assert!(is_broken(r#"when activity Main then dialog"#));
    assert!(is_broken(r#"when text contains "-3" then never"#));
    assert!(is_broken(r##"when Button #save "Save" is enabled then count Button > 2"##));
    assert!(!is_broken(r##"when #total then #save is enabled and not #save is checked"##));
    assert!(!is_broken(r#"when activity Other then never"#));
    assert!(!is_broken(
        r##"when always then dialog or (count Button = 2 and "Save") # and a remark"##
    ));
}

#[test]
fn names_comments_and_empty_lines_are_read() {
    let text = "# remark\n\n\"sums are whole\": when always then not #total\n";
    let broken = Properties::parse(text).unwrap().find_broken(&observation(), Abstraction::Layout);
    assert_eq!(broken[0].subject, "sums are whole");
}

#[test]
fn a_wrong_rule_is_refused_with_its_position_and_what_was_expected() {
    let check = |text: &str, expected: &str| {
        assert_eq!(Properties::parse(text).unwrap_err().to_string(), expected);
    };
    check("when #a", "1:8: expected then, found the end of the line");
    check("\n  if #a then #b", "2:3: expected when, found \"if\"");
    check(
        "when #a is shiny then #b",
        "1:12: expected one of clickable, long-clickable, scrollable, \
        checkable, checked, enabled, selected, focusable, focused, password, editable, visible, \
        text-cut, off-screen, children-cut, found \"shiny\"",
    );
    check("when text is \"x then #b", "1:24: expected a closing \", found the end of the line");
    check(
        "when text matches \"(\" then #b",
        "1:19: expected a regular expression, found \"(\" (regex \
        parse error:     (     ^ error: unclosed group)",
    );
    check("when #a then #b then", "1:17: expected and, or, or the end of the line, found \"then\"");
    check("when state zz then #b", "1:12: expected a state's 16 hexadecimal digits, found \"zz\"");
    check(
        "when #a & #b then #c",
        "1:9: expected a word, #id, \"text\" or one of ( ) : = < >, found '&'",
    );
    check(
        "when #a then #b\nwhen #a then #b",
        "2:1: expected a name that no other rule has, found \"when #a then #b\" again",
    );
}
