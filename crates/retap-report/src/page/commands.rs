//! Commands and texts that the reader of a page can copy.

use crate::run::RunData;
use maud::{Markup, html};

/// The formats of `retap export`, the most wanted first.
const EXPORTS: [(&str, &str); 9] = [
    ("adb", "adb script"),
    ("maestro", "Maestro flow"),
    ("espresso", "Espresso test"),
    ("uiautomator", "UI Automator test"),
    ("uiautomator2", "uiautomator2 script"),
    ("appium", "Appium script"),
    ("robo", "Robo script"),
    ("monkey", "Monkey script"),
    ("markdown", "bug report"),
];

/// Returns a command on a trace, for the device and app of this run.
pub fn command(run: &RunData, verb: &str, trace: &str) -> String {
    let apk = &run.info.apk;
    let device = match run.info.device.as_str() {
        "fake" => format!("-d {}", quote(&format!("fake:{apk}"))),
        device => format!("{} -d {}", quote(apk), quote(device)),
    };
    format!("retap {verb} {} {device}", quote(trace))
}

/// Renders a button that copies a text.
pub fn copy_button(label: &str, text: &str) -> Markup {
    html! { button.copy type="button" data-copy=(text) { (label) } }
}

/// Renders a choice of formats and a button that copies the command which exports the trace.
pub fn export_button(trace: &str) -> Markup {
    html! {
        span.export {
            button.copy type="button" data-copy={ "retap export " (quote(trace)) " --to " } data-choice="" {
                "Copy the command that exports it as"
            }
            select aria-label="Format of the export" {
                @for (name, words) in EXPORTS { option value=(name) { (words) } }
            }
        }
    }
}

/// Quotes a text so that a shell takes it as one word.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_stays_one_word() {
        assert_eq!(quote("out/trace.jsonl"), "out/trace.jsonl");
        assert_eq!(quote("my app.apk"), "'my app.apk'");
        assert_eq!(quote("a';rm -rf ~;'"), r"'a'\'';rm -rf ~;'\'''");
        assert_eq!(quote(""), "''");
    }
}
