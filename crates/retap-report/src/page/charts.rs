//! What grew while the run went on: coverage and states over events, crashes where they were first met.

use super::number::grouped;
use crate::album::Album;
use crate::chart::{Chart, Mark, Series};
use crate::run::Run;
use crate::sentence::short;
use maud::{Markup, html};

pub fn section(run: &Run, _: &mut Album) -> Option<Markup> {
    let history = &run.history;
    if history.events == 0 {
        return None;
    }
    let marks: Vec<Mark> = run
        .crashes
        .iter()
        .filter_map(|crash| {
            let (x, _) = *history.crashes.get(&crash.id)?;
            let title = format!("{} at event {}", short(&crash.exception), grouped(x));
            Some(Mark { x, title })
        })
        .collect();
    let series = history.coverage.iter().map(|(kind, curve)| Series {
        name: format!("{kind} {:.1}%", curve.last()),
        points: curve.points(),
    });
    let coverage = Chart {
        title: "Coverage",
        x: "events",
        x_max: history.events,
        unit: "%",
        series: series.collect(),
        marks: marks.clone(),
    };
    let states = Chart {
        title: "States",
        x: "events",
        x_max: history.events,
        unit: "",
        series: vec![Series {
            name: format!("{} states", grouped(history.visits.len() as u64)),
            points: history.states.points(),
        }],
        marks,
    };
    Some(html! {
        section #progress {
            h2 { "Progress" }
            div.charts {
                @if !coverage.series.is_empty() { (coverage.render()) }
                (states.render())
            }
        }
    })
}
