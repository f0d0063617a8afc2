//! A shell in the sandbox.

#![expect(clippy::disallowed_methods, reason = "these tests run programs")]

mod attempts;
mod endings;
mod native;
mod prey;

use super::*;
use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

/// Runs a shell script in the sandbox. It may write to one folder, which DIR names, and use only built-in commands,
/// because it cannot start a program. Its own folder is gone afterwards.
fn run_shell(layers: SandboxLayers, script: &str) -> (Option<ExitStatus>, String) {
    let folder = tempfile::tempdir().unwrap();
    let [root, own, log] = ["root", "own", "log"].map(|name| folder.path().join(name));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&own).unwrap();
    let folders = ["/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/nix/store"];
    let files = AllowedFiles {
        read: folders.map(PathBuf::from).into(),
        write: vec!["/dev/null".into()],
        run: folders.map(PathBuf::from).into(),
        own: vec![OwnFolder { path: own.clone(), max_bytes: 1 << 20, max_files: 16 }],
    };
    let output = fs::File::create(&log).unwrap();
    let mut command = Command::new("/bin/bash");
    command.args(["-c", &script.replace("DIR", &own.display().to_string())]);
    command.current_dir("/").process_group(0).stdin(Stdio::null());
    command.stdout(output.try_clone().unwrap()).stderr(output);
    let mut process = start_confined(command, &root, &files, layers).unwrap();
    let status = process.child.wait().unwrap();
    (status, fs::read_to_string(log).unwrap())
}

/// Every combination that a machine may have, and those with one layer left out.
const LAYERS: [SandboxLayers; 4] = [
    SandboxLayers { namespaces: true, landlock: true, seccomp: true },
    SandboxLayers { namespaces: false, landlock: true, seccomp: true },
    SandboxLayers { namespaces: true, landlock: false, seccomp: true },
    SandboxLayers { namespaces: true, landlock: true, seccomp: false },
];

fn assert_refused(script: &str) {
    assert_refused_with(script, |_| true);
}

/// Checks those layers that promise to refuse it.
fn assert_refused_with(script: &str, promises: impl Fn(SandboxLayers) -> bool) {
    for layers in LAYERS.into_iter().filter(|layers| promises(*layers)) {
        let (status, output) = run_shell(layers, script);
        assert!(!status.is_some_and(|it| it.success()), "{script}, {layers:?}: {output}");
    }
}

fn assert_allowed(script: &str) {
    for layers in LAYERS {
        let (status, output) = run_shell(layers, script);
        assert!(status.is_some_and(|it| it.success()), "{script}, {layers:?}: {status:?} {output}");
    }
}

#[test]
fn this_kernel_supports_the_whole_sandbox() {
    assert_eq!(protections().missing, Vec::<String>::new());
}

#[test]
fn the_process_can_use_its_own_folder() {
    assert_allowed("echo text > DIR/file && read word < DIR/file && test $word = text");
}

#[test]
fn other_files_can_neither_be_read_nor_written() {
    let other = tempfile::tempdir().unwrap();
    let secret = other.path().join("secret");
    fs::write(&secret, "secret\n").unwrap();
    assert_refused(&format!("read word < {}", secret.display()));
    assert_refused(&format!("echo more >> {}", secret.display()));
    assert_refused(&format!("echo new > {}/new", other.path().display()));
    assert_refused("read word < /etc/passwd");
    assert_refused("read word < /proc/self/status");
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret\n");
}

#[test]
fn folders_outside_look_empty() {
    assert_allowed("set -- /etc/*; test \"$1\" = '/etc/*'");
}

#[test]
fn no_process_can_be_started() {
    assert_allowed("true");
    // Without seccomp it can, and all of them end with the first one.
    for script in ["/bin/true; /bin/true", "(true)", "true | true"] {
        assert_refused_with(script, |layers| layers.seccomp);
    }
}

#[test]
fn no_socket_can_be_opened() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    // The same script works outside the sandbox.
    assert!(Command::new("bash").args(["-c", &script]).status().unwrap().success());
    assert_refused(&script);
    assert_refused(&format!("exec 3<>/dev/udp/127.0.0.1/{port}"));
}

#[test]
fn other_processes_cannot_be_signalled() {
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    assert_refused(&format!("kill -9 {}", other.id()));
    assert_refused(&format!("kill -0 {}", std::process::id()));
    assert_allowed("kill -0 $$");
    assert_eq!(other.try_wait().unwrap(), None);
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn inherited_files_are_closed() {
    let file = tempfile::tempfile().unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let script = format!("echo word >&{}", file.as_raw_fd());
    // The same script works outside the sandbox.
    assert!(Command::new("bash").args(["-c", &script]).status().unwrap().success());
    assert_refused(&script);
}

#[test]
fn limits_cannot_be_raised() {
    assert_refused("ulimit -c 1");
    assert_refused("ulimit -f unlimited");
    assert_refused("ulimit -d unlimited");
}
