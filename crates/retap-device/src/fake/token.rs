//! One line of an app file cut into words, quoted texts and symbols. A comment starts at a `#` that
//! begins the line or follows a space.

use super::error::Problem;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a keyword or a number: `main`, `12`, `0.5`, `com.app.Main:17`, `1080x1920@480`.
    Word,
    /// What stood between double quotes.
    Text,
    Symbol,
}

/// Longest first, so that `->` is not read as a minus.
const SYMBOLS: [&str; 16] =
    ["->", "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", ","];

pub(super) fn tokens(line: &str, number: usize) -> Result<Vec<Token>, Problem> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut after_space = true;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            after_space = true;
            continue;
        }
        if first == '#' && after_space {
            break;
        }
        let (token, length) = next(rest, number)?;
        tokens.push(token);
        rest = &rest[length..];
        after_space = false;
    }
    Ok(tokens)
}

fn next(rest: &str, line: usize) -> Result<(Token, usize), Problem> {
    if rest.starts_with('"') {
        return quoted(rest, line);
    }
    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if end > 0 {
        return Ok((Token { kind: TokenKind::Word, text: rest[..end].to_string() }, end));
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => {
            Ok((Token { kind: TokenKind::Symbol, text: (*symbol).to_string() }, symbol.len()))
        }
        None => {
            let found: String = rest.chars().take(1).collect();
            Err(Problem::new(
                line,
                format!("expected a word, a \"text\" or a symbol, found {found:?}"),
            ))
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '@')
}

fn quoted(rest: &str, line: usize) -> Result<(Token, usize), Problem> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Token { kind: TokenKind::Text, text }, at + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                _ => {
                    return Err(Problem::new(line, "expected \\n, \\\" or \\\\ after a backslash"));
                }
            },
            _ => text.push(c),
        }
    }
    Err(Problem::new(line, "expected a closing \" on the same line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let texts: Vec<String> = tokens(line, 1).unwrap().into_iter().map(|t| t.text).collect();
        assert_eq!(texts, expected, "{line}");
    }

    #[test]
    fn a_line_is_words_texts_and_symbols() {
        check("on main tap a-> b", &["on", "main", "tap", "a", "->", "b"]);
        check(r#"label x "a \"b\" # c" # gone"#, &["label", "x", "a \"b\" # c"]);
        check("covers line:p.A$1.f:17", &["covers", "line:p.A$1.f:17"]);
        check("a<=-1", &["a", "<=", "-", "1"]);
        check("# all of it", &[]);
    }

    #[test]
    fn an_open_text_and_a_strange_character_are_refused_with_their_line() {
        assert_eq!(tokens("\"abc", 7).unwrap_err().line, 7);
        assert!(tokens("a ; b", 1).unwrap_err().message.contains("\";\""));
    }
}
