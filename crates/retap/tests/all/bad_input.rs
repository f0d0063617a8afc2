//! Every verb meets every kind of bad input: it names the file, exits with 2 and never panics.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fake, retap, retap_command};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A way in which a file can be bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Missing,
    Directory,
    Empty,
    Garbage,
    /// Cut in the middle of its last line.
    Cut,
    OtherVersion,
    /// Valid JSON, but of something else.
    OtherShape,
}

use Kind::{Cut, Directory, Empty, Garbage, Missing, OtherShape, OtherVersion};

const ALL: [Kind; 7] = [Missing, Directory, Empty, Garbage, Cut, OtherVersion, OtherShape];

/// Makes a good file bad.
fn spoil(file: &Path, kind: Kind) {
    let good = fs::read(file).unwrap_or_default();
    if file.exists() {
        fs::remove_file(file).unwrap();
    }
    let text = String::from_utf8_lossy(&good);
    match kind {
        Missing => {}
        Directory => fs::create_dir(file).unwrap(),
        Empty => fs::write(file, "").unwrap(),
        Garbage => fs::write(file, b"\x00\xff\xfe\x1b[2Jgarbage\n\x80".repeat(9)).unwrap(),
        Cut => fs::write(file, &good[..good.len() * 2 / 3]).unwrap(),
        OtherVersion => {
            let other = text.replacen("\"version\":1", "\"version\":99", 1);
            fs::write(file, other.replacen("\"version\": 1", "\"version\": 99", 1)).unwrap();
        }
        OtherShape => fs::write(file, "[{\"shape\":[null,1e400,\"\\ud800\"]}]\n{}\n").unwrap(),
    }
}

/// A run of a fake that crashes, and copies of it to damage.
struct RecordedRun {
    temp: TempDir,
}

impl RecordedRun {
    fn new() -> Self {
        let temp = tempdir().unwrap();
        let run = temp.path().join("run").display().to_string();
        let device = fake("notes.fake");
        let output = retap(&[
            "explore",
            "-d",
            &device,
            "--seed",
            "7",
            "--max-events",
            "300",
            "-o",
            &run,
            "--no-minimize",
        ]);
        assert_eq!(output.code, 1, "{output:?}");
        Self { temp }
    }

