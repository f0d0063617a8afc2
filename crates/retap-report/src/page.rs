//! `report.html`: one file that needs nothing else.
//!
//! The page's content security policy forbids every script and every load from elsewhere. So a text of the app cannot do
//! harm, even if it were not escaped.

mod commands;
mod images;
pub mod run;
mod steps;
pub mod suite;

use images::ImageStore;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page/style.css");
const SECURITY_POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/// The parts of a page that differ between a run and a suite.
struct PageParts {
    title: String,
    header: Markup,
    main: Markup,
    footer: Markup,
}

fn render_page(parts: &PageParts, images: &ImageStore) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(SECURITY_POLICY);
                meta name="color-scheme" content="light dark";
                title { (parts.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (parts.header)
                main { (parts.main) }
                footer { (parts.footer) }
                (images.render_definitions())
            }
        }
    };
    page.into_string()
}
