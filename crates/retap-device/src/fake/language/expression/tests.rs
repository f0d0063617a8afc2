use super::*;
use crate::fake::language::LEXER;

fn parse(text: &str) -> Result<(Expr, ValueKind), SyntaxError> {
    let variables = BTreeMap::from([
        ("n".to_string(), (0, ValueKind::Int)),
        ("name".to_string(), (1, ValueKind::Text)),
    ]);
    let tokens = LEXER.tokens(text, 1)?;
    let mut cursor = TokenCursor::new(1, text, &tokens);
    let scope = NameScope { variables: &variables, facts: &[Fact::Row] };
    let expr = Expr::parse_any(&mut cursor, scope)?;
    cursor.expect_end()?;
    Ok(expr)
}

fn check(text: &str, expected: &str) {
    let values = [FakeValue::Int(3), FakeValue::text("bob")];
    let facts = EvaluationContext {
        values: &values,
        typed: "",
        row: 2,
        events: 0,
        orientation: Orientation::Portrait,
    };
    assert_eq!(parse(text).unwrap().0.eval(&facts).to_string(), expected, "{text}");
}

#[test]
fn operators_bind_as_in_arithmetic() {
    check("1 + 2 * n", "7");
    check("(1 + 2) * -n", "-9");
    check("n == 3 and not n > 4 or false", "true");
    check("n - 1 - 1", "1");
    check("row % 2", "0");
}

#[test]
fn texts_join_compare_and_have_a_length() {
    check("name + n", "bob3");
    check("name contains \"ob\"", "true");
    check("length name + 1", "4");
    check("name == \"bob\"", "true");
}

#[test]
fn numbers_never_overflow_and_division_by_zero_is_zero() {
    check("9223372036854775807 + n", "9223372036854775807");
    check("n / 0", "0");
    check("n % 0", "0");
}

#[test]
fn kinds_and_names_are_checked_when_read() {
    for (text, part) in [
        ("n + name", "does not work"),
        ("not n", "expected true or false"),
        ("unknown", "declared variable"),
        ("typed", "not known here"),
        ("n +", "end of the line"),
        ("(n", "expected )"),
    ] {
        let message = parse(text).unwrap_err().message;
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
    assert!(parse(&"(".repeat(100_000)).unwrap_err().message.contains("too deep"));
}
