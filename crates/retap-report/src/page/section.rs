//! A section of a page, and the list of contents that leads to it.

use crate::text::group_digits;
use maud::{Markup, html};

/// One section with its heading.
#[derive(Debug)]
pub struct PageSection {
    /// The id of its element.
    pub id: &'static str,
    pub title: String,
    /// The number that the list of contents shows beside the title.
    pub count: Option<u64>,
    pub body: Markup,
}

impl PageSection {
    pub fn new(id: &'static str, title: impl Into<String>, body: Markup) -> Self {
        Self { id, title: title.into(), count: None, body }
    }

    pub fn counted(mut self, count: usize) -> Self {
        self.count = Some(count as u64);
        self
    }

    pub fn render(&self) -> Markup {
        html! {
            section id=(self.id) aria-labelledby={ (self.id) "-title" } {
                h2 id={ (self.id) "-title" } tabindex="-1" { (self.title) }
                (self.body)
            }
        }
    }
}

/// Renders the list of contents.
pub fn contents(sections: &[PageSection]) -> Markup {
    html! {
        nav.contents aria-label="Contents" {
            ol {
                @for section in sections {
                    li {
                        a href={ "#" (section.id) } {
                            span { (section.title) }
                            @if let Some(count) = section.count { " " span.count { (group_digits(count)) } }
                        }
                    }
                }
            }
        }
    }
}
