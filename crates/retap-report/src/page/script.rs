//! The page's script: small files joined to one, which the content security policy names by its hash.

use data_encoding::BASE64;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const PARTS: [&str; 8] = [
    include_str!("script/dom.js"),
    include_str!("script/copy.js"),
    include_str!("script/contents.js"),
    include_str!("script/cards.js"),
    include_str!("script/graph.js"),
    include_str!("script/timeline.js"),
    include_str!("script/steps.js"),
    include_str!("script/coverage.js"),
];

/// The script of every page.
static SCRIPT: LazyLock<PageScript> = LazyLock::new(PageScript::new);

/// The text of the script, and the source that a content security policy allows.
pub struct PageScript {
    text: String,
    pub hash: String,
}

impl PageScript {
    fn new() -> Self {
        let text = format!("(() => {{\n'use strict';\n{}}})();\n", PARTS.concat());
        let hash = format!("sha256-{}", BASE64.encode(&Sha256::digest(text.as_bytes())));
        Self { text, hash }
    }

    pub fn get() -> &'static Self {
        &SCRIPT
    }

    pub fn render(&self) -> Markup {
        html! { script { (PreEscaped(&self.text)) } }
    }
}

/// Returns a value as JSON inside a page: no character in it can end the element. The texts in it must be printable.
pub fn embed(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into()).replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element() {
        assert_eq!(embed(&"</script><!--"), "\"\\u003c/script>\\u003c!--\"");
        assert!(!PageScript::get().text.contains("</"), "the script would end its own element");
    }

    #[test]
    fn the_script_never_turns_a_text_into_markup() {
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!PageScript::get().text.contains(word), "{word}");
        }
    }
}
