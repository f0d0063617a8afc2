//! Reads one request. What is too long or malformed is refused with a status.

use std::collections::BTreeMap;
use std::io::{self, Read};

const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
const MAX_BODY: usize = 1 << 20;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    pub method: String,
    /// The path without its query.
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// Names are in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// Why a request is not answered.
#[derive(Debug)]
pub enum RequestError {
    /// The connection failed or was closed.
    Io(io::Error),
    Malformed(&'static str),
    TooLong,
}

impl From<io::Error> for RequestError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Request {
    /// Reads a request from a connection.
    pub fn read(input: &mut impl Read) -> Result<Self, RequestError> {
        let mut bytes = Vec::new();
        let mut part = [0; 4096];
        loop {
            let count = input.read(&mut part)?;
            if count == 0 {
                return Err(RequestError::Malformed("the request ends before its head does"));
            }
            bytes.extend_from_slice(&part[..count]);
            if let Some((mut request, head)) = Self::parse_head(&bytes)? {
                let rest = bytes.split_off(head);
                request.read_body(rest, input)?;
                return Ok(request);
            }
            if bytes.len() > MAX_HEAD {
                return Err(RequestError::TooLong);
            }
        }
    }

    /// Parses the head. Returns it with its length, or none if it is not whole yet.
    fn parse_head(bytes: &[u8]) -> Result<Option<(Self, usize)>, RequestError> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let head = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(head)) if head <= MAX_HEAD => head,
            Ok(httparse::Status::Complete(_)) => return Err(RequestError::TooLong),
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(_) => return Err(RequestError::Malformed("this is no request of HTTP")),
        };
        let target = parsed.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            method: parsed.method.unwrap_or_default().to_string(),
            path: path.to_string(),
            query: parse_query(query),
            ..Self::default()
        };
        for header in parsed.headers.iter() {
            let name = header.name.to_ascii_lowercase();
            let value = String::from_utf8_lossy(header.value).trim().to_string();
            // A header that comes twice could mean one thing here and another one elsewhere.
            if request.headers.insert(name, value).is_some() {
                return Err(RequestError::Malformed("a header comes twice"));
            }
        }
        Ok(Some((request, head)))
    }

    fn read_body(&mut self, begun: Vec<u8>, input: &mut impl Read) -> Result<(), RequestError> {
        if self.headers.contains_key("transfer-encoding") {
            return Err(RequestError::Malformed("a body needs a content-length"));
        }
        let length = match self.headers.get("content-length") {
            None => 0,
            Some(text) => text
                .parse::<usize>()
                .map_err(|_| RequestError::Malformed("content-length is no number"))?,
        };
        if length > MAX_BODY {
            return Err(RequestError::TooLong);
        }
        self.body = begun;
        self.body.truncate(length);
        let begun = self.body.len();
        self.body.resize(length, 0);
        input.read_exact(&mut self.body[begun..])?;
        Ok(())
    }
}

fn parse_query(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// Decodes `%41` and `+`. What is no such code stays as it is.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 2;
            }
            (b'+', _) => decoded.push(b' '),
            (byte, _) => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    const POST: &str =
        "POST /api/go?token=a%20b HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 3\r\n\r\n{}\n";

    fn read(text: &str) -> Result<Request, RequestError> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_has_a_path_a_query_headers_and_a_body() {
        let request = read(POST).unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/api/go"));
        assert_eq!(request.query["token"], "a b");
        assert_eq!(request.headers["host"], "127.0.0.1:1");
        assert_eq!(request.body, b"{}\n");
    }

    #[test]
    fn what_is_cut_too_long_or_ambiguous_is_refused() {
        let twice = POST.replace("Host:", "Host: evil\r\nHost:");
        let chunked = POST.replace("Content-Length: 3", "Transfer-Encoding: chunked");
        let huge = POST.replace("Content-Length: 3", "Content-Length: 99999999999");
        let long = POST.replace("127.0.0.1", &"x".repeat(MAX_HEAD));
        for wrong in [&POST[..40], &POST[..POST.len() - 1], &twice, &chunked, &huge, &long, "", "x"]
        {
            assert!(read(wrong).is_err(), "{wrong:.60}");
        }
    }

    #[test]
    fn damaged_requests() {
        let words =
            ["Content-Length: ", "Transfer-Encoding", "\r\n\r\n", "%", "?", "HTTP/1.1", "Host: "];
        fuzz("request", &[POST.as_bytes()], &words, |mut bytes| Request::read(&mut bytes).is_ok());
    }
}
