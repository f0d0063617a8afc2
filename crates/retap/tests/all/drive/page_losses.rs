//! What a page survives: a device that dies, and a run directory that is cut off.

use super::local_page::Page;
use crate::common::fixture;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use tempfile::tempdir;

/// Returns what the page is told about the session at this moment.
fn progress(page: &Page) -> Value {
    let mut connection = TcpStream::connect(&page.host).unwrap();
    let (host, token) = (&page.host, &page.token);
    let request = format!("GET /api/events?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    connection.write_all(request.as_bytes()).unwrap();
    let lines = BufReader::new(connection).lines().map(Result::unwrap);
    let data = lines.filter_map(|line| line.strip_prefix("data: ").map(String::from)).next();
    serde_json::from_str(&data.unwrap()).unwrap()
}

/// Returns the Java processes below a process.
fn java_below(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = process.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = fs::read_to_string(process.path().join("stat")) else { continue };
        let Some((name, rest)) = stat.rsplit_once(')') else { continue };
        if rest.split_whitespace().nth(1) != Some(&parent.to_string()) {
            continue;
        }
        if name.ends_with("(java") {
            found.push(id);
        }
        found.extend(java_below(id));
    }
    found
}

#[test]
fn a_device_that_is_killed_comes_back_where_it_was_and_the_page_says_so() {
    let page =
        Page::start(tempdir().unwrap(), &[&fixture("notes.apk"), "--seed", "1", "-o", "run"]);
    let before = page.tap("Search");
    let java = java_below(page.server.id());
    assert!(!java.is_empty(), "the device is a Java process");
    for process in java {
        Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    }
    let typed = page.command("/api/event", &json!({ "rotate": "landscape" }));
    assert_eq!(typed["gone"], false, "{typed}");
    assert_eq!(before["screen"]["activity"], typed["screen"]["activity"]);
    let remarks = progress(&page)["remarks"].to_string();
    assert!(
        remarks.contains("the device died") && remarks.contains("1 event runs again"),
        "{remarks}"
    );
    let details = page.get("/api/details").json();
    assert_eq!(details["steps"].as_array().map(Vec::len), Some(2), "{details}");
    let (code, temp) = page.end();
    assert_eq!(code, Some(0));
    let trace = fs::read_to_string(temp.path().join("run/trace.jsonl")).unwrap();
    assert_eq!(trace.lines().filter(|line| line.contains("\"event\"")).count(), 2, "{trace}");
}

#[test]
fn a_page_survives_a_run_directory_that_is_cut_off() {
    let page = Page::open("notes.fake");
    page.tap("New note");
    fs::remove_dir_all(page.temp.path().join("run/screens")).unwrap();
    fs::write(page.temp.path().join("run/states.jsonl"), "{").unwrap();
    let back = page.post("/api/event", &json!({ "key": "back" }));
    assert!(back.status == 200 || back.status == 409, "{}", back.status);
    let details = page.get("/api/details");
    assert!(details.status == 200 || details.json()["error"].is_string());
    assert_eq!(page.get("/").status, 200);
    page.end();
}

#[test]
fn a_run_that_was_cut_off_in_the_middle_of_a_line_opens_and_goes_on() {
    let page = Page::open("notes.fake");
    page.tap("New note");
    page.command("/api/event", &json!({ "key": "back" }));
    let (_, temp) = page.end();
    let file = temp.path().join("run/trace.jsonl");
    let trace = fs::read_to_string(&file).unwrap();
    fs::write(&file, &trace[..trace.len() - 20]).unwrap();
    fs::remove_file(temp.path().join("run/result.json")).unwrap();
    let again = Page::start(temp, &["run"]);
    let steps = again.get("/api/details").json()["steps"].clone();
    assert_eq!(steps, json!(["tap \"New note\""]));
    assert_eq!(again.tap("Save")["gone"], true);
    again.end();
}
