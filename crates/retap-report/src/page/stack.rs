//! A stack in which the app's own frames stand out and those of libraries and Android are folded.

use crate::run::ReportedCrash;
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::crash::LineOrigin;

/// Fewer foreign frames in a row than this are not worth folding.
const MIN_FOLDED: usize = 3;

/// Lines in a row whose code is folded, or is not.
struct StackPart<'a> {
    foreign: bool,
    lines: Vec<(&'a str, LineOrigin)>,
}

/// Renders the stack of a crash, if it has one.
pub fn stack(crash: &ReportedCrash) -> Markup {
    let parts = split(&crash.lines);
    html! {
        @if !crash.lines.is_empty() {
            details.stack open[crash.lines.len() <= 12] {
                summary { "Stack" }
                div.frames tabindex="0" role="group" aria-label="Stack" {
                    @for part in &parts {
                        @if part.foreign && part.lines.len() >= MIN_FOLDED {
                            details.fold {
                                summary { (format_count(part.lines.len() as u64, "frame")) " of " (owners(part)) }
                                (lines(part))
                            }
                        } @else {
                            (lines(part))
                        }
                    }
                }
            }
        }
    }
}

fn lines(part: &StackPart<'_>) -> Markup {
    html! {
        @for (text, origin) in &part.lines {
            @match origin {
                LineOrigin::Own => div.frame.own { bdi { (text.trim_end()) } },
                LineOrigin::Head => div.frame.head { bdi { (text.trim_end()) } },
                _ => div.frame { bdi { (text.trim_end()) } },
            }
        }
    }
}

fn owners(part: &StackPart<'_>) -> &'static str {
    let has = |wanted: LineOrigin| part.lines.iter().any(|(_, origin)| *origin == wanted);
    match (has(LineOrigin::Library), has(LineOrigin::Framework)) {
        (true, true) => "libraries and Android",
        (true, false) => "libraries",
        _ => "Android",
    }
}

fn split(lines: &[(String, LineOrigin)]) -> Vec<StackPart<'_>> {
    let mut parts: Vec<StackPart<'_>> = Vec::new();
    for (text, origin) in lines {
        let foreign = matches!(origin, LineOrigin::Library | LineOrigin::Framework);
        match parts.last_mut() {
            Some(part) if part.foreign == foreign => part.lines.push((text, *origin)),
            _ => parts.push(StackPart { foreign, lines: vec![(text, *origin)] }),
        }
    }
    parts
}
