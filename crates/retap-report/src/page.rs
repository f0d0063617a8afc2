//! `report.html`: one file that needs nothing else.
//!
//! The page's content security policy allows one script, by its hash, and no load from elsewhere. So a text of the app
//! cannot do harm, even if it were not escaped.

mod commands;
mod film;
mod images;
pub mod run;
mod script;
mod section;
mod stack;
mod steps;
pub mod suite;

pub use section::PageSection;

use images::ImageStore;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use script::PageScript;

const STYLE: &str = concat!(
    include_str!("page/style/base.css"),
    include_str!("page/style/cards.css"),
    include_str!("page/style/charts.css"),
    include_str!("page/style/views.css"),
    include_str!("page/style/small.css"),
);

/// The parts of a page that differ between a run and a suite.
struct PageParts {
    title: String,
    header: Markup,
    sections: Vec<PageSection>,
    footer: Markup,
    /// What the page's script shows, as JSON.
    data: Option<String>,
}

fn render_page(parts: &PageParts, images: &ImageStore) -> String {
    let script = PageScript::get();
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{}'",
        script.hash
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="color-scheme" content="light dark";
                title { (parts.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                (parts.header)
                div.columns {
                    (section::contents(&parts.sections))
                    main #main { @for section in &parts.sections { (section.render()) } }
                }
                footer { (parts.footer) }
                p #status role="status" aria-live="polite" {}
                (images.render_definitions())
                @if let Some(data) = &parts.data {
                    script #data type="application/json" { (PreEscaped(data)) }
                }
                (script.render())
            }
        }
    };
    page.into_string()
}
