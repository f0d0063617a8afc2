//! `retap serve` as its page uses it. `browser/` does the same in Chromium.

use crate::common::{fake, retap_command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::{TempDir, tempdir};

/// A running page.
struct Page {
    server: Child,
    host: String,
    token: String,
    temp: TempDir,
}

/// The status and the body of a response.
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Page {
    fn open(app: &str) -> Self {
        let temp = tempdir().unwrap();
        let device = fake(app);
        Self::start(temp, &["--device", &device, "--seed", "1", "-o", "run"])
    }

    fn start(temp: TempDir, arguments: &[&str]) -> Self {
        let mut server = retap_command(&[&["serve"][..], arguments].concat())
            .current_dir(temp.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{address}"));
        let (host, token) = address.split_once("/?token=").unwrap();
        let (host, token) = (host.to_string(), token.to_string());
        assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{host} {token}");
        Self { server, host, token, temp }
    }

    fn send(&self, request: &str) -> Reply {
        let mut connection = TcpStream::connect(&self.host).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        connection.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: bytes[end + 4..].to_vec() }
    }

    fn get(&self, path: &str) -> Reply {
        let Self { host, token, .. } = self;
        self.send(&format!("GET {path}?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }

    fn post(&self, path: &str, body: &Value) -> Reply {
        let (host, token, body) = (&self.host, &self.token, body.to_string());
        let length = body.len();
        self.send(&format!(
            "POST {path}?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body);
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// Returns the middle of the widget that has this label.
    fn place_of(&self, label: &str) -> Value {
        let details = self.get("/api/details").json();
        let widgets = details["here"]["screen"]["widgets"].as_array().unwrap();
        let widget = widgets
            .iter()
            .find(|widget| widget["label"] == label)
            .unwrap_or_else(|| panic!("{details}"));
        let bounds = &widget["bounds"];
        let middle = |low: usize, high: usize| {
            (bounds[low].as_i64().unwrap() + bounds[high].as_i64().unwrap()) / 2
        };
        json!([middle(0, 2), middle(1, 3)])
    }

    fn tap(&self, label: &str) -> Value {
        self.command("/api/touch", &json!({ "kind": "tap", "at": self.place_of(label) }))
    }

    /// Ends the page as Ctrl-C does, and returns its exit code.
    fn end(mut self) -> (Option<i32>, TempDir) {
        Command::new("kill").args(["-INT", &self.server.id().to_string()]).status().unwrap();
        (self.server.wait().unwrap().code(), std::mem::replace(&mut self.temp, tempdir().unwrap()))
    }
}

/// A test that fails leaves no server behind.
impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn a_crash_is_recorded_by_clicking_minimised_listed_and_exported() {
    let page = Page::open("notes.fake");
    let shown = page.get("/");
    assert!(
        shown.head.contains("script-src 'nonce-") && shown.head.contains("frame-ancestors 'none'"),
        "{}",
        shown.head
    );
    // A detour that minimising takes away.
    page.command("/api/event", &json!({ "rotate": "landscape" }));
    page.command("/api/event", &json!({ "rotate": "portrait" }));
    assert_eq!(page.tap("New note")["gone"], false);
    let crashed = page.tap("Save");
    assert_eq!(
        (&crashed["gone"], &crashed["crash"]),
        (&true.into(), &"730828c8564b3f9a".into()),
        "{crashed}"
    );
    let refused = page.post("/api/event", &json!({ "key": "back" }));
    assert_eq!(refused.status, 409);
    assert!(refused.json()["error"].as_str().unwrap().contains("restart"));
    let minimized = page.command("/api/minimize", &json!({ "name": "730828c8564b3f9a" }));
    assert_eq!(minimized["steps"], json!(["tap \"New note\"", "tap \"Save\""]));
    let details = page.get("/api/details").json();
    assert_eq!(details["crashes"][0]["minimized"], true, "{details}");
    let exported =
        page.command("/api/export", &json!({ "trace": "730828c8564b3f9a", "format": "adb" }));
    assert!(exported["text"].as_str().unwrap().contains("input tap"), "{exported}");
    assert_eq!(exported["left_out"], json!([]));
    let saved = page.command("/api/trace", &json!({ "name": "mine" }));
    assert_eq!(saved["events"], 4, "{saved}");
    assert_eq!(details["steps"].as_array().map(Vec::len), Some(4), "{details}");
    assert!(details["here"]["outcome"].as_str().unwrap().contains("crashed"), "{details}");
    let replayed = page.command("/api/replay", &json!({ "trace": "mine.jsonl", "runs": 2 }));
    assert_eq!(replayed["reproduced"], json!({ "successes": 2, "runs": 2 }), "{replayed}");
    let state = &details["states"][0]["state"];
    assert_eq!(page.command("/api/go", &json!({ "name": state }))["gone"], false);
    let explored = page.command("/api/explore", &json!({ "events": 100 }));
    assert_eq!(explored["events"], 100, "{explored}");
    assert_eq!(page.get("/api/picture").head.matches("image/png").count(), 1);
    let report = page.get("/report");
    assert!(String::from_utf8(report.body).unwrap().contains("crash-730828c8564b3f9a"));
    let (code, temp) = page.end();
    assert_eq!(code, Some(0));
    assert!(temp.path().join("run/result.json").is_file());
    // The run goes on where it was left.
    let again = Page::start(temp, &["run"]);
    let details = again.get("/api/details").json();
    assert_eq!(details["crashes"][0]["id"], "730828c8564b3f9a", "{details}");
    again.end();
}

#[test]
fn nobody_else_is_answered() {
    let page = Page::open("notes.fake");
    let (host, token) = (&page.host, &page.token);
    let status = |request: String| page.send(&request).status;
    assert_eq!(status(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")), 403);
    assert_eq!(status(format!("GET /?token=0 HTTP/1.1\r\nHost: {host}\r\n\r\n")), 403);
    assert_eq!(status(format!("GET /?token={token} HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 403);
    assert_eq!(
        status(format!(
            "POST /api/restart?token={token} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}"
        )),
        403
    );
    let foreign = "Origin: http://evil.example\r\nContent-Length: 2";
    assert_eq!(
        status(format!(
            "POST /api/restart?token={token} HTTP/1.1\r\nHost: {host}\r\n{foreign}\r\n\r\n{{}}"
        )),
        403
    );
    assert_eq!(status("nonsense\r\n\r\n".into()), 400);
    assert_eq!(page.get("/api/nothing").status, 404);
    assert_eq!(page.post("/api/touch", &json!({ "kind": "kick", "at": [1, 2] })).status, 409);
    assert_eq!(
        page.post("/api/export", &json!({ "trace": "/etc/passwd", "format": "adb" })).status,
        409
    );
    page.end();
}

#[test]
fn a_page_survives_a_run_directory_that_is_cut_off() {
    let page = Page::open("notes.fake");
    page.tap("New note");
    std::fs::remove_dir_all(page.temp.path().join("run/screens")).unwrap();
    std::fs::write(page.temp.path().join("run/states.jsonl"), "{").unwrap();
    let back = page.post("/api/event", &json!({ "key": "back" }));
    assert!(back.status == 200 || back.status == 409, "{}", back.status);
    let details = page.get("/api/details");
    assert!(details.status == 200 || details.json()["error"].is_string());
    assert_eq!(page.get("/").status, 200);
    page.end();
}

#[test]
fn what_cannot_be_opened_is_refused_at_once() {
    let temp = tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = retap_command(arguments).current_dir(temp.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    std::fs::create_dir(temp.path().join("empty")).unwrap();
    let (code, error) = run(&["serve", "empty"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("holds no run"), "{error}");
    assert!(!Path::new("retap-out").exists());
}
