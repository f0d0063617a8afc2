use super::*;
use crate::profile::folded_stacks::StackFrame;

fn stacks() -> FoldedStacks {
    let mut stacks = FoldedStacks::default();
    let frame = |name: &str, is_interpreted| StackFrame { name: name.into(), is_interpreted };
    let layout = |interpreted| frame("android.view.View.layout", interpreted);
    stacks.add(vec![StackFrame::part("event"), StackFrame::part("(compiler)")], 250_000.0);
    stacks.add(
        vec![StackFrame::part("event"), layout(true), frame("a.Row.<init>", false)],
        250_000.0,
    );
    stacks.add(vec![StackFrame::part("event"), layout(false)], 500_000.0);
    stacks
}

#[test]
fn a_box_is_as_wide_as_its_time_and_tells_it() {
    let svg = draw("notes-1.2.3", &stacks());
    let topmost = svg.split("class=\"box ").nth(1).unwrap();
    assert!(topmost.starts_with("machine"), "{topmost}");
    assert!(topmost.contains("data-label=\"notes-1.2.3\""), "{topmost}");
    assert!(svg.contains("notes-1.2.3: 1.00 s of processor time"), "{svg}");
    let layout = "android.view.View.layout\n750.0 ms, 75.0%; 500.0 ms in itself; interpreted 33%";
    assert!(svg.contains(layout), "{svg}");
    let widths: Vec<&str> = svg.split("data-share=\"").skip(1).map(|it| &it[..8]).collect();
    assert_eq!(
        widths,
        ["1.000000", "1.000000", "0.750000", "0.250000", "0.250000"],
        "longest first"
    );
}

#[test]
fn names_are_escaped_and_what_is_too_small_is_left_out() {
    let mut stacks = stacks();
    stacks.add(vec![StackFrame::part("tiny.Tiny.tiny")], 1.0);
    let svg = draw("a<b", &stacks);
    assert!(svg.contains("a.Row.&lt;init&gt;") && !svg.contains("<init>"), "{svg}");
    assert!(!svg.contains("tiny"), "{svg}");
}

#[test]
fn labels_leave_out_the_package_and_what_does_not_fit() {
    assert_eq!(short_name("android.view.View.layout"), "View.layout");
    assert_eq!(short_name("(garbage collector)"), "(garbage collector)");
    assert_eq!(short_name("event"), "event");
    assert_eq!(fit("View.layout", 1000.0), "View.layout");
    assert_eq!(fit("View.layout", 40.0), "View…");
    assert_eq!(fit("View.layout", 10.0), "");
}

#[test]
fn nothing_draws_an_empty_graph() {
    assert!(draw("none", &FoldedStacks::default()).starts_with("<?xml"));
}
