//! A running `retap serve` and the requests that its page sends.

use crate::common::{fake, retap_command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use tempfile::{TempDir, tempdir};

/// A running page.
pub struct Page {
    pub server: Child,
    pub host: String,
    pub token: String,
    pub temp: TempDir,
}

/// The status and the body of a response.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Page {
    pub fn open(app: &str) -> Self {
        let temp = tempdir().unwrap();
        let device = fake(app);
        Self::start(temp, &["--device", &device, "--seed", "1", "-o", "run"])
    }

    pub fn start(temp: TempDir, arguments: &[&str]) -> Self {
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

    pub fn send(&self, request: &str) -> Reply {
        let mut connection = TcpStream::connect(&self.host).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        connection.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub fn get(&self, path: &str) -> Reply {
        let Self { host, token, .. } = self;
        self.send(&format!("GET {path}?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let (host, token, body) = (&self.host, &self.token, body.to_string());
        let length = body.len();
        self.send(&format!(
            "POST {path}?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub fn command(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body);
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// Returns the middle of the widget that has this label or description.
    pub fn place_of(&self, label: &str) -> Value {
        let details = self.get("/api/details").json();
        let widgets = details["here"]["screen"]["widgets"].as_array().unwrap();
        let widget = widgets
            .iter()
            .find(|widget| widget["label"] == label || widget["description"] == label)
            .unwrap_or_else(|| panic!("{details}"));
        let bounds = &widget["bounds"];
        let middle = |low: usize, high: usize| {
            (bounds[low].as_i64().unwrap() + bounds[high].as_i64().unwrap()) / 2
        };
        json!([middle(0, 2), middle(1, 3)])
    }

    pub fn tap(&self, label: &str) -> Value {
        self.command("/api/touch", &json!({ "kind": "tap", "at": self.place_of(label) }))
    }

    /// Ends the page as Ctrl-C does, and returns its exit code.
    pub fn end(mut self) -> (Option<i32>, TempDir) {
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
