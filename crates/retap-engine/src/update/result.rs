//! Builds the part of `result.json` that only `retap update` has.

use super::comparison::{FoundDifference, VersionComparison};
use super::plan::UpdatePlan;
use super::suite::TargetSuite;
use super::upgrade::{FoundUpgradeFault, UpgradeCheck};
use retap_model::CoverageCount;
use retap_model::app::AppIdentity;
use retap_model::format::run::update_summary::{
    ComparisonSummary, DifferenceSummary, ModelSummary, PhaseSummary, TargetSummary, UpdateResult,
};
use retap_update::{
    Explanation, ModelCounts, TargetNumber, TargetOrigin, UpdateStrategy, UpgradeFault,
    VersionDifference, WhyNotCovered,
};

#[derive(Debug, Clone, Copy)]
pub struct ResultInput<'a> {
    pub old: &'a AppIdentity,
    pub new: &'a AppIdentity,
    pub plan: &'a UpdatePlan,
    pub strategy: &'a UpdateStrategy,
    pub comparison: &'a VersionComparison,
    pub upgrade: &'a UpgradeCheck,
    pub suite: &'a TargetSuite,
}

pub fn build_result(input: ResultInput<'_>) -> UpdateResult {
    let (targets, progress) = (input.strategy.targets(), input.strategy.progress());
    let phases = progress.phases.iter().map(|(phase, it)| {
        let summary = PhaseSummary {
            inputs: it.inputs,
            targets: it.targets,
            instructions: it.instructions,
            ended: it.ended.clone(),
        };
        (phase.number(), summary)
    });
    let compared = input.comparison.differences.iter().enumerate();
    let mut differences: Vec<DifferenceSummary> =
        compared.map(|(number, it)| summarize_difference(number, it)).collect();
    for found in &input.upgrade.faults {
        differences.push(summarize_fault(differences.len(), found));
    }
    UpdateResult {
        old: input.old.clone(),
        new: input.new.clone(),
        target_methods: CoverageCount {
            covered: targets.reached() as u64,
            total: targets.len() as u64,
        },
        target_instructions: CoverageCount {
            covered: targets.covered_instructions(),
            total: targets.all_instructions(),
        },
        not_counted: targets.not_counted.len() as u64,
        at_launch: progress.at_launch,
        phases: phases.collect(),
        targets: targets.iter().map(|(number, _)| summarize_target(number, input)).collect(),
        compared: ComparisonSummary {
            sequences: input.comparison.sequences,
            screens: input.comparison.screens,
            left_out: input.comparison.left_out.clone(),
        },
        differences,
        upgrade: ComparisonSummary {
            sequences: input.upgrade.sequences,
            screens: 0,
            left_out: input.upgrade.left_out.clone(),
        },
        model: summarize_model(input.strategy.model().counts()),
    }
}

fn summarize_target(number: TargetNumber, input: ResultInput<'_>) -> TargetSummary {
    let (targets, progress) = (input.strategy.targets(), input.strategy.progress());
    let target = targets.get(number);
    let first = progress.first_covers.get(&number);
    let total = targets.instructions(number);
    TargetSummary {
        method: target.signature.clone(),
        origin: match target.origin {
            TargetOrigin::Modified => "modified",
            TargetOrigin::New => "new",
            TargetOrigin::Asked => "asked",
            TargetOrigin::Impact => "impact",
        }
        .into(),
        instructions: CoverageCount { covered: total - targets.uncovered(number), total },
        phase: first.and_then(|first| first.phase).map(|phase| phase.number()),
        input: first.map(|first| first.event.clone()),
        trace: input.suite.traces.get(&number).map(|name| format!("suite/traces/{name}.jsonl")),
        why_not: (!target.is_reached)
            .then(|| explain(progress.why_not(number, input.strategy.model()))),
    }
}

fn explain(why: WhyNotCovered) -> String {
    match why {
        WhyNotCovered::NoInput => "no input of the model leads to it".into(),
        WhyNotCovered::WindowNotReached { windows } => {
            format!("never reached: {}", windows.join(", "))
        }
        WhyNotCovered::InputNotDone { windows } => {
            format!("its widget did not show in {}", windows.join(", "))
        }
        WhyNotCovered::GuardNotTrue { windows } => {
            format!(
                "its inputs were done in {}, and a condition kept it from running",
                windows.join(", ")
            )
        }
        WhyNotCovered::HostLimitation { windows } => {
            format!("the device lacked something in {}", windows.join(", "))
        }
    }
}

