//! Typing. `input text` knows the keys of an English keyboard alone and two characters that mean something else.

use retap_model::format::shell::quote;

/// The most characters that are deleted one by one.
const MAX_HELD: usize = 1_000;
const DELETE: &str = "67";

/// Puts the keyboard away, which would take the next Back for itself.
pub const HIDE_KEYBOARD: &str =
    "dumpsys input_method | grep mInputShown=true > /dev/null && input keyevent KEYCODE_BACK";

/// Returns a line that focuses a field by `tap`, empties it and types.
///
/// # Errors
/// Fails if the text has characters that this phone cannot type.
pub fn type_text(
    tap: &str,
    text: &str,
    held: usize,
    types_everything: bool,
) -> Result<String, String> {
    let is_key = |c: char| c == ' ' || c == '\n' || c.is_ascii_graphic();
    if let Some(strange) = text.chars().find(|c| !is_key(*c)).filter(|_| !types_everything) {
        return Err(format!("`input text` has no key for {strange:?}"));
    }
    let mut line = vec![tap.to_string()];
    if held > 0 {
        let deletions = [DELETE].repeat(held.min(MAX_HELD)).join(" ");
        line.push(format!("input keyevent KEYCODE_MOVE_END {deletions}"));
    }
    for (number, part) in text.split('\n').enumerate() {
        if number > 0 {
            line.push("input keyevent KEYCODE_ENTER".into());
        }
        line.extend(pieces(part).iter().map(|piece| format!("input text {}", quote(piece))));
    }
    Ok(line.join(" && "))
}

/// Splits a line where it would say `%s`, which `input text` takes for a space.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for c in text.chars() {
        if c == 's' && piece.ends_with('%') {
            pieces.push(std::mem::take(&mut piece));
        }
        piece.push(c);
    }
    pieces.push(piece);
    let spaced = pieces.into_iter().map(|piece| piece.replace(' ', "%s"));
    spaced.filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_input_takes_for_something_else_is_typed_in_pieces() {
        assert_eq!(pieces("two words"), ["two%swords"]);
        assert_eq!(pieces("100%sure"), ["100%", "sure"]);
        assert_eq!(pieces(""), Vec::<String>::new());
    }
}
