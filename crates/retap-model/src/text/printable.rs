//! Texts of apps and files from elsewhere, made safe to show. A terminal obeys escape sequences, and
//! some characters are invisible or turn the text around them, so that it reads as something else.
//! Such characters are shown by their codes: `\u{1b}`. Everything that retap prints or reports passes
//! here.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns a text whose characters all show what they are. Line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    replace(text, |c| matches!(c, '\n' | '\t'), |out, c| write!(out, "{}", c.escape_default()))
}

/// Returns a text on one line, whose characters all show what they are.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    replace(text, |_| false, |out, c| write!(out, "{}", c.escape_default()))
}

/// Returns the same JSON, in which strings escape what is not printable.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let escape = |out: &mut String, c: char| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
    };
    // Outside strings JSON has no other unprintable characters than these.
    replace(json, |c| matches!(c, '\n' | '\t' | '\r'), escape)
}

fn replace(
    text: &str,
    is_kept: impl Fn(char) -> bool,
    escape: impl Fn(&mut String, char) -> std::fmt::Result,
) -> Cow<'_, str> {
    let is_plain = |before: char, c: char| is_kept(c) || is_printable(before, c);
    let mut before = '\0';
    let safe = text.chars().all(|c| is_plain(std::mem::replace(&mut before, c), c));
    if safe {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    before = '\0';
    for c in text.chars() {
        if is_plain(before, c) {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = escape(&mut out, c);
        }
        before = c;
    }
    Cow::Owned(out)
}

/// Returns true for a character that is visible, takes up space, or joins letters of a script that
/// needs it.
fn is_printable(before: char, c: char) -> bool {
    match c {
        ' '..='~' => true,
        // Persian and emoji need joiners. Between Latin letters they only hide.
        '\u{200c}' | '\u{200d}' => !before.is_ascii(),
        // The soft hyphen, fillers, marks of direction, separators of lines and invisible operators.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' => {
            false
        }
        '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => false,
        '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' => false,
        '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => false,
        c => !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(printable(text), expected);
    }

    #[test]
    fn what_acts_on_a_terminal_or_hides_is_shown_by_its_code() {
        check("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m");
        check("\u{9b}2J\u{7f}\u{7}", "\\u{9b}2J\\u{7f}\\u{7}");
        check("user\u{202e}txt.exe", "user\\u{202e}txt.exe");
        check("a\u{200b}b\u{200d}c\u{feff}", "a\\u{200b}b\\u{200d}c\\u{feff}");
        check("50%\rdone\u{2028}", "50%\\rdone\\u{2028}");
        assert_eq!(printable_line("error:\nforged"), "error:\\nforged");
    }

    #[test]
    fn plain_text_of_any_script_stays_as_it_is() {
        for text in
            ["a\tb\nc", "naïve – “quoted”", "日本語", "עברית", "می\u{200c}خواهم", "👩\u{200d}🚀"]
        {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_unprintable_is_left(text in any::<String>()) {
            for shown in [printable(&text), printable_line(&text)] {
                let mut before = '\0';
                for c in shown.chars() {
                    prop_assert!(matches!(c, '\n' | '\t') || is_printable(before, c), "{c:?}");
                    before = c;
                }
            }
            let line = printable_line(&text);
            prop_assert!(!line.chars().any(char::is_control), "{:?}", line);
        }

        #[test]
        fn json_keeps_its_value(text in any::<String>()) {
            let json = serde_json::to_string_pretty(&[&text]).unwrap();
            let shown = printable_json(&json);
            prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{:?}", shown);
            prop_assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [text]);
        }
    }
}
