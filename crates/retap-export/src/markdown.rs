//! A bug report, ready to paste: what happens, the steps, the stack, and how to see it again.

use crate::language::Script;
use crate::trace::ExportedTrace;
use retap_model::printable::{printable, printable_line};

pub fn write(trace: &ExportedTrace<'_>) -> Script {
    let mut text = format!("## {}\n\n", escape(&trace.purpose()));
    let version = if trace.app.version.is_empty() { "unknown" } else { &trace.app.version };
    text.push_str(&format!("* App: {}, version {}\n", code(trace.package()), escape(version)));
    let api = trace.api.map_or_else(String::new, |api| format!("API {api}, "));
    text.push_str(&format!("* Device: Android {api}screen {}\n", trace.display));
    text.push_str("\n### Steps\n\n1. launch the app after a clean install\n");
    for event in trace.events() {
        text.push_str(&format!("1. {}\n", escape(&event.to_string())));
    }
    if let Some(picture) = trace.picture {
        text.push_str(&format!(
            "\n![The screen at the end](<{}>)\n",
            picture.replace(['<', '>'], "")
        ));
    }
    if let Some(stack) = trace.stack {
        let stack = printable(stack.trim_end());
        let fence = fence(&stack);
        text.push_str(&format!("\n### Stack\n\n{fence}text\n{stack}\n{fence}\n"));
    }
    let command = format!("retap replay {}", crate::quoting::shell(trace.name));
    text.push_str(&format!("\n### See it again\n\n```sh\n{}\n```\n", printable_line(&command)));
    Script { text, left_out: Vec::new(), steps: trace.trace.steps.len(), remarks: Vec::new() }
}

/// Returns a text of the app that Markdown and HTML show as it is, on one line.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in printable_line(text).chars() {
        if "\\`*_{}[]<>()#+!|~&$@".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn code(text: &str) -> String {
    let text = printable_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    format!("{fence}{text}{fence}")
}

/// Returns a fence that nothing inside closes.
fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
