//! Guards and updates. Names and kinds are checked when the file is read, so that running an
//! expression cannot fail.

use super::cursor::Cursor;
use super::error::Problem;
use super::token::TokenKind;
use super::value::{Kind, Value};
use retap_model::Orientation;
use std::collections::BTreeMap;

/// Parentheses and negations nest no deeper than this: a file cannot exhaust the stack.
const DEPTH_LIMIT: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Constant(Value),
    Variable(usize),
    Fact(Fact),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Length(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// What is known without being a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// The text of a text event.
    Typed,
    /// Which item of a list, from one.
    Row,
    /// Events since the reset, this one included.
    Events,
    Orientation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
}

/// Loosest first.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("contains", Operator::Contains),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Over), ("%", Operator::Modulo)],
];

/// `not a == b` denies the comparison.
const COMPARISON: usize = 2;

/// What an expression is evaluated against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    pub values: &'a [Value],
    pub typed: &'a str,
    pub row: i64,
    pub events: u64,
    pub orientation: Orientation,
}

/// The names that an expression may use: variables with their slot and kind, and some facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub variables: &'a BTreeMap<String, (usize, Kind)>,
    /// A screen is a function of the variables, the orientation and a list's row alone.
    pub facts: &'a [Fact],
}

impl Expr {
    pub fn parse(cursor: &mut Cursor<'_>, scope: Scope<'_>, kind: Kind) -> Result<Expr, Problem> {
        let (expr, found) = binary(cursor, scope, 0, 0)?;
        if found == kind {
            Ok(expr)
        } else {
            Err(cursor.problem(format!("expected {kind}, found an expression that is {found}")))
        }
    }

    pub fn parse_any(cursor: &mut Cursor<'_>, scope: Scope<'_>) -> Result<(Expr, Kind), Problem> {
        binary(cursor, scope, 0, 0)
    }

    pub fn eval(&self, facts: &Facts<'_>) -> Value {
        match self {
            Expr::Constant(value) => value.clone(),
            Expr::Variable(slot) => facts.values[*slot].clone(),
            Expr::Fact(Fact::Typed) => Value::text(facts.typed),
            Expr::Fact(Fact::Row) => Value::Int(facts.row),
            Expr::Fact(Fact::Events) => Value::Int(facts.events.try_into().unwrap_or(i64::MAX)),
            Expr::Fact(Fact::Orientation) => Value::Text(orientation(facts.orientation).into()),
            Expr::Not(inner) => Value::Bool(!inner.eval(facts).is_true()),
            Expr::Negative(inner) => Value::Int(inner.eval(facts).int().saturating_neg()),
            Expr::Length(inner) => Value::Int(match inner.eval(facts) {
                Value::Text(text) => text.chars().count() as i64,
                _ => 0,
            }),
            Expr::Binary(operator, left, right) => apply(*operator, left, right, facts),
        }
    }

    /// Calls `visit` with the slot of every variable in the expression.
    pub fn variables(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Expr::Variable(slot) => visit(*slot),
            Expr::Not(inner) | Expr::Negative(inner) | Expr::Length(inner) => {
                inner.variables(visit);
            }
            Expr::Binary(_, left, right) => {
                left.variables(visit);
                right.variables(visit);
            }
            Expr::Constant(_) | Expr::Fact(_) => {}
        }
    }
}

pub(super) fn orientation(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait | Orientation::ReversePortrait => "portrait",
        Orientation::Landscape | Orientation::ReverseLandscape => "landscape",
    }
}

fn apply(operator: Operator, left: &Expr, right: &Expr, facts: &Facts<'_>) -> Value {
    let left = left.eval(facts);
    match operator {
        Operator::Or if left.is_true() => return left,
        Operator::And if !left.is_true() => return left,
        _ => {}
    }
    let right = right.eval(facts);
    match operator {
        Operator::Or | Operator::And => right,
        Operator::Equal => Value::Bool(left == right),
        Operator::Unequal => Value::Bool(left != right),
        Operator::Less => Value::Bool(left.int() < right.int()),
        Operator::LessOrEqual => Value::Bool(left.int() <= right.int()),
        Operator::Greater => Value::Bool(left.int() > right.int()),
        Operator::GreaterOrEqual => Value::Bool(left.int() >= right.int()),
        Operator::Contains => match (&left, &right) {
            (Value::Text(all), Value::Text(part)) => Value::Bool(all.contains(&**part)),
            _ => Value::Bool(false),
        },
        Operator::Plus => match (&left, &right) {
            (Value::Text(head), _) => Value::text(&format!("{head}{right}")),
            _ => Value::Int(left.int().saturating_add(right.int())),
        },
        Operator::Minus => Value::Int(left.int().saturating_sub(right.int())),
        Operator::Times => Value::Int(left.int().saturating_mul(right.int())),
        // Division by zero is zero: an app file describes crashes by `crash`, not by accident.
        Operator::Over => Value::Int(left.int().checked_div(right.int()).unwrap_or(0)),
        Operator::Modulo => Value::Int(left.int().checked_rem(right.int()).unwrap_or(0)),
    }
}

