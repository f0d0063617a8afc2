//! The workflow of `docs/ci.md`, run as GitHub's runner does: every `run` step by bash, in a clone of a repository whose
//! build copies a fixture. Only the limits of the verbs are smaller.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fixture, root};
use crate::report::schemas::check_file;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// A step that runs a script.
#[derive(Debug, Default)]
struct ShellStep {
    condition: String,
    script: String,
}

impl ShellStep {
    fn applies(&self, event: &str, has_failed: bool) -> bool {
        let wants_event = self.condition.contains("event_name");
        let is_event = self.condition.contains(&format!("== '{event}'"));
        (!wants_event || is_event) && (!has_failed || self.condition.contains("always()"))
    }

    /// Returns the script with the values of the runner, and with small limits.
    fn script(&self) -> String {
        let script = self.script.replace("${{ github.base_ref }}", "main");
        script.replace("--time 5m", "--time 30s").replace("--max-events 1000", "--max-events 40")
    }
}

/// Reads the steps of the workflow that run scripts.
fn steps() -> Vec<ShellStep> {
    let page = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let workflow = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let mut steps: Vec<ShellStep> = Vec::new();
    let mut in_script = false;
    for line in workflow.lines() {
        let begins = line.starts_with("      - ");
        if begins {
            steps.push(ShellStep::default());
        }
        let Some(step) = steps.last_mut() else { continue };
        let key = line.trim_start().trim_start_matches("- ");
        if in_script && line.starts_with("          ") {
            step.script += &format!("{}\n", line.trim_start());
            continue;
        }
        in_script = key == "run: |";
        if let Some(script) = key.strip_prefix("run: ").filter(|_| !in_script) {
            step.script = script.into();
        } else if let Some(condition) = key.strip_prefix("if: ") {
            step.condition = condition.into();
        }
    }
    steps.into_iter().filter(|step| !step.script.is_empty()).collect()
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(folder).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn write_program(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Writes a build that makes an APK.
fn write_build(repository: &Path, apk: &str) {
    let out = "app/build/outputs/apk/debug";
    let script = format!("#!/bin/sh\nmkdir -p {out}\ncp '{}' {out}/app-debug.apk\n", fixture(apk));
    write_program(&repository.join("gradlew"), &script);
}

/// Makes a repository with a branch `main` and a change of it, and a clone of the change.
fn clone_of_change(folder: &Path) {
    let origin = folder.join("origin");
    fs::create_dir_all(origin.join("app/src/main")).unwrap();
    fs::write(origin.join("app/src/main/README"), "sources").unwrap();
    git(&origin, &["init", "-q", "-b", "main"]);
    write_build(&origin, "shop-1.apk");
    git(&origin, &["add", "."]);
    git(&origin, &["commit", "-q", "-m", "Old"]);
    git(&origin, &["checkout", "-q", "-b", "change"]);
    write_build(&origin, "shop-2.apk");
    git(&origin, &["commit", "-q", "-a", "-m", "New"]);
    git(folder, &["clone", "-q", "--branch", "change", &origin.display().to_string(), "work"]);
}

#[test]
fn the_workflow_of_the_page_runs_on_a_push_and_on_a_pull_request() {
    for event in ["push", "pull_request"] {
        let temp = tempdir().unwrap();
        clone_of_change(temp.path());
        let bin = temp.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(env!("CARGO_BIN_EXE_retap"), bin.join("retap")).unwrap();
        // retap is installed already.
        write_program(&bin.join("cargo"), "#!/bin/sh\n");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let work = temp.path().join("work");
        let mut failed = false;
        let mut ran = 0;
        for step in steps().iter().filter(|step| step.applies(event, false)) {
            if !step.applies(event, failed) {
                continue;
            }
            let script = step.script();
            let mut shell = Command::new("bash");
            shell.args(["-e", "-o", "pipefail", "-c", &script]).env("PATH", &path);
            let done = shell.current_dir(&work).output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            let code = done.status.code();
            let may_find = script.contains("retap explore") || script.contains("retap update");
            assert!(code == Some(0) || may_find && code == Some(1), "{event}: {script}: {said}");
            failed |= code != Some(0);
            ran += 1;
        }
        assert!(ran >= 4, "{ran} steps of {event}");
        for file in ["report.html", "junit.xml", "report.sarif", "result.json"] {
            assert!(work.join("run").join(file).is_file(), "{event}: {file}");
        }
        check_file(&work.join("run/run.json"), "run");
        check_file(&work.join("run/result.json"), "result");
    }
}
