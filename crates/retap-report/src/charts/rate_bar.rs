//! A success rate as a small bar with its interval, and as a sentence.

use crate::text::format_percent;
use maud::{Markup, html};
use retap_model::Rate;

const WIDTH: f64 = 160.0;

/// Draws a success rate. `verb` says what the runs did, for example "reproduces".
pub fn render_rate_bar(verb: &str, rate: &Rate) -> Markup {
    let (low, high) = rate.interval();
    let scale = |share: f64| format!("{:.1}", share * WIDTH);
    html! {
        p.rate title=(rate) {
            svg viewBox="0 0 160 12" width="160" height="12" role="img" aria-label=(rate) {
                rect.background y="3" width=(WIDTH) height="6" rx="3" {}
                rect.value y="3" width=(scale(rate.value())) height="6" rx="3" {}
                rect.interval x=(scale(low)) y="0" width=(scale((high - low).max(0.01))) height="12" rx="2" {}
            }
            span {
                (verb) " in " b { (rate.successes) " of " (rate.runs) } " runs "
                span.quiet { "(95% interval " (format_percent(low)) "–" (format_percent(high)) ")" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_drawn_with_its_interval() {
        let rate = Rate { successes: 18, runs: 20 };
        let bar = render_rate_bar("reproduces", &rate);
        insta::assert_snapshot!(bar.into_string().replace("><", ">\n<"));
    }
}
