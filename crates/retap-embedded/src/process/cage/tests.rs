use super::*;
use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Output, Stdio};

/// A shell with these folders to itself and nothing but its own words: it cannot start a program.
fn shell(write: &Path, script: &str) -> Output {
    let folders = ["/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/nix/store"];
    let permits = Permits {
        read: folders.map(PathBuf::from).into(),
        write: vec![write.to_owned(), "/dev/null".into()],
        run: folders.map(PathBuf::from).into(),
    };
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir("/").stdin(Stdio::null());
    enclose(&mut command, &permits).unwrap();
    command.output().unwrap()
}

fn refused(script: &str) {
    let dir = tempfile::tempdir().unwrap();
    let output = shell(dir.path(), script);
    assert!(!output.status.success(), "{script}: {output:?}");
}

fn permitted(script: &str) {
    let dir = tempfile::tempdir().unwrap();
    let script = script.replace("DIR", &dir.path().display().to_string());
    let output = shell(dir.path(), &script);
    assert!(output.status.success(), "{script}: {output:?}");
}

#[test]
fn this_kernel_has_all_the_tests_below_need() {
    assert_eq!(gaps(), Vec::<&str>::new());
}

#[test]
fn its_own_folder_is_free() {
    permitted("echo text > DIR/file && read word < DIR/file && test $word = text");
}

#[test]
fn other_files_can_neither_be_read_nor_written() {
    let other = tempfile::tempdir().unwrap();
    let secret = other.path().join("secret");
    fs::write(&secret, "secret\n").unwrap();
    refused(&format!("read word < {}", secret.display()));
    refused(&format!("echo more >> {}", secret.display()));
    refused(&format!("echo new > {}/new", other.path().display()));
    refused("read word < /etc/passwd");
    refused("read word < /proc/self/status");
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret\n");
}

#[test]
fn folders_outside_look_empty() {
    permitted("set -- /etc/*; test \"$1\" = '/etc/*'");
}

#[test]
fn no_process_is_started() {
    permitted("true");
    refused("/bin/true; /bin/true");
    refused("(true)");
    refused("true | true");
}

#[test]
fn no_socket_is_opened() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    // The same words work outside.
    assert!(Command::new("bash").args(["-c", &script]).status().unwrap().success());
    refused(&script);
    refused(&format!("exec 3<>/dev/udp/127.0.0.1/{port}"));
}

#[test]
fn nobody_else_gets_a_signal() {
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    refused(&format!("kill -9 {}", other.id()));
    refused(&format!("kill -0 {}", std::process::id()));
    permitted("kill -0 $$");
    assert_eq!(other.try_wait().unwrap(), None);
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn files_left_open_are_not_handed_down() {
    let file = tempfile::tempfile().unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let script = format!("echo word >&{}", file.as_raw_fd());
    // The same words work outside.
    assert!(Command::new("bash").args(["-c", &script]).status().unwrap().success());
    refused(&script);
}

#[test]
fn amounts_are_bounded() {
    refused("ulimit -c 1");
    refused("ulimit -f unlimited");
    refused("ulimit -d unlimited");
}
