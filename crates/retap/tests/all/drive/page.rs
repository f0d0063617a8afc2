//! `retap serve` as its page uses it. `browser/` does the same in Chromium.

use super::local_page::Page;
use crate::common::retap_command;
use serde_json::json;
use std::path::Path;
use tempfile::tempdir;

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
    std::fs::write(temp.path().join("junk.apk"), "junk").unwrap();
    let (code, error) = run(&["serve", "junk.apk"]);
    assert!(code == Some(2) && error.contains("not an APK"), "{code:?} {error}");
    assert!(!Path::new("retap-out").exists());
}
