//! Commands that the reader of a page can copy into a shell.

use crate::run::RunData;

/// Returns a command on a trace, for the device and app of this run.
pub fn command(run: &RunData, verb: &str, trace: &str) -> String {
    let apk = &run.info.apk;
    let device = match run.info.device.as_str() {
        "fake" => format!("-d {}", quote(&format!("fake:{apk}"))),
        device => format!("{} -d {}", quote(apk), quote(device)),
    };
    format!("retap {verb} {} {device}", quote(trace))
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
