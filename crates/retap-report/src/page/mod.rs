//! `report.html`: one file that needs nothing else. The page says so itself: its policy forbids every
//! script and every load from elsewhere, whatever an app may have put into its texts.

mod charts;
mod cost;
mod coverage;
mod crashes;
mod findings;
mod gallery;
mod head;
mod minimization;
mod number;
mod remarks;
mod state_map;
mod steps;
pub mod suite;

use crate::album::Album;
use crate::run::Run;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/// The sections from top to bottom. One that has nothing to tell answers nothing.
const SECTIONS: [fn(&Run, &mut Album) -> Option<Markup>; 9] = [
    crashes::section,
    findings::section,
    minimization::section,
    charts::section,
    coverage::section,
    state_map::section,
    gallery::section,
    cost::section,
    remarks::section,
];

pub fn render(run: &Run) -> String {
    let mut album = Album::default();
    let sections: Vec<Markup> =
        SECTIONS.iter().filter_map(|section| section(run, &mut album)).collect();
    document(
        &Frame {
            title: format!("{} · retap {}", run.info.app.package, run.info.verb),
            header: head::render(run),
            main: html! { @for section in &sections { (section) } },
            footer: html! {
                "Made by retap " (run.info.retap_version) " from " code { (run.dir.display()) } "."
                @if album.left_out > 0 {
                    " " (album.left_out) " pictures were left out to keep the page small."
                }
            },
        },
        &album,
    )
}

/// What stands on a page, whatever it is of.
struct Frame {
    title: String,
    header: Markup,
    main: Markup,
    footer: Markup,
}

fn document(frame: &Frame, album: &Album) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (frame.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (frame.header)
                main { (frame.main) }
                footer { (frame.footer) }
                (album.render())
            }
        }
    };
    page.into_string()
}
