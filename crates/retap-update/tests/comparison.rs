//! The oracle for updates: what counts as a difference, as noise, and as explained.

mod common;

use common::{button, label, screen, screen_of, tap};
use retap_model::Crash;
use retap_model::{Event, Key, Observation, Outcome, Point, Rect, Screen, WindowKind};
use retap_update::{
    ChangeKnowledge, ComparedRuns, Targets, UpgradeFault, UpgradeRuns, VersionDifference,
    compare_versions, judge_upgrade, name_rows,
};
use std::sync::Arc;

fn seen(screen: Screen) -> Observation {
    Observation {
        screen: Arc::new(screen),
        coverage: Arc::default(),
        elapsed_ms: 0,
        outcome: Outcome::Running,
        log: Vec::new(),
        host_limitations: Vec::new(),
    }
}

fn differences(old: [&[Observation]; 2], new: [&[Observation]; 2]) -> Vec<VersionDifference> {
    let events = vec![Event::Key(Key::back()); 9];
    let runs = ComparedRuns { events: &events, old, new };
    compare_versions(runs, &ChangeKnowledge::default(), &Targets::default())
}

#[test]
fn what_differs_between_two_runs_of_one_version_is_noise() {
    let at = |time: &str, total: &str| {
        let labels = vec![label(1, "clock", time), label(1, "total", total), label(1, "", time)];
        [seen(screen("a.Main", labels))]
    };
    let found =
        differences([&at("12:01", "3"), &at("12:02", "3")], [&at("12:03", "4"), &at("12:04", "4")]);
    let [VersionDifference::Screen(total)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (total.fact.as_str(), total.old.as_deref(), total.new.as_deref()),
        ("@id/total", Some("3"), Some("4"))
    );
    assert!(found[0].is_unexplained());
}

#[test]
fn a_row_that_is_new_does_not_make_the_rows_below_it_new() {
    let list = |rows: &[&str]| {
        let rows = rows.iter().map(|text| label(1, "title", text)).collect();
        [seen(screen("a.Main", rows))]
    };
    let (old, new) = (list(&["Cart", "About"]), list(&["Cart", "Orders", "About"]));
    let found = differences([&old, &old], [&new, &new]);
    let facts: Vec<String> = found.iter().map(VersionDifference::key).collect();
    assert_eq!(facts.len(), 1, "{facts:?}");
    assert!(facts[0].contains("Orders"), "{facts:?}");
}

#[test]
fn versions_part_where_the_old_one_lacks_a_widget() {
    let main = || seen(screen("a.Main", vec![button("x", "")]));
    let missed = Observation { outcome: Outcome::Missed, ..main() };
    let other = || seen(screen("a.Other", vec![button("y", "")]));
    let old = [main(), missed, main()];
    let new = [main(), main(), other()];
    let found = differences([&old, &old], [&new, &new]);
    assert!(
        matches!(found.as_slice(), [VersionDifference::OnlyInNew { step: 1, .. }]),
        "{found:?}"
    );
}

#[test]
fn the_same_screens_have_no_difference() {
    let run = [seen(screen("a.Main", vec![button("x", "go")]))];
    assert!(differences([&run, &run], [&run, &run]).is_empty());
}

fn notes(texts: &[&str]) -> Observation {
    seen(screen("a.Main", texts.iter().map(|text| label(1, "", text)).collect()))
}

fn crash(class: &str) -> Observation {
    let stack = format!("java.lang.{class}: x\n\tat a.Main.run(Main.java:3)");
    let crash = Crash { thread: "main".into(), stack, doubts: Vec::new() };
    Observation { outcome: Outcome::Crashed(Arc::new(crash)), ..notes(&[]) }
}

fn judge(
    old: &[Observation],
    new: &[Observation],
    upgraded: &[Observation],
) -> Option<UpgradeFault> {
    let crashes = [old, new]
        .concat()
        .iter()
        .filter_map(|it| it.outcome.crash())
        .map(|it| it.identity("a"))
        .collect();
    judge_upgrade(UpgradeRuns { package: "a", old, new, upgraded, known_crashes: &crashes })
}

#[test]
fn only_what_goes_wrong_with_old_data_alone_is_a_fault_of_the_update() {
    let kept = [notes(&["Milk"]), notes(&["Milk", "Bread"])];
    assert_eq!(judge(&kept, &kept, &kept), None);
    // Both versions show the note on their own data.
    let lost = [notes(&["Milk"]), notes(&["Bread"])];
    let Some(UpgradeFault::LostData { step: 1, texts, .. }) = judge(&kept, &kept, &lost) else {
        panic!("{:?}", judge(&kept, &kept, &lost))
    };
    assert_eq!(texts, ["Milk"]);
    // The new version never shows it.
    assert_eq!(judge(&kept, &lost, &lost), None);
    let crashed = [notes(&["Milk"]), crash("ClassCastException")];
    let fault = judge(&kept, &kept, &crashed);
    assert!(matches!(fault, Some(UpgradeFault::Crash { step: 1, .. })), "{fault:?}");
    // The new version has that crash on its own data, too.
    assert_eq!(judge(&kept, &crashed, &crashed), None);
}

#[test]
fn a_toast_that_one_version_still_shows_is_no_difference_but_another_text_in_it_is() {
    let toast = |text: Option<&str>| {
        let mut shown = screen("a.Main", vec![button("x", "X")]);
        let windows = text
            .map(|text| screen_of("a.Main", WindowKind::Toast, vec![label(1, "message", text)]));
        shown.windows.extend(windows.into_iter().flat_map(|it| it.windows));
        [seen(shown)]
    };
    let (none, saved, lost) = (toast(None), toast(Some("Saved")), toast(Some("Lost")));
    assert!(differences([&none, &none], [&saved, &saved]).is_empty());
    assert_eq!(differences([&saved, &saved], [&lost, &lost]).len(), 1);
}

#[test]
fn a_touch_of_a_list_is_a_touch_of_the_row_that_lies_there() {
    let mut list = label(1, "", "");
    (list.class, list.bounds) = ("android.widget.ListView".into(), Rect::new(0, 0, 100, 100));
    let row = |top: i32, text: &str| {
        let bounds = Rect::new(0, top, 100, top + 20);
        retap_model::Widget { bounds, ..label(2, "title", text) }
    };
    let menu = screen("a.Main", vec![list, row(0, "Orders"), row(20, "Settings")]);
    let mut touch = tap(&menu, 0);
    touch.target_mut().unwrap().at = Some(Point::new(50, 30));
    let named = name_rows(&[touch, Event::Key(Key::back())], &[seen(menu.clone()), seen(menu)]);
    let on = named[0].target().and_then(|target| target.on.clone()).unwrap();
    assert_eq!(on.text, "Settings");
    assert_eq!(named[1], Event::Key(Key::back()));
}
