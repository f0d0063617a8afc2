//! A shell in the sandbox.

#![expect(clippy::disallowed_methods, reason = "these tests run programs")]

use super::*;
use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Output, Stdio};

/// Runs a shell script in the sandbox. It may write to one folder and use only built-in commands,
/// because it cannot start a program.
fn run_shell(write: &Path, script: &str) -> Output {
    let folders = ["/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/nix/store"];
    let files = AllowedFiles {
        read: folders.map(PathBuf::from).into(),
        write: vec![write.to_owned(), "/dev/null".into()],
        run: folders.map(PathBuf::from).into(),
    };
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir("/").stdin(Stdio::null());
    confine(&mut command, &files).unwrap();
    command.output().unwrap()
}

fn assert_refused(script: &str) {
    let dir = tempfile::tempdir().unwrap();
    let output = run_shell(dir.path(), script);
    assert!(!output.status.success(), "{script}: {output:?}");
}

fn assert_allowed(script: &str) {
    let dir = tempfile::tempdir().unwrap();
    let script = script.replace("DIR", &dir.path().display().to_string());
    let output = run_shell(dir.path(), &script);
    assert!(output.status.success(), "{script}: {output:?}");
}

#[test]
fn this_kernel_supports_the_whole_sandbox() {
    assert_eq!(missing_protections(), Vec::<&str>::new());
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
    assert_refused("/bin/true; /bin/true");
    assert_refused("(true)");
    assert_refused("true | true");
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
