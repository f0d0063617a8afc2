//! Reports of several runs, comparisons with an earlier one, sources, pictures and flaky crashes.

use crate::written_run::{PACKAGE, write_run_with};
use retap_model::Rate;
use retap_model::format::run::minimize_summary::MinimizedRecord;
use retap_model::format::run::write_json;
use retap_picture::Picture;
use retap_report::{ReportError, ReportFiles, ReportOptions, write, write_joined};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn crash_folder(run: &Path) -> PathBuf {
    fs::read_dir(run.join("crashes")).unwrap().next().unwrap().unwrap().path()
}

fn join(runs: &[&TempDir], earlier: &[&TempDir]) -> (TempDir, Result<ReportFiles, ReportError>) {
    let output = tempdir().unwrap();
    let paths = |runs: &[&TempDir]| -> Vec<PathBuf> {
        runs.iter().map(|run| run.path().to_path_buf()).collect()
    };
    let options = ReportOptions { sources: Vec::new(), earlier: paths(earlier) };
    let report = write_joined(&paths(runs), output.path(), &options);
    (output, report)
}

#[test]
fn runs_of_one_app_are_joined_and_their_crashes_counted_once() {
    let (first, second) = (write_run_with("Add"), write_run_with("Add"));
    let (_output, report) = join(&[&first, &second], &[]);
    let report = report.unwrap();
    let page = read(&report.html);
    assert!(page.contains("met by run <b>1, 2</b>"), "{page}");
    assert!(page.contains("occurred <b>2 times</b>"), "{page}");
    assert_eq!(page.matches("<article class=\"crash\"").count(), 1);
    // Three events each.
    assert!(page.contains("<dt>Events</dt><dd>6"), "{page}");
    let junit = read(&report.junit);
    assert!(junit.contains("failures=\"2\""), "one crash and one finding: {junit}");
}

#[test]
fn a_run_of_another_app_is_refused_by_name() {
    let (first, second) = (write_run_with("Add"), write_run_with("Add"));
    let info = second.path().join("run.json");
    fs::write(&info, read(&info).replace(PACKAGE, "org.other")).unwrap();
    let error = join(&[&first, &second], &[]).1.unwrap_err().to_string();
    assert!(error.contains("org.other") && error.contains(PACKAGE), "{error}");
}

#[test]
fn a_crash_is_new_gone_or_still_there() {
    let (now, earlier, clean) =
        (write_run_with("Add"), write_run_with("Add"), write_run_with("Add"));
    fs::remove_dir_all(clean.path().join("crashes")).unwrap();
    let result = clean.path().join("result.json");
    let mut summary: serde_json::Value = serde_json::from_str(&read(&result)).unwrap();
    summary["crashes"] = serde_json::json!([]);
    fs::write(&result, summary.to_string()).unwrap();
    let page = |runs: &[&TempDir], earlier: &[&TempDir]| {
        let (_output, report) = join(runs, earlier);
        read(&report.unwrap().html)
    };
    assert!(page(&[&now], &[&earlier]).contains("<span class=\"badge fair\">still there</span>"));
    assert!(page(&[&now], &[&clean]).contains("<span class=\"badge bad\">new</span>"));
    let gone = page(&[&clean], &[&earlier]);
    assert!(gone.contains("Gone <span class=\"badge good\">1 crash</span>"), "{gone}");
    assert!(gone.contains("<bdi>IllegalStateException</bdi>"), "{gone}");
}

#[test]
fn a_crash_that_does_not_always_come_is_a_flaky_failure() {
    let run = write_run_with("Add");
    let folder = crash_folder(run.path());
    fs::copy(folder.join("trace.jsonl"), folder.join("minimized.jsonl")).unwrap();
    let success = Rate { successes: 2, runs: 5 };
    let record = MinimizedRecord { events: 3, success, oracle_calls: 9, steps: Vec::new() };
    write_json(&folder.join(MinimizedRecord::FILE), &record).unwrap();
    let report = write(run.path(), &ReportOptions::default()).unwrap();
    let junit = read(&report.junit);
    assert!(junit.contains("<flakyFailure") && junit.contains("<failure"), "{junit}");
    assert!(junit.contains("its steps cause it in 2 of 5 runs"), "{junit}");
    assert!(junit.contains("<system-out>1. Type"), "{junit}");
    assert!(read(&report.html).contains("flaky</span>"));
}

#[test]
fn sources_are_shown_and_named_where_the_user_keeps_them() {
    let run = write_run_with("Add");
    let units = run.path().join("units.jsonl");
    let line = r#"{"kind":"method","name":"com.app.Main.go()V"}
{"kind":"line","name":"com/app/Main.java:7"}
"#;
    fs::write(&units, line.repeat(2)).unwrap();
    let sources = tempdir().unwrap();
    let file = sources.path().join("src/com/app/Main.java");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "class Main { // </script>\u{202e}\n}\n").unwrap();
    let options =
        ReportOptions { sources: vec![sources.path().to_path_buf()], earlier: Vec::new() };
    let report = write(run.path(), &options).unwrap();
    let page = read(&report.html);
    assert!(page.contains("class Main { // \\u003c/script>\\\\u{202e}"), "{page}");
    let named = file.display().to_string();
    assert!(read(&report.sarif).contains(&named));
    assert!(report.annotations.contains(&format!("file={named},line=7")), "{}", report.annotations);
}

#[test]
fn a_film_marks_the_touch_on_the_screen_before_each_step() {
    let run = write_run_with("Add");
    let picture = Picture::plain(90, 160, [200, 10, 10]).write().unwrap();
    for folder in fs::read_dir(run.path().join("screens")).unwrap() {
        for screen in fs::read_dir(folder.unwrap().path()).unwrap() {
            fs::write(screen.unwrap().path().with_extension("png"), &picture).unwrap();
        }
    }
    let report = write(run.path(), &ReportOptions::default()).unwrap();
    let page = read(&report.html);
    let film = &page[page.find("<ol class=\"film\"").unwrap()..];
    let film = &film[..film.find("</ol>").unwrap()];
    assert_eq!(film.matches("<circle class=\"touch text\" cx=\"3\" cy=\"4\"").count(), 3, "{film}");
    assert!(film.contains("viewBox=\"0 0 90 160\"") && film.contains("The app crashes"), "{film}");
}
