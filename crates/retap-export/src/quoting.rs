//! Texts of the app inside scripts: each language's own quotation marks, and no character that ends them.

pub use retap_model::format::shell::quote as shell;
use std::fmt::Write;

/// Returns a string literal of Java, in ASCII.
pub fn java(text: &str) -> String {
    let mut quoted = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit).map(char::from) {
            Ok('"') => quoted.push_str("\\\""),
            Ok('\\') => quoted.push_str("\\\\"),
            Ok('\n') => quoted.push_str("\\n"),
            Ok('\r') => quoted.push_str("\\r"),
            Ok('\t') => quoted.push_str("\\t"),
            // An octal escape: one of the form \u000a would end the line before the literal is read.
            Ok(c) if c.is_ascii_control() => {
                let _ = write!(quoted, "\\{:03o}", c as u32);
            }
            Ok(c) if c.is_ascii() => quoted.push(c),
            _ => {
                let _ = write!(quoted, "\\u{unit:04x}");
            }
        }
    }
    quoted + "\""
}

/// Returns a string literal of Python, in ASCII.
pub fn python(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\U{:08x}", c as u32);
            }
        }
    }
    quoted + "\""
}

/// Returns a string of JSON, in ASCII. YAML reads it in the same way.
pub fn json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(quoted, "\\u{unit:04x}");
                }
            }
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quotation_marks_and_line_ends_stay_inside() {
        let hostile = "a\"b\\c\nd\u{1}é😀";
        assert_eq!(java(hostile), r#""a\"b\\c\nd\001\u00e9\ud83d\ude00""#);
        assert_eq!(python(hostile), r#""a\"b\\c\nd\U00000001\U000000e9\U0001f600""#);
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell("am"), "am");
        assert_eq!(shell(""), "''");
    }

    proptest! {
        #[test]
        fn json_reads_back_what_was_written(text in any::<String>()) {
            prop_assert_eq!(serde_json::from_str::<String>(&json(&text)).unwrap(), text);
        }
    }
}