/// Returns the folder of a difference, relative to the run.
pub fn difference_folder(number: usize) -> String {
    format!("differences/{:03}", number + 1)
}

fn summarize_difference(number: usize, found: &FoundDifference) -> DifferenceSummary {
    let folder = difference_folder(number);
    let mut summary = DifferenceSummary {
        kind: String::new(),
        unexplained: found.difference.is_unexplained(),
        what: String::new(),
        explanation: None,
        old: None,
        new: None,
        changed_code: Vec::new(),
        trace: format!("{folder}/trace.jsonl"),
        steps: found.events.iter().map(ToString::to_string).collect(),
        old_picture: Some(format!("{folder}/old.png")),
        new_picture: Some(format!("{folder}/new.png")),
    };
    let (kind, what) = match &found.difference {
        VersionDifference::Screen(it) => {
            (summary.old, summary.new) = (it.old.clone(), it.new.clone());
            match &it.explanation {
                Explanation::Diff(why) => summary.explanation = Some(why.clone()),
                Explanation::Unexplained { changed_code } => {
                    summary.changed_code.clone_from(changed_code);
                }
            }
            let place = it.activity.rsplit('.').next().unwrap_or_default();
            let what = match (&it.old, &it.new) {
                (Some(old), Some(new)) => {
                    format!("{place}: {} shows {new:?}, was {old:?}", it.fact)
                }
                (None, _) => format!("{place}: {} is new", it.fact),
                (_, None) => format!("{place}: {} is gone", it.fact),
            };
            ("screen", what)
        }
        VersionDifference::NewCrash { exception, .. } => {
            ("new-crash", format!("only the new version crashes: {exception}"))
        }
        VersionDifference::FixedCrash { exception, .. } => {
            ("fixed-crash", format!("only the old version crashes: {exception}"))
        }
        VersionDifference::OtherWindow { old, new, changed_code, .. } => {
            summary.changed_code.clone_from(changed_code);
            ("other-window", format!("the last event leads to {new}, was {old}"))
        }
        VersionDifference::OnlyInNew { event, .. } => {
            ("only-in-new", format!("only the new version has what this needs: {event}"))
        }
        VersionDifference::OnlyInOld { event, .. } => {
            ("only-in-old", format!("only the old version has what this needs: {event}"))
        }
    };
    (summary.kind, summary.what) = (kind.into(), what);
    summary.changed_code.reverse();
    summary
}

/// Returns the fault of an update on old data as a difference: nothing explains it.
fn summarize_fault(number: usize, found: &FoundUpgradeFault) -> DifferenceSummary {
    let folder = difference_folder(number);
    let (kind, what) = match &found.fault {
        UpgradeFault::Crash { exception, .. } => (
            "upgrade-crash",
            format!("the new version crashes on data of the old one: {exception}"),
        ),
        UpgradeFault::LostData { activity, texts, .. } => {
            let place = activity.rsplit('.').next().unwrap_or_default();
            let texts: Vec<String> = texts.iter().map(|it| format!("{it:?}")).collect();
            let texts = texts.join(", ");
            (
                "lost-data",
                format!("{place}: the new version does not show {texts} of the old one's data"),
            )
        }
    };
    let update = "install the new version over the old one, and launch it".to_string();
    let before = found.before.iter().map(ToString::to_string);
    let after = found.after.iter().map(ToString::to_string);
    DifferenceSummary {
        kind: kind.into(),
        unexplained: true,
        what,
        explanation: None,
        old: None,
        new: None,
        changed_code: Vec::new(),
        trace: format!("{folder}/trace.jsonl"),
        steps: before.chain([update]).chain(after).collect(),
        old_picture: None,
        new_picture: None,
    }
}

fn summarize_model(counts: ModelCounts) -> ModelSummary {
    ModelSummary {
        windows: counts.windows as u64,
        windows_added: counts.windows_added as u64,
        window_transitions: counts.window_transitions as u64,
        window_transitions_added: counts.window_transitions_added as u64,
        states: counts.states as u64,
        abstract_transitions: counts.abstract_transitions as u64,
        screens: counts.screens as u64,
        refinements: counts.refinements.into(),
        levels: counts.levels,
    }
}
