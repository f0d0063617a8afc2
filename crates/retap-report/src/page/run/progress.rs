//! The progress of the run: coverage and states over events, with the first occurrence of each crash.

use crate::charts::{ChartMarker, ChartSeries, LineChart};
use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::{format_count, group_digits, simple_class_name};
use maud::html;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let history = &run.history;
    if history.events == 0 {
        return None;
    }
    let markers = crash_markers(run);
    let series = history.coverage.iter().map(|(kind, curve)| ChartSeries {
        name: format!("{kind} {:.1}%", curve.last()),
        points: curve.points(),
    });
    let coverage = LineChart {
        title: "Coverage",
        x_label: "events",
        x_max: history.events,
        y_unit: "%",
        series: series.collect(),
        markers: markers.clone(),
    };
    let states = LineChart {
        title: "States",
        x_label: "events",
        x_max: history.events,
        y_unit: "",
        series: vec![ChartSeries {
            name: format_count(history.visits.len() as u64, "state"),
            points: history.states.points(),
        }],
        markers,
    };
    let body = html! {
        div.charts {
            @if !coverage.series.is_empty() { (coverage.render()) }
            (states.render())
        }
    };
    Some(PageSection::new("progress", "Progress", body))
}

fn crash_markers(run: &RunData) -> Vec<ChartMarker> {
    let marker = |crash: &crate::run::ReportedCrash| {
        let x = *run.history.first_crashes.get(&crash.id)?;
        let exception = simple_class_name(&crash.exception);
        Some(ChartMarker { x, title: format!("{exception} at event {}", group_digits(x)) })
    };
    run.crashes.iter().filter_map(marker).collect()
}
