use super::*;

const PLAIN: Lexer = Lexer {
    word_characters: &['_', '.', ':', '$'],
    symbols: &["->", "<=", "-", "<", "="],
    has_ids: false,
    escapes: Escapes::Strict,
    expected: "a word, a \"text\" or a symbol",
};
const WITH_IDS: Lexer = Lexer { has_ids: true, escapes: Escapes::Lenient, ..PLAIN };

fn check(lexer: &Lexer, line: &str, expected: &[&str]) {
    let tokens = lexer.tokens(line, 1).unwrap();
    let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    assert_eq!(texts, expected, "{line}");
}

#[test]
fn a_line_is_words_texts_and_symbols() {
    check(&PLAIN, "on main tap a-> b", &["on", "main", "tap", "a", "->", "b"]);
    check(&PLAIN, r#"label x "a \"b\" # c" # gone"#, &["label", "x", "a \"b\" # c"]);
    check(&PLAIN, "covers line:p.A$1.f:17", &["covers", "line:p.A$1.f:17"]);
    check(&PLAIN, "a<=-1", &["a", "<=", "-", "1"]);
    check(&PLAIN, "# all of it", &[]);
    check(&PLAIN, r#""a\nb""#, &["a\nb"]);
}

#[test]
fn an_id_is_a_hash_with_a_word_and_any_other_hash_starts_a_comment() {
    check(&WITH_IDS, "when Button#save # gone", &["when", "Button", "save"]);
    check(&WITH_IDS, r#""\d \" \\""#, &["\\d \" \\"]);
    let kinds: Vec<TokenKind> =
        WITH_IDS.tokens("a #b", 1).unwrap().iter().map(|token| token.kind).collect();
    assert_eq!(kinds, [TokenKind::Word, TokenKind::Id]);
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let columns: Vec<usize> =
        PLAIN.tokens("\"größer\"  -> é", 1).unwrap().iter().map(|token| token.column).collect();
    assert_eq!(columns, [1, 11, 14]);
}

#[test]
fn a_wrong_line_is_refused_with_its_position() {
    let error = |line: &str| PLAIN.tokens(line, 7).unwrap_err().to_string();
    assert_eq!(error("\"abc"), "7:5: expected a closing \", found the end of the line");
    assert_eq!(error("a ; b"), "7:3: expected a word, a \"text\" or a symbol, found ';'");
    assert_eq!(error(r#""a\t""#), "7:4: expected \\n, \\\" or \\\\ after a backslash");
    assert_eq!(error("a#b"), "7:2: expected a word, a \"text\" or a symbol, found '#'");
}

#[test]
fn a_cursor_says_what_it_expected() {
    let line = "on main";
    let tokens = PLAIN.tokens(line, 3).unwrap();
    let mut cursor = TokenCursor::new(3, line, &tokens);
    assert!(cursor.take("on") && !cursor.take("on"));
    assert_eq!(cursor.expect("->").unwrap_err().to_string(), "3:4: expected ->, found \"main\"");
    assert_eq!(cursor.expect_word("a screen").unwrap(), "main");
    let error = cursor.expect_word("a gesture").unwrap_err().to_string();
    assert_eq!(error, "3:8: expected a gesture, found the end of the line");
}
