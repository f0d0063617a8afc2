//! A server that nobody here wrote drives an app: Appium's, as npm ships it, over its own HTTP.

use crate::common::{fixture, retap_command};
use crate::embedded::apps::fetch_package;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

const SERVER_TEST: &str = "AppiumUiAutomator2Server";
const PATIENCE: Duration = Duration::from_secs(300);

/// A running server, which ends with this.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(app: &str, out: &Path) -> Self {
        let apks = fetch_package("appium-uiautomator2-server").join("apks");
        let find = |part: &str, without: &str| {
            let mut files = apks.read_dir().unwrap().map(|entry| entry.unwrap().path());
            let fits = |path: &PathBuf| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                name.ends_with(".apk") && name.contains(part) && !name.contains(without)
            };
            files.find(fits).unwrap().display().to_string()
        };
        let (tests, driver) = (find("androidTest", "-v"), find("server-v", "androidTest"));
        let out = out.display().to_string();
        let mut child = retap_command(&[
            "test",
            app,
            &tests,
            "--driver",
            &driver,
            "-f",
            SERVER_TEST,
            "--forward",
            "0:6790",
            "--timeout",
            "10h",
            "--no-pictures",
            "-o",
            &out,
        ])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("Port ")?.1.split_whitespace().next()?.parse().ok());
        // What else it says must be read, or it waits for that.
        std::thread::spawn(move || lines.for_each(drop));
        let server = Self { child, port: port.expect("no port is told") };
        let begin = Instant::now();
        while server.try_ask("GET", "/status", None).is_none() {
            assert!(begin.elapsed() < PATIENCE, "the server does not answer");
            std::thread::sleep(Duration::from_millis(500));
        }
        server
    }

    fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let answer = self.try_ask(method, path, body);
        answer.unwrap_or_else(|| panic!("{method} {path} is not answered"))
    }

    fn try_ask(&self, method: &str, path: &str, body: Option<Value>) -> Option<Value> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (_, content) = answer.split_once("\r\n\r\n")?;
        let content = &content[content.find('{')?..=content.rfind('}')?];
        Some(serde_json::from_str::<Value>(content).ok()?["value"].clone())
    }
}

#[test]
fn appium_s_own_server_finds_clicks_reads_and_types() {
    let temp = tempdir().unwrap();
    let server = Server::start(&fixture("notes.apk"), &temp.path().join("run"));
    let session =
        server.ask("POST", "/session", Some(json!({"capabilities": {"alwaysMatch": {}}})));
    let session = format!("/session/{}", session["sessionId"].as_str().unwrap());
    let find = |strategy: &str, selector: &str| {
        let asked =
            json!({"strategy": strategy, "selector": selector, "context": "", "multiple": false});
        let found = server.ask("POST", &format!("{session}/element"), Some(asked));
        let id = found["ELEMENT"]
            .as_str()
            .or_else(|| found["element-6066-11e4-a52e-4f735466cecf"].as_str());
        format!("{session}/element/{}", id.unwrap_or_else(|| panic!("{selector}: {found}")))
    };
    let source = server.ask("GET", &format!("{session}/source"), None).to_string();
    assert!(source.contains("Shopping") && source.contains("android.widget.ListView"), "{source}");
    let by_path = find("xpath", "//android.widget.ListView//*[@text='Shopping']");
    assert_eq!(by_path, find("-android uiautomator", "new UiSelector().text(\"Shopping\")"));
    find("id", "dev.retap.fixture.notes:id/list");
    let add = find("accessibility id", "Add a note");
    server.ask("POST", &format!("{add}/click"), Some(json!({})));
    let title = find("id", "dev.retap.fixture.notes:id/title");
    server.ask(
        "POST",
        &format!("{title}/value"),
        Some(json!({"text": "By Appium", "replace": true})),
    );
    let text = server.ask("GET", &format!("{title}/text"), None);
    assert_eq!(text, "By Appium");
    let kind = server.ask("GET", &format!("{title}/attribute/class"), None);
    assert_eq!(kind, "android.widget.EditText");
    server.ask("POST", &format!("{session}/back"), Some(json!({})));
    let picture = server.ask("GET", &format!("{session}/screenshot"), None);
    // PNG's signature in base 64.
    assert!(picture.as_str().unwrap().starts_with("iVBORw0KGgo"), "{picture}");
}
