//! `retap mcp` as an assistant uses it, with lines of JSON written by hand. `clients/assistant.py` does the same with the
//! official Python client.

use crate::common::{retap_command, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use tempfile::{TempDir, tempdir};

/// A server with its client's end of the pipe.
struct Assistant {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    _temp: TempDir,
}

impl Assistant {
    fn start() -> Self {
        let temp = tempdir().unwrap();
        let app = root().join("fakes/notes.fake").display().to_string();
        let output = temp.path().join("out").display().to_string();
        let mut server = retap_command(&["mcp", &app, "--seed", "1", "-o", &output, "-q"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut assistant = Self { server, input, output, last: 0, _temp: temp };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = assistant.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "retap", "{answer}");
        assistant.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    fn tell(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        self.tell(
            &json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters }),
        );
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    /// Calls a tool and returns whether it succeeded, and its text.
    fn call(&mut self, name: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask("tools/call", &json!({ "name": name, "arguments": arguments }));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (result["isError"] != true, text.to_string())
    }

    fn succeed(&mut self, name: &str, arguments: &Value) -> String {
        let (succeeded, text) = self.call(name, arguments);
        assert!(succeeded, "{name}: {text}");
        text
    }

    fn fail(&mut self, name: &str, arguments: &Value) -> String {
        let (succeeded, text) = self.call(name, arguments);
        assert!(!succeeded, "{name}: {text}");
        text
    }

    /// Returns the number of the widget whose line holds these words.
    fn number_of(&mut self, words: &str) -> usize {
        let screen = self.succeed("screen", &json!({}));
        let line =
            screen.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{screen}"));
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Closes the pipe and returns the exit code.
    fn leave(mut self) -> Option<i32> {
        self.input = None;
        self.server.wait().unwrap().code()
    }
}

#[test]
fn an_assistant_finds_minimises_replays_and_exports_a_crash() {
    let mut assistant = Assistant::start();
    let tools = assistant.ask("tools/list", &json!({}));
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 19, "{tools}");
    assert!(assistant.succeed("launch", &json!({})).contains("Launched dev.retap.demo.notes"));
    assert!(assistant.succeed("save", &json!({ "name": "home" })).contains("\"home\""));
    let add = assistant.number_of("New note");
    assistant.succeed("tap", &json!({ "widget": add }));
    let save = assistant.number_of("Save");
    let crashed = assistant.succeed("tap", &json!({ "widget": save }));
    assert!(crashed.contains("CRASH 730828c8564b3f9a"), "{crashed}");
    let crash = assistant.succeed("crash", &json!({ "id": "7308" }));
    for words in ["1. tap \"New note\"", "2. tap \"Save\"", "Note.java:31"] {
        assert!(crash.contains(words), "{crash}");
    }
    let home = assistant.succeed("go", &json!({ "state": "home" }));
    assert!(home.contains("New note"), "{home}");
    let replayed = assistant.succeed("replay", &json!({ "trace": "7308", "runs": 3 }));
    assert!(replayed.contains("in 3 of 3 runs"), "{replayed}");
    let script = assistant.succeed("export", &json!({ "trace": "7308", "format": "maestro" }));
    assert!(script.contains("launchApp"), "{script}");
    let explored = assistant.succeed("explore", &json!({ "events": 200 }));
    assert!(explored.starts_with("200 events"), "{explored}");
    assert!(assistant.succeed("crashes", &json!({})).contains("StringIndexOutOfBounds"));
    let saved = assistant.succeed("save_trace", &json!({ "name": "../../evil" }));
    assert!(saved.contains("traces/------evil.jsonl"), "{saved}");
    assistant.succeed("restart", &json!({}));
    let picture =
        assistant.ask("tools/call", &json!({ "name": "screen", "arguments": { "picture": true } }));
    assert_eq!(picture["result"]["content"][1]["mimeType"], "image/png", "{picture}");
    assert_eq!(assistant.leave(), Some(0));
}

#[test]
fn an_assistant_is_told_what_is_wrong_and_reaches_nothing_that_was_not_named() {
    let mut assistant = Assistant::start();
    assert!(assistant.fail("screen", &json!({})).contains("call `launch` first"));
    for outside in ["/etc/passwd", "../../secret.apk"] {
        let refused = assistant.fail("launch", &json!({ "apk": outside }));
        assert!(refused.contains("Within reach"), "{refused}");
    }
    assistant.succeed("launch", &json!({ "apk": "notes.fake" }));
    assert!(
        assistant.fail("tap", &json!({ "widget": 99 })).contains("no widget has the number 99")
    );
    assert!(assistant.fail("tap", &json!({ "wodget": 1 })).contains("wodget"));
    assert!(assistant.fail("go", &json!({ "state": "nowhere" })).contains("list the states"));
    assert!(assistant.fail("replay", &json!({ "trace": "/etc/passwd" })).contains("was not named"));
    assert!(assistant.fail("explore", &json!({ "events": 0 })).contains("1 to 20000"));
    assert!(assistant.fail("event", &json!({ "event": { "fly": 1 } })).contains("no event"));
    assert!(
        assistant.fail("export", &json!({ "trace": "x", "format": "word" })).contains("maestro")
    );
    let unknown = assistant.ask("tools/call", &json!({ "name": "fly", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("launch"), "{unknown}");
    assert_eq!(assistant.leave(), Some(0));
}

/// The clients that assistants are built on: the official Python package, and the official inspector from npm.
#[cfg(feature = "long-tests")]
#[test]
fn the_official_clients_drive_an_app() {
    use std::process::Command;

    let temp = tempdir().unwrap();
    let app = root().join("fakes/notes.fake").display().to_string();
    let run = |command: &mut Command| {
        let output = command.current_dir(temp.path()).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {shown}{errors}");
        shown
    };
    let retap = env!("CARGO_BIN_EXE_retap");
    run(Command::new("python3").args(["-m", "venv", "python"]));
    run(Command::new("python/bin/python").args(["-m", "pip", "install", "-q", "mcp==2.3.0"]));
    let client = root().join("crates/retap/tests/all/clients/assistant.py");
    let said = run(Command::new("python/bin/python").arg(client).args([retap, &app]));
    assert!(said.starts_with("19 tools"), "{said}");
    run(Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--silent"])
        .arg("@modelcontextprotocol/inspector@0.15"));
    let tools = run(Command::new("node_modules/.bin/mcp-inspector").args([
        "--cli",
        retap,
        "mcp",
        &app,
        "-q",
        "--method",
        "tools/list",
    ]));
    let tools: Value = serde_json::from_str(&tools).unwrap();
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(19), "{tools}");
}
