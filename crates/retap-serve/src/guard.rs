//! Who is answered: the page that retap itself has sent, and nobody else.
//!
//! Every request must carry the token, so that other users of the machine and other pages are left out. It must name this
//! machine as its host, so that a name that somebody points at the loopback address does not help. A command must come
//! from this very origin.

use crate::http::Request;

/// What is checked.
#[derive(Debug, Clone)]
pub struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    pub fn new(token: String, port: u16) -> Self {
        Self { token, port }
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Returns why a request is refused, if it is.
    pub fn refuse(&self, request: &Request) -> Option<&'static str> {
        let header = |name: &str| request.headers.get(name).map(String::as_str);
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !header("host").is_some_and(|host| hosts.iter().any(|known| known == host)) {
            return Some("another host was meant");
        }
        let given = request.query.get("token").map(String::as_str).or(header("x-retap-token"));
        if !given.is_some_and(|given| is_same(given, &self.token)) {
            return Some("the address lacks the token that retap printed");
        }
        if matches!(header("sec-fetch-site"), Some("cross-site" | "same-site")) {
            return Some("another page asks");
        }
        let is_own = |origin: &str| {
            origin
                .strip_prefix("http://")
                .is_some_and(|host| hosts.iter().any(|known| known == host))
        };
        match (request.method.as_str(), header("origin")) {
            (_, Some(origin)) if !is_own(origin) => Some("another page asks"),
            ("GET", _) | ("POST", Some(_)) => None,
            ("POST", None) => Some("a command must come from the page"),
            _ => Some("only GET and POST are answered"),
        }
    }
}

/// Compares without telling by its time how much is right.
fn is_same(given: &str, wanted: &str) -> bool {
    let (given, wanted) = (given.as_bytes(), wanted.as_bytes());
    let differences = given.iter().zip(wanted).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == wanted.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, headers: &[(&str, &str)], token: &str) -> Request {
        Request {
            method: method.into(),
            path: "/".into(),
            query: [("token".to_string(), token.to_string())].into(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            body: Vec::new(),
        }
    }

    #[test]
    fn only_the_own_page_is_answered() {
        let guard = Guard::new("secret".into(), 7000);
        let own = ("host", "127.0.0.1:7000");
        let check = |method: &str, headers: &[(&str, &str)], token: &str, answered: bool| {
            let refused = guard.refuse(&request(method, headers, token));
            assert_eq!(refused.is_none(), answered, "{method} {headers:?} {token}: {refused:?}");
        };
        check("GET", &[own], "secret", true);
        check("GET", &[("host", "localhost:7000")], "secret", true);
        check("GET", &[own], "secre", false);
        check("GET", &[own], "secretx", false);
        check("GET", &[own], "", false);
        check("GET", &[("host", "evil.example:7000")], "secret", false);
        check("GET", &[], "secret", false);
        check("GET", &[own, ("sec-fetch-site", "cross-site")], "secret", false);
        check("POST", &[own], "secret", false);
        check("POST", &[own, ("origin", "http://127.0.0.1:7000")], "secret", true);
        check("POST", &[own, ("origin", "http://evil.example")], "secret", false);
        check("POST", &[own, ("origin", "null")], "secret", false);
        check("DELETE", &[own, ("origin", "http://127.0.0.1:7000")], "secret", false);
        let by_header = Request {
            headers: [
                ("host".into(), "127.0.0.1:7000".into()),
                ("x-retap-token".into(), "secret".into()),
            ]
            .into(),
            query: [].into(),
            ..request("GET", &[], "")
        };
        assert_eq!(guard.refuse(&by_header), None);
    }
}
