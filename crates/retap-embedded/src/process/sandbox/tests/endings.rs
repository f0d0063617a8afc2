//! The end of retap is the end of the process in the sandbox, however retap ends. This test's own program starts
//! itself again in retap's place, and is killed.

#![expect(clippy::disallowed_methods, reason = "this test runs programs and waits for their end")]

use super::*;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NAME: &str = "process::sandbox::tests::endings::nothing_outlives_a_killed_retap";
const ROLE: &str = "RETAP_TEST_HOLDER";

/// What the one in retap's place prints before the number of the process.
const TOLD: &str = "confined:";

#[test]
fn nothing_outlives_a_killed_retap() {
    match std::env::var(ROLE).as_deref() {
        Ok(namespaces) => hold_process(namespaces == "true"),
        Err(_) => [true, false].into_iter().for_each(check),
    }
}

fn check(namespaces: bool) {
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args([NAME, "--exact", "--nocapture"])
        .env(ROLE, namespaces.to_string())
        // The process waits for a word on this, and so does not end by itself while the pipe is open here.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.filter_map(|line| Some(line.split_once(TOLD)?.1.to_string())).next();
    let process = told.expect("a process in the sandbox");
    assert!(is_alive(&process));
    holder.kill().unwrap();
    let pipe = holder.stdin.take();
    holder.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while is_alive(&process) {
        assert!(Instant::now() < deadline, "process {process} lives on, namespaces: {namespaces}");
        std::thread::yield_now();
    }
    drop(pipe);
}

/// Returns true if a process runs. One that has ended may wait for its new parent to take notice.
fn is_alive(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// Starts a process that waits, tells its number, and waits too.
fn hold_process(namespaces: bool) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    let system =
        ["/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/nix/store"].map(PathBuf::from);
    let files =
        AllowedFiles { read: system.to_vec(), run: system.to_vec(), ..AllowedFiles::default() };
    let mut command = Command::new("/bin/bash");
    command.args(["-c", "read word"]).current_dir("/").process_group(0);
    let layers = SandboxLayers { namespaces, ..SandboxLayers::default() };
    let mut process = start_confined(command, &root, &files, layers).unwrap();
    println!("{TOLD}{}", process.child.id());
    std::io::stdout().flush().unwrap();
    process.child.wait().unwrap();
}