    /// Returns a fresh copy of the run.
    fn copy(&self) -> PathBuf {
        let copy = self.temp.path().join("copy");
        if copy.exists() {
            fs::remove_dir_all(&copy).unwrap();
        }
        copy_folder(&self.temp.path().join("run"), &copy);
        copy
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // Screens are many and not read here.
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "screens" => {}
            true => copy_folder(&entry.path(), &to.join(entry.file_name())),
            false => {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }
}

/// Asserts that the command refuses the file, names it and does not act on its content.
fn check(arguments: &[&str], file: &Path, kind: Kind) {
    let output = retap(arguments);
    let name = file.file_name().unwrap().to_str().unwrap();
    let what = format!("{kind:?} {name} for {arguments:?}\n{output:?}");
    assert_eq!(output.code, 2, "{what}");
    assert!(!output.stderr.contains("panicked"), "{what}");
    assert!(output.stderr.contains(name), "the file is not named: {what}");
    assert!(!output.stderr.contains('\x1b') && !output.stdout.contains('\x1b'), "{what}");
}

/// Runs a verb on a bad file of each kind. `good` is the content to start from.
fn check_file(name: &str, good: &[u8], kinds: &[Kind], arguments: &dyn Fn(&str) -> Vec<String>) {
    for kind in kinds {
        let temp = tempdir().unwrap();
        let file = temp.path().join(name);
        fs::write(&file, good).unwrap();
        spoil(&file, *kind);
        let mut all = arguments(&file.display().to_string());
        let out = temp.path().join("out").display().to_string();
        all.iter_mut().filter(|it| *it == "OUT").for_each(|it| it.clone_from(&out));
        check(&all.iter().map(String::as_str).collect::<Vec<_>>(), &file, *kind);
    }
}

fn owned(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(ToString::to_string).collect()
}

/// The command line of a verb that reads a file.
type CommandLine<'a> = &'a dyn Fn(&str) -> Vec<String>;

#[test]
fn a_bad_trace_is_refused_by_every_verb_that_reads_one() {
    let trace =
        crate::common::format_trace("dev.retap.notes", &[r#"{"key":"back"}"#, r#"{"key":"back"}"#]);
    let device = fake("notes.fake");
    let device = &*device;
    let verbs: [CommandLine<'_>; 6] = [
        &|file| owned(&["replay", file, "-d", device]),
        &|file| owned(&["minimize", file, "-d", device, "-o", "OUT"]),
        &|file| owned(&["reduce", file, "-d", device, "-o", "OUT"]),
        &|file| owned(&["export", file, "--to", "monkey", "-o", "OUT"]),
        &|file| owned(&["explore", "-d", device, "--seed-traces", file, "-o", "OUT"]),
        &|file| owned(&["bench", "minimize", "--trace", file, "-d", device]),
    ];
    for verb in verbs {
        check_file("some.jsonl", trace.as_bytes(), &ALL, verb);
    }
}

#[test]
fn a_bad_fake_is_refused_by_every_verb_that_runs_one() {
    let good = fs::read(crate::common::root().join("fakes/notes.fake")).unwrap();
    let kinds = [Missing, Directory, Empty, Garbage, Cut, OtherShape];
    let trace = tempdir().unwrap();
    let file = trace.path().join("trace.jsonl");
    fs::write(&file, crate::common::format_trace("dev.retap.notes", &[r#"{"key":"back"}"#]))
        .unwrap();
    let trace = file.to_str().unwrap();
    let fake = |file: &str| format!("fake:{file}");
    let verbs: [CommandLine<'_>; 5] = [
        &|file| owned(&["explore", "-d", &fake(file), "-o", "OUT"]),
        &|file| owned(&["replay", trace, "-d", &fake(file)]),
        &|file| {
            owned(&["minimize", trace, "-d", &fake(file), "--oracle", "activity:Main", "-o", "OUT"])
        },
        &|file| owned(&["reduce", trace, "-d", &fake(file), "-o", "OUT"]),
        &|file| owned(&["bench", "explore", "--apps", file, "-o", "OUT"]),
    ];
    for verb in verbs {
        check_file("some.fake", &good, &kinds, verb);
    }
}

#[test]
fn a_bad_apk_is_refused_by_every_verb_that_runs_one() {
    let good = fs::read(crate::common::fixture("exit.apk")).unwrap();
    let kinds = [Missing, Directory, Empty, Garbage, Cut, OtherShape];
    let verbs: [CommandLine<'_>; 2] =
        [&|file| owned(&["explore", file, "-o", "OUT"]), &|file| owned(&["doctor", "--app", file])];
    for verb in verbs {
        check_file("some.apk", &good, &kinds, verb);
    }
}

#[test]
fn a_bad_script_or_property_file_is_refused() {
    let monkey =
        b"type= user\ncount= 2\nspeed= 1.0\nstart data >>\nTap(1,2)\nDispatchPress(KEYCODE_BACK)\n";
    let import: &dyn Fn(&str) -> Vec<String> = &|file| owned(&["import", file, "-o", "OUT"]);
    check_file("some.script", monkey, &[Missing, Directory, Garbage], import);
    let pair: &dyn Fn(&str) -> Vec<String> = &|file| owned(&["import", file, file, "-o", "OUT"]);
    check_file("some.log", monkey, &[Missing, Directory, Garbage], pair);
    let device = fake("notes.fake");
    let properties: &dyn Fn(&str) -> Vec<String> =
        &|file| owned(&["explore", "-d", &device, "--properties", file, "-o", "OUT"]);
    check_file("some.properties", b"", &[Missing, Directory, Garbage, OtherShape], properties);
}

#[test]
fn a_report_of_a_damaged_run_names_the_damage_and_exits_with_2() {
    let recorded = RecordedRun::new();
    let crash = fs::read_dir(recorded.copy().join("crashes")).unwrap().next().unwrap().unwrap();
    let crash = crash.file_name().into_string().unwrap();
    let crash_trace = format!("crashes/{crash}/trace.jsonl");
    let stack = format!("crashes/{crash}/stack.txt");
    let cases: [(&str, &[Kind]); 8] = [
        ("run.json", &[Empty, Garbage, Cut, OtherShape]),
        ("trace.jsonl", &[Directory, Empty, Garbage, OtherVersion, OtherShape]),
        ("states.jsonl", &[Directory, Garbage, OtherShape]),
        ("units.jsonl", &[Directory, Garbage, OtherShape]),
        ("coverage.jsonl", &[Directory, Garbage, OtherShape]),
        ("result.json", &[Directory, Empty, Garbage, Cut, OtherShape]),
        (&crash_trace, &[Directory, Empty, Garbage, Cut, OtherVersion, OtherShape]),
        (&stack, &[Directory, Garbage]),
    ];
    for (name, kinds) in cases {
        for kind in kinds {
            let run = recorded.copy();
            spoil(&run.join(name), *kind);
            check(&["report", run.to_str().unwrap()], &run.join(name), *kind);
        }
    }
    // A run that was killed has cut last lines and fewer files, and is no bad input.
    for (name, kind) in [("trace.jsonl", Cut), ("states.jsonl", Cut), ("result.json", Missing)] {
        let run = recorded.copy();
        spoil(&run.join(name), kind);
        let output = retap(&["report", run.to_str().unwrap()]);
        assert_eq!(output.code, 0, "{kind:?} {name}\n{output:?}");
    }
}

#[test]
fn a_damaged_run_is_neither_resumed_nor_reduced() {
    let recorded = RecordedRun::new();
    let device = fake("notes.fake");
    for (name, kinds) in [
        ("run.json", &[Directory, Empty, Garbage, Cut, OtherShape][..]),
        ("trace.jsonl", &[Missing, Directory, Empty, Garbage, OtherVersion, OtherShape]),
        ("states.jsonl", &[Directory, Garbage, OtherShape]),
        ("coverage.jsonl", &[Directory, Garbage, OtherShape]),
    ] {
        for kind in kinds {
            let run = recorded.copy();
            spoil(&run.join(name), *kind);
            let run_name = run.to_str().unwrap();
            check(&["explore", "--resume", "-o", run_name], &run.join(name), *kind);
            let out = recorded.temp.path().join("suite");
            let reduce = ["reduce", run_name, "-d", &device, "-o", out.to_str().unwrap()];
            if name != "states.jsonl" && (name, *kind) != ("run.json", Directory) {
                check(&reduce, &run.join(name), *kind);
            }
        }
    }
}

#[test]
fn a_damaged_suite_is_refused() {
    let temp = tempdir().unwrap();
    let suite = temp.path().join("suite");
    fs::create_dir_all(suite.join("traces")).unwrap();
    let trace = crate::common::format_trace("dev.retap.notes", &[r#"{"key":"back"}"#]);
    let manifest =
        "retap = \"suite\"\nversion = 1\npackage = \"p\"\n[[trace]]\nname = \"a\"\nevents = 1\n";
    let device = fake("notes.fake");
    for (name, kinds) in
        [("suite.toml", &[Empty, Garbage, Cut, OtherShape][..]), ("traces/a.jsonl", &ALL)]
    {
        for kind in kinds {
            for (file, good) in [("suite.toml", manifest), ("traces/a.jsonl", &*trace)] {
                let path = suite.join(file);
                if path.is_dir() {
                    fs::remove_dir(&path).unwrap();
                }
                fs::write(path, good).unwrap();
            }
            spoil(&suite.join(name), *kind);
            check(&["replay", suite.to_str().unwrap(), "-d", &device], &suite.join(name), *kind);
        }
    }
}

#[test]
fn results_that_do_not_reach_standard_output_are_an_error() {
    let device = fake("conform.fake");
    for arguments in [vec!["--help"], vec!["doctor", "-d", &device]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = retap_command(&arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_run_of_no_events_is_refused() {
    let device = fake("conform.fake");
    for verb in ["explore", "update"] {
        let output = retap(&[verb, "-d", &device, "--max-events", "0"]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.stderr.contains("--max-events"), "{output:?}");
    }
}
