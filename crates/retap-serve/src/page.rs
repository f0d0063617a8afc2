//! The page itself: one document. Its policy allows its own script and style, by a number that nobody can guess, and no
//! load from elsewhere.

use crate::http::Response;
use data_encoding::HEXLOWER;

const DOCUMENT: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = concat!(
    include_str!("page/script/dom.js"),
    include_str!("page/script/talk.js"),
    include_str!("page/script/screen.js"),
    include_str!("page/script/widgets.js"),
    include_str!("page/script/side.js"),
    include_str!("page/script/main.js"),
);

/// Renders the page. The token has been checked, and is the number that the policy names.
pub fn render(token: &str) -> Response {
    let nonce = HEXLOWER.encode(token.as_bytes());
    let html = DOCUMENT
        .replace("{{nonce}}", &nonce)
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src 'self' blob: data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Response::page(html, policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_never_turns_a_text_into_markup() {
        for word in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "</"]
        {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
