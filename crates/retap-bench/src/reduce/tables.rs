//! Renders the measurements as tables.

use super::measured::MeasuredReduction;
use crate::table::{median, render};
use retap_reduce::{ReductionStages, SizeAndCost};
use std::fmt::Write;
use std::path::Path;

pub fn render_all(measured: &[MeasuredReduction]) -> String {
    let mut text = sizes(measured);
    text.push('\n');
    text.push_str(&effort(measured));
    text.push('\n');
    text.push_str(&medians(measured));
    text
}

/// Renders one result on a line.
pub fn line(one: &MeasuredReduction) -> String {
    let [recorded, reduced] = [one.stages.recorded, one.stages.phase_3].map(size);
    let (k, time) = (one.k, one.to_reduce.cpu_seconds);
    format!("  k={k}: {recorded} became {reduced}, {} replays, {time:.1} CPU s", one.executions)
}

fn sizes(measured: &[MeasuredReduction]) -> String {
    const HEAD: [&str; 12] = [
        "app", "states", "k", "recorded", "selected", "phase 1", "phase 2", "phase 3", "bound",
        "above it", "smaller", "faster",
    ];
    let row = |one: &MeasuredReduction| {
        let bound = one.lower_bound.map_or("–".into(), |bound| bound.cost.to_string());
        let gap = one.gap.map_or("–".into(), |gap| format!("{:.0}%", 100.0 * gap));
        let ReductionStages { recorded, selected, phase_1, phase_2, phase_3 } = one.stages;
        let rest = [recorded, selected, phase_1, phase_2, phase_3].map(size);
        let times = |times: f64| format!("{times:.1}×");
        let faster = one.speed_up().map_or("–".into(), times);
        let last = [bound, gap, times(one.factor()), faster];
        name(one).into_iter().chain(rest).chain(last).collect()
    };
    render(&HEAD, &measured.iter().map(row).collect::<Vec<_>>())
}

fn effort(measured: &[MeasuredReduction]) -> String {
    const HEAD: [&str; 17] = [
        "app",
        "states",
        "k",
        "candidates",
        "replays",
        "events",
        "effort",
        "saved",
        "replayable",
        "quarantined",
        "lost",
        "limits",
        "CPU s record",
        "CPU s reduce",
        "s compute",
        "CPU s suite",
        "MB",
    ];
    let row = |one: &MeasuredReduction| {
        let seconds = |seconds: f64| format!("{seconds:.1}");
        let rest = [
            one.stats.candidates.to_string(),
            one.executions.to_string(),
            one.events.to_string(),
            format!("{:.2}×", one.effort()),
            one.saved().to_string(),
            format!("{:.0}%", 100.0 * one.replayable()),
            one.quarantined.to_string(),
            one.unstable.to_string(),
            one.stats.limits_hit.to_string(),
            seconds(one.to_record.cpu_seconds),
            seconds(one.to_reduce.cpu_seconds),
            seconds(one.seconds_computing()),
            seconds(one.of_suite.cpu_seconds),
            one.memory_mb.to_string(),
        ];
        name(one).into_iter().chain(rest).collect()
    };
    render(&HEAD, &measured.iter().map(row).collect::<Vec<_>>())
}

/// Renders the medians over all suites for each k.
fn medians(measured: &[MeasuredReduction]) -> String {
    let mut ks: Vec<usize> = measured.iter().map(|one| one.k).collect();
    ks.sort_unstable();
    ks.dedup();
    let mut text = String::new();
    for k in ks {
        let of: Vec<&MeasuredReduction> = measured.iter().filter(|one| one.k == k).collect();
        let median_of =
            |value: fn(&MeasuredReduction) -> f64| median(of.iter().map(|one| value(one)));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "k={k}: {:.1}× fewer steps at the median of {}, {:.0}% of what was run replayed, {:.2}× the effort and {:.2}× the processor time of recording",
            median_of(MeasuredReduction::factor),
            of.len(),
            100.0 * median_of(MeasuredReduction::replayable),
            median_of(MeasuredReduction::effort),
            median_of(MeasuredReduction::relative_time),
        );
    }
    text
}

fn name(one: &MeasuredReduction) -> [String; 3] {
    let app = Path::new(&one.app).file_name().unwrap_or_default().to_string_lossy().into_owned();
    [app, one.abstraction.clone(), one.k.to_string()]
}

/// Renders steps and restarts.
fn size(size: SizeAndCost) -> String {
    format!("{}/{}", size.steps, size.restarts)
}
