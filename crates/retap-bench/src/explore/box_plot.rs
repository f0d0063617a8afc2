//! Box plots: for each strategy the covered units of its runs, with quartiles, median, whiskers and every run as a dot.

use super::cell::MeasuredCell;
use super::comparison::values;
use maud::{Markup, html};

const WIDTH: f64 = 640.0;
const ROW: f64 = 34.0;
const LABEL: f64 = 170.0;
const TOP: f64 = 6.0;
const BOTTOM: f64 = 22.0;

/// The five numbers of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FiveNumbers {
    least: f64,
    lower: f64,
    median: f64,
    upper: f64,
    most: f64,
}

impl FiveNumbers {
    fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let at = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, above) = (place.floor() as usize, place.ceil() as usize);
            sorted[below] + (sorted[above] - sorted[below]) * (place - place.floor())
        };
        Some(Self { least, lower: at(0.25), median: at(0.5), upper: at(0.75), most })
    }
}

/// Draws the plots of an app, one row for each strategy.
pub fn render(
    measured: &[MeasuredCell],
    app: &str,
    strategies: &[String],
    colour: fn(usize) -> &'static str,
) -> Markup {
    let rows: Vec<(usize, &String, Vec<f64>)> = strategies
        .iter()
        .enumerate()
        .map(|(at, strategy)| (at, strategy, values(measured, app, strategy)))
        .filter(|(_, _, values)| !values.is_empty())
        .collect();
    let all = || rows.iter().flat_map(|(_, _, values)| values.iter().copied());
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
    // The axis begins near the least value, because boxes compare runs and not amounts.
    let begin = if high > low { (low - (high - low) * 0.1).max(0.0) } else { 0.0 };
    let x = |value: f64| LABEL + (WIDTH - LABEL - 16.0) * (value - begin) / (high - begin).max(1.0);
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let place = |value: f64| format!("{:.1}", x(value));
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label="Covered units by strategy, as box plots" {
            @for (row, (at, strategy, values)) in rows.iter().enumerate() {
                @let middle = TOP + ROW * row as f64 + ROW / 2.0;
                text x=(LABEL - 10.0) y=(middle + 4.0) text-anchor="end" { (strategy) }
                @if let Some(five) = FiveNumbers::of(values) {
                    g.plot.(colour(*at)) {
                        line x1=(place(five.least)) x2=(place(five.most)) y1=(middle) y2=(middle) {}
                        rect x=(place(five.lower)) y=(middle - 9.0) height="18" fill-opacity="0.2"
                            width=(format!("{:.1}", (x(five.upper) - x(five.lower)).max(1.0))) {}
                        line x1=(place(five.median)) x2=(place(five.median)) y1=(middle - 9.0) y2=(middle + 9.0) stroke-width="3" {}
                        @for value in values {
                            circle cx=(place(*value)) cy=(middle) r="2.2" stroke="none" { title { (value) } }
                        }
                    }
                }
            }
            text x=(LABEL) y=(height - 6.0) { (begin.round()) }
            text x=(WIDTH - 16.0) y=(height - 6.0) text-anchor="end" { (high) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_quartiles_between_the_ends() {
        let five = FiveNumbers::of(&[5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        let expected = FiveNumbers { least: 1.0, lower: 2.0, median: 3.0, upper: 4.0, most: 5.0 };
        assert_eq!(five, expected);
        assert_eq!(FiveNumbers::of(&[7.0]).unwrap().lower, 7.0);
        assert_eq!(FiveNumbers::of(&[]), None);
    }
}
