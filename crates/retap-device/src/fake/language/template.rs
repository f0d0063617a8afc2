//! Texts with expressions in braces: `"Notes ({count})"`. A doubled brace stands for itself.

use super::LEXER;
use crate::fake::language::expression::{EvaluationContext, Expr, NameScope};
use retap_model::text::SyntaxError;
use retap_model::text::TokenCursor;
use std::fmt::Write;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Literal(String),
    Expr(Expr),
}

impl Template {
    pub fn parse(text: &str, line: usize, scope: NameScope<'_>) -> Result<Template, SyntaxError> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            let inside = match (brace, rest.split_once('}')) {
                ("{", Some((inside, after))) => {
                    rest = after;
                    inside
                }
                _ => {
                    return Err(SyntaxError::in_line(
                        line,
                        "expected {expression} or a doubled brace",
                    ));
                }
            };
            pieces.push(Piece::Literal(std::mem::take(&mut literal)));
            let tokens = LEXER.tokens(inside, line)?;
            let mut cursor = TokenCursor::new(line, inside, &tokens);
            pieces.push(Piece::Expr(Expr::parse_any(&mut cursor, scope)?.0));
            cursor.expect_end()?;
        }
        literal.push_str(rest);
        pieces.push(Piece::Literal(literal));
        pieces.retain(|piece| *piece != Piece::Literal(String::new()));
        Ok(Template(pieces))
    }

    pub fn fill(&self, facts: &EvaluationContext<'_>) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Expr(expr) => {
                    // Writing into a String cannot fail.
                    let _ = write!(text, "{}", expr.eval(facts));
                }
            }
        }
        text
    }

    pub fn variables(&self, visit: &mut impl FnMut(usize)) {
        for piece in &self.0 {
            if let Piece::Expr(expr) = piece {
                expr.variables(visit);
            }
        }
    }
}
