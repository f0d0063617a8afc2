//! Expressions: conditions and updates. Names and kinds are checked when the file is parsed, so
//! that an evaluation cannot fail.

use crate::fake::language::value::{FakeValue, ValueKind};
use retap_model::Orientation;
use retap_model::text::SyntaxError;
use retap_model::text::TokenCursor;
use retap_model::text::TokenKind;
use std::collections::BTreeMap;

/// The deepest nesting of parentheses and negations. A file cannot exhaust the stack.
const DEPTH_LIMIT: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Constant(FakeValue),
    Variable(usize),
    Fact(Fact),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Length(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// A value that is known without being a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The text of a text event.
    Typed,
    /// The number of a list's row, counted from one.
    Row,
    /// The number of events since the reset, this one included.
    Events,
    Orientation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
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

/// The operators by precedence, the loosest first.
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

/// The level below `not`, so that `not a == b` negates the comparison.
const COMPARISON: usize = 2;

/// The values that an expression is evaluated with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvaluationContext<'a> {
    pub values: &'a [FakeValue],
    pub typed: &'a str,
    pub row: i64,
    pub events: u64,
    pub orientation: Orientation,
}

/// The names that an expression may use: variables with their slot and kind, and some facts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameScope<'a> {
    pub variables: &'a BTreeMap<String, (usize, ValueKind)>,
    /// A screen may depend only on variables, the orientation and a list's row.
    pub facts: &'a [Fact],
}

impl Expr {
    pub fn parse(
        cursor: &mut TokenCursor<'_>,
        scope: NameScope<'_>,
        kind: ValueKind,
    ) -> Result<Expr, SyntaxError> {
        let (expr, found) = binary(cursor, scope, 0, 0)?;
        if found == kind {
            Ok(expr)
        } else {
            Err(cursor.error(format!("expected {kind}, found an expression that is {found}")))
        }
    }

    pub fn parse_any(
        cursor: &mut TokenCursor<'_>,
        scope: NameScope<'_>,
    ) -> Result<(Expr, ValueKind), SyntaxError> {
        binary(cursor, scope, 0, 0)
    }

