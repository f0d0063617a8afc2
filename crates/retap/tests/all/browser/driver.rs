//! A headless Chromium, driven over the WebDriver protocol by Debian's `chromedriver`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// How long a condition may take to become true.
const PATIENCE: Duration = Duration::from_secs(180);

/// A browser with one window.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    pub fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this test needs Debian's packages chromium and chromium-driver");
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines
            .filter_map(|line| line.rsplit_once("port ")?.1.trim_end_matches('.').parse().ok())
            // The first line repeats the port that was asked for.
            .find(|port| *port != 0)
            .unwrap();
        let profile = tempdir().unwrap();
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let profile = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1400,1000",
            &profile,
        ];
        let answer = browser.ask(
            "POST",
            "/session",
            &json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } }),
        );
        browser.session =
            answer["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_string();
        browser
    }

    pub fn open(&self, address: &str) {
        self.command("/url", &json!({ "url": address }));
    }

    /// Runs a script in the page and returns its value.
    pub fn run(&self, script: &str) -> Value {
        self.command("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs a script whose last argument takes its value later.
    pub fn run_async(&self, script: &str) -> Value {
        self.command("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true.
    pub fn wait_for(&self, expression: &str) {
        let started = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != true {
            assert!(started.elapsed() < PATIENCE, "{expression} did not become true");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses the mouse at a point of the window, as a person does.
    pub fn click_at(&self, x: f64, y: f64) {
        let moves = json!({ "actions": [{
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": [
                { "type": "pointerMove", "duration": 0, "x": x as i64, "y": y as i64 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ],
        }] });
        self.command("/actions", &moves);
    }

    /// Clicks the middle of an element.
    pub fn click(&self, selector: &str) {
        let found =
            self.command("/element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|it| it.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        self.command(&format!("/element/{id}/click"), &json!({}));
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}{path}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = body.to_string();
        let length = body.len();
        let host = format!("127.0.0.1:{}", self.port);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        connection.write_all(request.as_bytes()).unwrap();
        let json = read_answer(&connection);
        let answer: Value =
            serde_json::from_slice(&json).unwrap_or_else(|error| panic!("{path}: {error}"));
        let value = answer["value"].clone();
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }
}

/// Reads the body of an answer. Its end is counted, because chromedriver keeps the connection open.
fn read_answer(connection: &TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    body
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.ask("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
