//! The tables of `retap bench apk`.

use super::{ApkResults, MeasuredApk, MeasuredGraph, MeasuredPair, ProcessCost};
use crate::table;

const NONE: &str = "–";

impl ApkResults {
    pub fn render(&self) -> String {
        let mut tables = vec![apps(&self.apps)];
        if !self.pairs.is_empty() {
            tables.push(pairs(&self.pairs));
        }
        if !self.call_graphs.is_empty() {
            tables.push(graphs(&self.call_graphs));
        }
        if !self.joined.is_empty() {
            tables.push(apps(&self.joined));
        }
        tables.join("\n")
    }
}

fn apps(apps: &[MeasuredApk]) -> String {
    let head = [
        "app",
        "dex KB",
        "classes",
        "methods",
        "windows",
        "inputs",
        "transitions",
        "diff CPU ms",
        "diff MB",
        "model CPU ms",
        "model MB",
    ];
    let row = |it: &MeasuredApk| {
        let counts =
            [it.dex_bytes / 1024, it.classes, it.methods, it.windows, it.inputs, it.transitions];
        let costs = [it.diff.cpu_ms, it.diff.peak_mb, it.model.cpu_ms, it.model.peak_mb];
        let counts = counts.iter().map(ToString::to_string);
        let costs = costs.iter().map(ToString::to_string);
        std::iter::once(it.app.clone()).chain(counts).chain(costs).collect()
    };
    table::render(&head, &apps.iter().map(row).collect::<Vec<_>>())
}

fn pairs(pairs: &[MeasuredPair]) -> String {
    let head = [
        "old → new",
        "modified",
        "new",
        "removed",
        "CPU ms",
        "MB",
        "diffuse new",
        "removed",
        "CPU ms",
        "MB",
        "ratio",
    ];
    let row = |it: &MeasuredPair| {
        let [cpu, peak] = cost(Some(it.diff));
        let [other_cpu, other_peak] = cost(it.diffuse);
        let counted = it.diffuse_methods;
        vec![
            format!("{} → {}", it.old, it.new),
            it.modified.to_string(),
            it.added.to_string(),
            it.removed.to_string(),
            cpu,
            peak,
            counted.map_or(NONE.to_owned(), |it| it.0.to_string()),
            counted.map_or(NONE.to_owned(), |it| it.1.to_string()),
            other_cpu,
            other_peak,
            ratio(it.diffuse, it.diff),
        ]
    };
    table::render(&head, &pairs.iter().map(row).collect::<Vec<_>>())
}

fn graphs(graphs: &[MeasuredGraph]) -> String {
    let head =
        ["app", "program", "CPU ms", "MB", "ratio", "edges", "reached", "own", "of those that ran"];
    let row = |it: &MeasuredGraph| {
        let [cpu, peak] = cost(it.cost);
        let is_ours = |ours: &&MeasuredGraph| ours.app == it.app && ours.program == "retap";
        let ours = graphs.iter().find(is_ours).and_then(|it| it.cost);
        let failed = it.cost.is_none();
        let unless_failed = |text: String| if failed { NONE.to_owned() } else { text };
        vec![
            it.app.clone(),
            it.program.to_owned(),
            cpu,
            peak,
            ours.map_or(NONE.to_owned(), |ours| ratio(it.cost, ours)),
            unless_failed(it.edges.to_string()),
            unless_failed(it.reached.to_string()),
            it.own.to_string(),
            it.ran.map_or(NONE.to_owned(), |(some, all)| unless_failed(format!("{some} of {all}"))),
        ]
    };
    table::render(&head, &graphs.iter().map(row).collect::<Vec<_>>())
}

fn cost(cost: Option<ProcessCost>) -> [String; 2] {
    let cell = |of: fn(ProcessCost) -> u64| cost.map_or(NONE.to_owned(), |it| of(it).to_string());
    [cell(|it| it.cpu_ms), cell(|it| it.peak_mb)]
}

/// Returns how many times as much processor time another program takes.
fn ratio(other: Option<ProcessCost>, ours: ProcessCost) -> String {
    other.map_or(NONE.to_owned(), |it| {
        format!("{:.0}×", it.cpu_ms as f64 / ours.cpu_ms.max(1) as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_failed_has_no_numbers() {
        let graph = |program, cost| MeasuredGraph {
            app: "a".into(),
            program,
            cost,
            edges: 7,
            reached: 3,
            own: 4,
            ran: Some((1, 2)),
            missed: Vec::new(),
        };
        let ours = ProcessCost { cpu_ms: 10, peak_mb: 5 };
        let text = graphs(&[graph("androguard", None), graph("retap", Some(ours))]);
        let rows: Vec<Vec<&str>> = text.lines().map(|it| it.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["a", "androguard", "–", "–", "–", "–", "–", "4", "–"]);
        assert_eq!(rows[2], ["a", "retap", "10", "5", "1×", "7", "3", "4", "1", "of", "2"]);
    }
}