fn binary(
    cursor: &mut Cursor<'_>,
    scope: Scope<'_>,
    level: usize,
    depth: usize,
) -> Result<(Expr, Kind), Problem> {
    let Some(operators) = LEVELS.get(level) else { return unary(cursor, scope, depth) };
    let (mut left, mut kind) = binary(cursor, scope, level + 1, depth)?;
    while let Some((name, operator)) = operators.iter().find(|(name, _)| cursor.take(name)) {
        let (right, right_kind) = binary(cursor, scope, level + 1, depth)?;
        kind = result(*operator, kind, right_kind).ok_or_else(|| {
            cursor.problem(format!("{name} does not work on {kind} and {right_kind}"))
        })?;
        left = Expr::Binary(*operator, Box::new(left), Box::new(right));
    }
    Ok((left, kind))
}

/// The kind of `left operator right`, if that makes sense.
fn result(operator: Operator, left: Kind, right: Kind) -> Option<Kind> {
    let both = |kind| left == kind && right == kind;
    match operator {
        Operator::Or | Operator::And => both(Kind::Bool).then_some(Kind::Bool),
        Operator::Equal | Operator::Unequal => (left == right).then_some(Kind::Bool),
        Operator::Contains => both(Kind::Text).then_some(Kind::Bool),
        Operator::Plus if left == Kind::Text => Some(Kind::Text),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            both(Kind::Int).then_some(Kind::Bool)
        }
        Operator::Plus | Operator::Minus | Operator::Times | Operator::Over | Operator::Modulo => {
            both(Kind::Int).then_some(Kind::Int)
        }
    }
}

fn unary(cursor: &mut Cursor<'_>, scope: Scope<'_>, depth: usize) -> Result<(Expr, Kind), Problem> {
    if depth > DEPTH_LIMIT {
        return Err(cursor.problem("expected a simpler expression: this one is nested too deep"));
    }
    let of_kind = |cursor: &Cursor<'_>, (expr, found): (Expr, Kind), kind: Kind| {
        let message = || cursor.problem(format!("expected {kind}, found {found}"));
        if found == kind { Ok(Box::new(expr)) } else { Err(message()) }
    };
    if cursor.take("not") {
        let inner = binary(cursor, scope, COMPARISON, depth + 1)?;
        return Ok((Expr::Not(of_kind(cursor, inner, Kind::Bool)?), Kind::Bool));
    }
    if cursor.take("-") {
        let inner = unary(cursor, scope, depth + 1)?;
        return Ok((Expr::Negative(of_kind(cursor, inner, Kind::Int)?), Kind::Int));
    }
    if cursor.take("length") {
        let inner = unary(cursor, scope, depth + 1)?;
        return Ok((Expr::Length(of_kind(cursor, inner, Kind::Text)?), Kind::Int));
    }
    if cursor.take("(") {
        let inner = binary(cursor, scope, 0, depth + 1)?;
        cursor.symbol(")")?;
        return Ok(inner);
    }
    atom(cursor, scope)
}

fn atom(cursor: &mut Cursor<'_>, scope: Scope<'_>) -> Result<(Expr, Kind), Problem> {
    let found = cursor.expected("a number, a \"text\", true, false or a variable");
    let token = match cursor.next() {
        Some(token) if token.kind != TokenKind::Symbol => token,
        _ => return Err(found),
    };
    if let Some(value) = literal(token.kind, &token.text) {
        let kind = value.kind();
        return Ok((Expr::Constant(value), kind));
    }
    if let Some(&(slot, kind)) = scope.variables.get(&token.text) {
        return Ok((Expr::Variable(slot), kind));
    }
    let fact = match token.text.as_str() {
        "typed" => Some((Fact::Typed, Kind::Text)),
        "row" => Some((Fact::Row, Kind::Int)),
        "events" => Some((Fact::Events, Kind::Int)),
        "orientation" => Some((Fact::Orientation, Kind::Text)),
        _ => None,
    };
    match fact {
        Some((fact, kind)) if scope.facts.contains(&fact) => Ok((Expr::Fact(fact), kind)),
        Some(_) => Err(cursor.problem(format!("{:?} is not known here", token.text))),
        None => {
            Err(cursor.problem(format!("expected a declared variable, found {:?}", token.text)))
        }
    }
}

pub(super) fn literal(kind: TokenKind, text: &str) -> Option<Value> {
    match (kind, text) {
        (TokenKind::Text, text) => Some(Value::text(text)),
        (_, "true") => Some(Value::Bool(true)),
        (_, "false") => Some(Value::Bool(false)),
        (_, number) => number.parse().ok().map(Value::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    fn parse(text: &str) -> Result<(Expr, Kind), Problem> {
        let variables = BTreeMap::from([
            ("n".to_string(), (0, Kind::Int)),
            ("name".to_string(), (1, Kind::Text)),
        ]);
        let tokens = tokens(text, 1)?;
        let mut cursor = Cursor::new(1, &tokens);
        let scope = Scope { variables: &variables, facts: &[Fact::Row] };
        let expr = Expr::parse_any(&mut cursor, scope)?;
        cursor.end()?;
        Ok(expr)
    }

    fn check(text: &str, expected: &str) {
        let values = [Value::Int(3), Value::text("bob")];
        let facts = Facts {
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
}
