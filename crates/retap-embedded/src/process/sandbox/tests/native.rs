//! Native code in the sandbox: this test's own program starts itself again, once for each set of layers, as root
//! and as an ordinary user, and makes all attempts there. `docs/threats.md` says which layers stop an attempt by
//! themselves.

#![expect(clippy::disallowed_methods, reason = "this test runs programs")]

use super::attempts;
use super::prey::{LaidOut, Prey};
use super::*;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

const THREATS: &str = include_str!("../../../../../../docs/threats.md");
const NAME: &str = "process::sandbox::tests::native::native_attempts_fail";
const ROLE: &str = "RETAP_TEST_ROLE";

/// A user that owns nothing.
const NOBODY: u32 = 65_534;

const NONE: SandboxLayers = SandboxLayers { namespaces: false, landlock: false, seccomp: false };

/// Attempts that fail on some machines, or for a user who is not root, or for root, whose other processes have privileges, or for the leader of a
/// group, whatever the sandbox does.
const MAY_FAIL: [&str; 8] = [
    "become root",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "ptrace",
    "read a process's memory",
    "change a process's priority",
    "leave the session",
];

const OWN_BYTES: usize = 1 << 20;
const OWN_FILES: usize = 32;

#[test]
fn native_attempts_fail() {
    match std::env::var(ROLE).as_deref() {
        Ok("attempts") => make_attempts(),
        Ok("user") => check_all_layers(),
        _ => {
            check_all_layers();
            if rustix::process::geteuid().is_root() {
                check_as_nobody();
            }
        }
    }
}

/// Makes all attempts and prints a line for each.
fn make_attempts() {
    let prey = Prey::from_variables();
    for (name, attempt) in attempts::all() {
        match attempt(&prey) {
            Ok(()) => println!("gained:{name}:"),
            Err(error) => println!("failed:{name}:{error}"),
        }
    }
}

/// Runs this test as an ordinary user, with a copy of its program, which that user can read.
fn check_as_nobody() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let mut command = itself(&program, "user");
    let output = command.uid(NOBODY).gid(NOBODY).current_dir("/").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "as nobody: {output:?}");
}

fn itself(program: &Path, role: &str) -> Command {
    let mut command = Command::new(program);
    command.args([NAME, "--exact", "--nocapture", "--test-threads=1"]).env_clear().env(ROLE, role);
    command
}

fn check_all_layers() {
    let promised = promises();
    let names: Vec<&str> = attempts::all().iter().map(|(name, _)| *name).collect();
    assert_eq!(promised.keys().copied().collect::<Vec<_>>(), sorted(&names), "docs/threats.md");
    let mut broken = Vec::new();
    let choices = [false, true];
    for namespaces in choices {
        for landlock in choices {
            for seccomp in choices {
                let layers = SandboxLayers { namespaces, landlock, seccomp };
                broken.extend(broken_promises(&promised, layers));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    check_that_attempts_are_real(&promised);
}

/// Checks that attempts succeed where nothing stops them: one that fails for another reason shows nothing.
fn check_that_attempts_are_real(promised: &BTreeMap<&str, [bool; 4]>) {
    let made = attempts_with(NONE);
    let is_stopped = |name: &str| promised[name][3] || MAY_FAIL.contains(&name);
    let failed = made.iter().filter_map(|line| line.strip_prefix("failed:"));
    let failed: Vec<&str> =
        failed.filter(|it| !is_stopped(it.split(':').next().unwrap_or(it))).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Returns the attempts that succeeded although one of these layers should stop them.
fn broken_promises(promised: &BTreeMap<&str, [bool; 4]>, layers: SandboxLayers) -> Vec<String> {
    let made = attempts_with(layers);
    let mut broken = Vec::new();
    let used = [layers.namespaces, layers.landlock, layers.seccomp, true];
    for (name, stops) in promised {
        let outcome = made.iter().find(|line| line.contains(&format!(":{name}:")));
        let outcome =
            outcome.unwrap_or_else(|| panic!("{name} was not tried with {layers:?}: {made:?}"));
        let is_promised = used.iter().zip(stops).any(|(used, stops)| *used && *stops);
        if outcome.starts_with("gained:") && is_promised {
            broken.push(format!("{outcome} with {layers:?}"));
        }
    }
    broken
}

/// Makes all attempts in the sandbox with these layers and returns what they say.
fn attempts_with(layers: SandboxLayers) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let [root, own, log] = ["root", "own", "log"].map(|name| folder.path().join(name));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&own).unwrap();
    let laid_out = LaidOut::new(folder.path(), own.clone(), OWN_BYTES, OWN_FILES);
    let program = std::env::current_exe().unwrap();
    let mut read: Vec<PathBuf> =
        ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"].map(PathBuf::from).into();
    let run = [read.as_slice(), std::slice::from_ref(&program)].concat();
    read.push(laid_out.prey.readable.parent().unwrap().to_owned());
    let (max_bytes, max_files) = (OWN_BYTES as u64, OWN_FILES as u64);
    let own = vec![OwnFolder { path: own, max_bytes, max_files }];
    let files = AllowedFiles { read, write: vec!["/dev/null".into()], run, own };
    let output = fs::File::create(&log).unwrap();
    let mut command = itself(&program, "attempts");
    command.envs(laid_out.prey.variables()).current_dir("/").process_group(0).stdin(Stdio::null());
    command.stdout(output.try_clone().unwrap()).stderr(output);
    let mut process = start_confined(command, &root, &files, layers).unwrap();
    let status = process.child.wait().unwrap();
    process.child.end();
    let text = fs::read_to_string(log).unwrap();
    assert!(status.is_some_and(|it| it.success()), "{layers:?}: {status:?} {text}");
    text.lines().map(str::to_string).collect()
}

/// Reads the table of native attempts: which of the layers, and of what is always there, stop each.
fn promises() -> BTreeMap<&'static str, [bool; 4]> {
    let (_, table) = THREATS.split_once("## Native attempts").unwrap();
    let table = table.split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let stops = [1, 2, 3, 4].map(|column| cells[column] == "stops");
        assert!(stops.contains(&true), "nothing stops {row}");
        (cells[0], stops)
    })
    .collect()
}

fn sorted<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names
}
