//! Writes responses, and streams of events.

use serde::Serialize;
use std::io::{self, Write};

/// What every response says: nothing is kept, guessed, framed or told to others.
const HEADERS: &str = "Cache-Control: no-store\r\n\
X-Content-Type-Options: nosniff\r\n\
Referrer-Policy: no-referrer\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Connection: close\r\n";

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    status: u16,
    content_type: &'static str,
    policy: Option<String>,
    body: Vec<u8>,
}

impl Response {
    pub fn new(status: u16, content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status, content_type, policy: None, body }
    }

    /// Returns a value as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self::new(200, "application/json", body),
            Err(error) => Self::error(500, &error.to_string()),
        }
    }

    /// Returns an error that the page shows.
    pub fn error(status: u16, message: &str) -> Self {
        let body = serde_json::json!({ "error": message }).to_string();
        Self::new(status, "application/json", body.into_bytes())
    }

    /// Returns a page with its content security policy.
    pub fn page(html: String, policy: String) -> Self {
        Self { policy: Some(policy), ..Self::new(200, "text/html; charset=utf-8", html.into()) }
    }

    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let policy = self.policy.as_deref().unwrap_or("default-src 'none'; frame-ancestors 'none'");
        write!(
            output,
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n{HEADERS}\r\n",
            self.status,
            reason(self.status),
            self.content_type,
            self.body.len(),
        )?;
        output.write_all(&self.body)?;
        output.flush()
    }
}

/// Begins a stream of events, which lasts until the page closes it.
pub fn begin_event_stream(output: &mut impl Write) -> io::Result<()> {
    write!(output, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{HEADERS}\r\n")?;
    output.flush()
}

/// Sends one event. JSON has no line ends, which would end it early.
pub fn send_event(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    write!(output, "data: {}\n\n", serde_json::to_string(value)?)?;
    output.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        _ => "Internal Server Error",
    }
}
