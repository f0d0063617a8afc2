//! A chart of horizontal bars with a label on the left and a text on the right of each.

use maud::{Markup, html};

const WIDTH: f64 = 560.0;
const ROW_HEIGHT: f64 = 30.0;
const LABEL_WIDTH: f64 = 150.0;
/// The space for the text on the right of a bar.
const TEXT_WIDTH: f64 = 190.0;
const MAX_BAR_WIDTH: f64 = WIDTH - LABEL_WIDTH - TEXT_WIDTH;

/// One bar of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub label: &'static str,
    /// The value that the length shows.
    pub value: u64,
    /// The text on the right of the bar.
    pub text: String,
}

/// Draws bars whose lengths are proportional to their values. The longest bar fills the chart.
pub fn render_bar_chart(title: &str, bars: &[Bar]) -> Markup {
    let largest = bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1) as f64;
    let bar_width = |bar: &Bar| MAX_BAR_WIDTH * bar.value as f64 / largest;
    html! {
        figure.chart {
            figcaption { (title) }
            svg viewBox={ "0 0 " (WIDTH) " " (ROW_HEIGHT * bars.len() as f64) } role="img" aria-label=(title) {
                @for (index, bar) in bars.iter().enumerate() {
                    @let y = ROW_HEIGHT * index as f64;
                    @let width = bar_width(bar);
                    text.tick x=(LABEL_WIDTH - 8.0) y=(y + 19.0) text-anchor="end" { (bar.label) }
                    rect.bar.s0 x=(LABEL_WIDTH) y=(y + 6.0)
                        width=(format!("{width:.1}")) height=(ROW_HEIGHT - 12.0) rx="3" {}
                    text.tick x=(format!("{:.1}", LABEL_WIDTH + 8.0 + width)) y=(y + 19.0) { (bar.text) }
                }
            }
        }
    }
}
