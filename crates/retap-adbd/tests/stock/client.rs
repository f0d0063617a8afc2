//! A phone of retap, and an adb server of its own with stock adb as its client.

use retap_adbd::{AdbServer, Phone, PhoneSettings, StartDevice};
use retap_model::Display;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tempfile::TempDir;

pub struct StockAdb {
    pub serial: String,
    pub temp: TempDir,
    port: u16,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The exit code and the texts of a command.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns false, with a word about it, on a machine without adb.
#[expect(clippy::print_stderr, reason = "whoever runs the tests wants to know")]
pub fn is_here() -> bool {
    let found = Command::new("adb").arg("version").output().is_ok();
    if !found {
        eprintln!("skipped: adb is missing; install Debian's package adb");
    }
    found
}

impl StockAdb {
    /// Starts a phone and connects stock adb to it.
    pub fn connect(start: StartDevice, carries_app: bool) -> Self {
        let settings =
            PhoneSettings { start, api: None, display: Display::default(), world_seed: 1 };
        let phone = Phone::new(settings).unwrap();
        if carries_app {
            phone.install(None).unwrap();
        }
        let server = AdbServer::listen("0".parse().unwrap(), phone).unwrap();
        let serial = server.address().unwrap().to_string();
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        let thread = Some(std::thread::spawn(move || server.run(&flag, &|_| {})));
        // A port that was free a moment ago, for a server that nobody else uses.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let temp = tempfile::tempdir().unwrap();
        let adb = Self { serial, temp, port, interrupt, thread };
        let connected = adb.run(&["connect", &adb.serial]);
        assert!(connected.out.contains("connected to"), "{connected:?}");
        adb
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("adb");
        command.args(["-P", &self.port.to_string()]).args(arguments);
        // The server keeps its keys here, and not with the user's own.
        command.env("HOME", self.temp.path()).env_remove("ANDROID_SERIAL");
        command.env_remove("ADB_SERVER_SOCKET").stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Said {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs a line of a documented session, whose phone has another serial.
    pub fn run_documented(&self, line: &str) -> Said {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.temp.path()).stdin(Stdio::null());
        command.env("HOME", self.temp.path()).env_remove("ADB_SERVER_SOCKET");
        command.env("ANDROID_ADB_SERVER_PORT", self.port.to_string());
        command.output().unwrap().into()
    }

    /// Runs a command on the phone and returns what it printed, if it went well.
    pub fn shell(&self, line: &str) -> String {
        let said = self.run(&["shell", line]);
        assert_eq!(said.code, 0, "{line}: {said:?}");
        said.out
    }

    /// Returns the middle of the widget with this id, as a tool finds it.
    pub fn place(&self, id: &str) -> String {
        let dump = self.run(&["exec-out", "uiautomator", "dump", "/dev/tty"]).out;
        let node = dump.split("<node ").find(|node| node.contains(&format!(":id/{id}\"")));
        let node = node.unwrap_or_else(|| panic!("no {id} in {dump}"));
        let bounds = node.split("bounds=\"").nth(1).unwrap().split('"').next().unwrap();
        let numbers: Vec<i32> = bounds
            .split(['[', ']', ','])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().unwrap())
            .collect();
        format!("{} {}", (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
    }

    pub fn tap(&self, id: &str) {
        self.shell(&format!("input tap {}", self.place(id)));
    }

    pub fn dump(&self) -> String {
        self.run(&["exec-out", "uiautomator", "dump", "/dev/tty"]).out
    }
}

impl Drop for StockAdb {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
        self.interrupt.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // Its panic is the test's own.
            let _ = thread.join();
        }
    }
}