    pub fn eval(&self, facts: &EvaluationContext<'_>) -> FakeValue {
        match self {
            Expr::Constant(value) => value.clone(),
            Expr::Variable(slot) => facts.values[*slot].clone(),
            Expr::Fact(Fact::Typed) => FakeValue::text(facts.typed),
            Expr::Fact(Fact::Row) => FakeValue::Int(facts.row),
            Expr::Fact(Fact::Events) => FakeValue::Int(facts.events.try_into().unwrap_or(i64::MAX)),
            Expr::Fact(Fact::Orientation) => FakeValue::Text(orientation(facts.orientation).into()),
            Expr::Not(inner) => FakeValue::Bool(!inner.eval(facts).is_true()),
            Expr::Negative(inner) => FakeValue::Int(inner.eval(facts).int().saturating_neg()),
            Expr::Length(inner) => FakeValue::Int(match inner.eval(facts) {
                FakeValue::Text(text) => text.chars().count() as i64,
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

pub(crate) fn orientation(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait | Orientation::ReversePortrait => "portrait",
        Orientation::Landscape | Orientation::ReverseLandscape => "landscape",
    }
}

fn apply(
    operator: Operator,
    left: &Expr,
    right: &Expr,
    facts: &EvaluationContext<'_>,
) -> FakeValue {
    let left = left.eval(facts);
    match operator {
        Operator::Or if left.is_true() => return left,
        Operator::And if !left.is_true() => return left,
        _ => {}
    }
    let right = right.eval(facts);
    match operator {
        Operator::Or | Operator::And => right,
        Operator::Equal => FakeValue::Bool(left == right),
        Operator::Unequal => FakeValue::Bool(left != right),
        Operator::Less => FakeValue::Bool(left.int() < right.int()),
        Operator::LessOrEqual => FakeValue::Bool(left.int() <= right.int()),
        Operator::Greater => FakeValue::Bool(left.int() > right.int()),
        Operator::GreaterOrEqual => FakeValue::Bool(left.int() >= right.int()),
        Operator::Contains => match (&left, &right) {
            (FakeValue::Text(all), FakeValue::Text(part)) => FakeValue::Bool(all.contains(&**part)),
            _ => FakeValue::Bool(false),
        },
        Operator::Plus => match (&left, &right) {
            (FakeValue::Text(head), _) => FakeValue::text(&format!("{head}{right}")),
            _ => FakeValue::Int(left.int().saturating_add(right.int())),
        },
        Operator::Minus => FakeValue::Int(left.int().saturating_sub(right.int())),
        Operator::Times => FakeValue::Int(left.int().saturating_mul(right.int())),
        // Division by zero is zero: an app file describes crashes by `crash`, not by accident.
        Operator::Over => FakeValue::Int(left.int().checked_div(right.int()).unwrap_or(0)),
        Operator::Modulo => FakeValue::Int(left.int().checked_rem(right.int()).unwrap_or(0)),
    }
}

fn binary(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
    level: usize,
    depth: usize,
) -> Result<(Expr, ValueKind), SyntaxError> {
    let Some(operators) = LEVELS.get(level) else { return unary(cursor, scope, depth) };
    let (mut left, mut kind) = binary(cursor, scope, level + 1, depth)?;
    while let Some((name, operator)) = operators.iter().find(|(name, _)| cursor.take(name)) {
        let (right, right_kind) = binary(cursor, scope, level + 1, depth)?;
        kind = result(*operator, kind, right_kind).ok_or_else(|| {
            cursor.error(format!("{name} does not work on {kind} and {right_kind}"))
        })?;
        left = Expr::Binary(*operator, Box::new(left), Box::new(right));
    }
    Ok((left, kind))
}

/// Returns the kind of `left operator right`, or `None` if the operator does not accept these
/// kinds.
fn result(operator: Operator, left: ValueKind, right: ValueKind) -> Option<ValueKind> {
    let both = |kind| left == kind && right == kind;
    match operator {
        Operator::Or | Operator::And => both(ValueKind::Bool).then_some(ValueKind::Bool),
        Operator::Equal | Operator::Unequal => (left == right).then_some(ValueKind::Bool),
        Operator::Contains => both(ValueKind::Text).then_some(ValueKind::Bool),
        Operator::Plus if left == ValueKind::Text => Some(ValueKind::Text),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            both(ValueKind::Int).then_some(ValueKind::Bool)
        }
        Operator::Plus | Operator::Minus | Operator::Times | Operator::Over | Operator::Modulo => {
            both(ValueKind::Int).then_some(ValueKind::Int)
        }
    }
}

fn unary(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
    depth: usize,
) -> Result<(Expr, ValueKind), SyntaxError> {
    if depth > DEPTH_LIMIT {
        return Err(cursor.error("expected a simpler expression: this one is nested too deep"));
    }
    let of_kind = |cursor: &TokenCursor<'_>, (expr, found): (Expr, ValueKind), kind: ValueKind| {
        let message = || cursor.error(format!("expected {kind}, found {found}"));
        if found == kind { Ok(Box::new(expr)) } else { Err(message()) }
    };
    if cursor.take("not") {
        let inner = binary(cursor, scope, COMPARISON, depth + 1)?;
        return Ok((Expr::Not(of_kind(cursor, inner, ValueKind::Bool)?), ValueKind::Bool));
    }
    if cursor.take("-") {
        let inner = unary(cursor, scope, depth + 1)?;
        return Ok((Expr::Negative(of_kind(cursor, inner, ValueKind::Int)?), ValueKind::Int));
    }
    if cursor.take("length") {
        let inner = unary(cursor, scope, depth + 1)?;
        return Ok((Expr::Length(of_kind(cursor, inner, ValueKind::Text)?), ValueKind::Int));
    }
    if cursor.take("(") {
        let inner = binary(cursor, scope, 0, depth + 1)?;
        cursor.expect(")")?;
        return Ok(inner);
    }
    atom(cursor, scope)
}

fn atom(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
) -> Result<(Expr, ValueKind), SyntaxError> {
    let found = cursor.expected("a number, a \"text\", true, false or a variable");
    let token = match cursor.take_any() {
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
        "typed" => Some((Fact::Typed, ValueKind::Text)),
        "row" => Some((Fact::Row, ValueKind::Int)),
        "events" => Some((Fact::Events, ValueKind::Int)),
        "orientation" => Some((Fact::Orientation, ValueKind::Text)),
        _ => None,
    };
    match fact {
        Some((fact, kind)) if scope.facts.contains(&fact) => Ok((Expr::Fact(fact), kind)),
        Some(_) => Err(cursor.error(format!("{:?} is not known here", token.text))),
        None => Err(cursor.error(format!("expected a declared variable, found {:?}", token.text))),
    }
}

pub(crate) fn literal(kind: TokenKind, text: &str) -> Option<FakeValue> {
    match (kind, text) {
        (TokenKind::Text, text) => Some(FakeValue::text(text)),
        (_, "true") => Some(FakeValue::Bool(true)),
        (_, "false") => Some(FakeValue::Bool(false)),
        (_, number) => number.parse().ok().map(FakeValue::Int),
    }
}

#[cfg(test)]
mod tests;
