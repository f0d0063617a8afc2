//! Models against what runs saw, and their pictures.

use retap_static::{AppWindowKind, SeenRun, java_method};

use crate::{input_text, model};

#[test]
fn a_picture_of_a_run_shows_what_it_covered() {
    let model = model("windows");
    let name = |it: &str| format!("dev.retap.fixture.windows.{it}");
    let seen = SeenRun {
        activities: [name("MainActivity")].into(),
        methods: [name("DialView.onTouchEvent(Landroid/view/MotionEvent;)Z")].into(),
        ..SeenRun::default()
    };
    let covered = model.covered_by(&seen);
    assert_eq!(covered.windows, [name("MainActivity")].into());
    let inputs: Vec<String> =
        covered.inputs.iter().map(|&it| input_text(&model.inputs[it])).collect();
    assert_eq!(inputs, ["MainActivity touch @id/dial"]);
    let svg = model.svg_of_run(&seen);
    assert_eq!(svg.matches("class=\"seen\"").count(), 1);
    assert_eq!(svg.matches("class=\"ran\"").count(), 1, "the dial");
    assert!(svg.contains("1 of 7 activities"), "{svg}");
}

#[test]
fn a_run_tells_how_many_of_the_foretold_ways_an_input_took() {
    let model = model("windows");
    let name = |it: &str| format!("dev.retap.fixture.windows.{it}");
    let performed = |id: &str, to: &[&str]| {
        let led_to = to.iter().map(|it| name(it)).collect();
        ((name("MainActivity"), id.to_owned()), led_to)
    };
    let seen = SeenRun {
        activities: [name("MainActivity"), name("MoreActivity")].into(),
        inputs: [
            performed("more", &["MainActivity", "MoreActivity"]),
            performed("settings", &["HelpActivity"]),
            performed("unknown", &["HelpActivity"]),
        ]
        .into(),
        widgets: [(
            name("MainActivity"),
            ["hand", "version", "text", "nowhere", "android:content"].map(str::to_owned).into(),
        )]
        .into(),
        ..SeenRun::default()
    };
    let check = model.check(&seen);
    assert_eq!((check.inputs.confirmed, check.inputs.unconfirmed), (1, 1));
    assert_eq!(check.inputs.missed.values().flatten().count(), 1, "{:?}", check.inputs);
    // The dialog's widget counts because an input of the activity opens it; the framework's frame does not count.
    assert_eq!(check.widgets.confirmed, 2, "{:?}", check.widgets);
    assert_eq!(check.widgets.missed.len(), 2, "each has its own cause: {:?}", check.widgets);
}

#[test]
fn a_model_is_compared_with_what_a_run_saw() {
    let model = model("files");
    let name = |it: &str| format!("dev.retap.fixture.files.{it}");
    let pair = |from: &str, to: &str| (name(from), name(to));
    let seen = SeenRun {
        activities: [name("BrowserActivity"), name("HelpActivity"), name("GoneActivity")].into(),
        transitions: [
            pair("BrowserActivity", "HelpActivity"),
            pair("HelpActivity", "PicturesActivity"),
            pair("HelpActivity", "GoneActivity"),
        ]
        .into(),
        ..SeenRun::default()
    };
    let check = model.check(&seen);
    assert_eq!(check.activities.confirmed, 2);
    assert_eq!(check.transitions.confirmed, 1);
    assert_eq!(
        check.transitions.missed.len(),
        2,
        "each has its own cause: {:#?}",
        check.transitions
    );
    assert_eq!(check.transitions.recall(), Some(1.0 / 3.0));
}

#[test]
fn the_picture_shows_every_window_and_is_well_formed() {
    let model = model("notes");
    let svg = model.svg();
    for window in model.windows.iter().filter(|it| it.kind == AppWindowKind::Activity) {
        assert!(svg.contains(&format!("<title>{}</title>", window.id)), "{}", window.id);
    }
    assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
    assert!(svg.ends_with("</svg>\n"));
}

#[test]
fn a_lambda_that_ran_and_handles_nothing_in_the_model_is_missed() {
    let mut model = model("routes");
    let about = "MainActivity click @id/open_about";
    let input = model.inputs.iter().position(|it| input_text(it) == about).unwrap();
    let handler = java_method(&model.inputs[input].handlers[0]).unwrap();
    assert!(handler.contains("HomeFragment.lambda$"), "{handler}");
    let created = "dev.retap.fixture.routes.MainActivity.onCreate(Landroid/os/Bundle;)V".to_owned();
    let seen = SeenRun { methods: [handler.clone(), created].into(), ..SeenRun::default() };
    assert_eq!(model.check(&seen).handlers.confirmed, 1, "Android's own calls do not count");
    model.inputs[input].handlers.clear();
    let missed = model.check(&seen).handlers.missed;
    let cause = "its registration was not found in a window's code";
    assert_eq!(missed.into_iter().collect::<Vec<_>>(), [(cause.to_owned(), vec![handler])]);
}
