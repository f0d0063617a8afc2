//! The language of app files: from text to a [`FakeApp`](super::FakeApp). `docs/fake.md` describes it.

mod declaration;
mod error;
pub(crate) mod expression;
pub(crate) mod gesture;
pub(crate) mod parser;
pub(crate) mod rule;
pub(crate) mod template;
pub(crate) mod value;
pub(crate) mod widget;

pub use error::ParseError;

use retap_model::text::{Escapes, Lexer};

/// Cuts the lines of an app file. Words may look like `com.app.Main:17` or `1080x1920@480`.
const LEXER: Lexer = Lexer {
    word_characters: &['_', '.', ':', '$', '@'],
    symbols: &["->", "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", ","],
    has_ids: false,
    escapes: Escapes::Strict,
    expected: "a word, a \"text\" or a symbol",
};
