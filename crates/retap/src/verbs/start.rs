//! `retap` alone: what to do next, in this folder.

use crate::console::Console;
use retap_engine::run_directory;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub fn run(console: &Console) {
    console.result(&describe(Path::new("."), console));
}

fn describe(folder: &Path, console: &Console) -> String {
    let paint = console.paint();
    let mut text = format!(
        "{} explores an Android app, rewinds it, and reduces what it finds to the few taps that matter.\n",
        paint.bold("retap")
    );
    let mut suggest = |command: &str, why: &str| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {}\n      {why}\n", paint.bold(command));
    };
    let app = first_app(folder);
    match (&app, newest_run(&folder.join(super::RUNS))) {
        (_, Some(run)) => {
            let run = run.display();
            suggest(&format!("retap report {run} --open"), "see what the newest run found");
            suggest(&format!("retap serve {run} --open"), "go on with it by hand, in a browser");
        }
        (Some(app), None) => {
            suggest(
                &format!("retap explore {app} --time 60s --open"),
                "look for crashes for a minute",
            );
            suggest(&format!("retap serve {app} --open"), "drive the app yourself, in a browser");
        }
        (None, None) => {
            suggest("retap explore APP.apk --time 60s --open", "look for crashes for a minute");
            suggest("retap serve APP.apk --open", "drive an app yourself, in a browser");
        }
    }
    suggest("retap doctor", "see whether this machine has what it needs");
    suggest("retap --help", "see everything else");
    text
}

/// Returns the first APK of the folder.
fn first_app(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.ends_with(".apk")).min()
}

/// Returns the newest run of the folder of runs.
fn newest_run(runs: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(runs).ok()?.flatten();
    let runs =
        entries.map(|entry| entry.path()).filter(|path| run_directory::read_info(path).is_ok());
    let changed = |path: &PathBuf| std::fs::metadata(path).and_then(|it| it.modified()).ok();
    runs.max_by_key(changed)
}
