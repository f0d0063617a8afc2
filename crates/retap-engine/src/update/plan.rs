//! What an update changed, read from both APKs: the targets, the static model, and what explains differences.

use crate::Failure;
use crate::explore::{code_map, compared_texts};
use retap_apk::{Apk, ApkError};
use retap_explore::{Auto, AutoParts, Random};
use retap_model::{App, Units};
use retap_static::{AppDiff, AppModel, changed_widget_ids, impact_of, methods_of_sources};
use retap_update::{ChangeKnowledge, TargetOrigin, Targets};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Default)]
pub struct PlanSettings {
    /// Go on though the versions do not fit.
    pub force: bool,
    /// Methods that the user wants to reach, as `Lcom/example/Main;->run()V` or a part of it.
    pub asked: Vec<String>,
    /// Also reach what calls a changed method or reads what it writes, up to so many steps away, and the windows that show
    /// changed layouts.
    pub impact: u32,
    /// Also reach the methods that were compiled from these source files.
    pub sources: Vec<String>,
}

/// What an input with all targets ahead of it is worth. A tap that nothing is known of is worth 1.
const EMPHASIS: f64 = 3.0;

#[derive(Debug)]
pub struct UpdatePlan {
    new_apk: Apk,
    new_path: PathBuf,
    pub diff: AppDiff,
    pub model: AppModel,
    /// Changed and asked-for methods.
    pub wanted: Vec<(String, TargetOrigin)>,
    pub knowledge: ChangeKnowledge,
    /// Things worth knowing about the input.
    pub remarks: Vec<String>,
}

impl UpdatePlan {
    pub fn read(old: &Path, new: &Path, settings: &PlanSettings) -> Result<Self, Failure> {
        let (old_apk, new_apk) = (open(old)?, open(new)?);
        let mut remarks = Vec::new();
        for problem in find_problems(&old_apk, &new_apk) {
            if !settings.force {
                return Err(Failure::input(format!("{problem}; --force goes on all the same")));
            }
            remarks.push(problem);
        }
        let diff = AppDiff::compare(&old_apk, &new_apk).map_err(refuse)?;
        let mut model = AppModel::read(&new_apk).map_err(refuse)?;
        let sets = diff.sets();
        let changed = [sets.modified.clone(), sets.new.clone()].concat();
        let mut wanted: Vec<(String, TargetOrigin)> = Vec::new();
        wanted.extend(sets.modified.into_iter().map(|it| (it, TargetOrigin::Modified)));
        wanted.extend(sets.new.into_iter().map(|it| (it, TargetOrigin::New)));
        if settings.impact > 0 {
            let touched = impact_of(&new_apk, &changed, settings.impact).map_err(refuse)?;
            let shown = openers(&diff, &model);
            wanted.extend(touched.into_iter().chain(shown).map(|it| (it, TargetOrigin::Impact)));
        }
        let of_files = methods_of_sources(&new_apk, &settings.sources).map_err(refuse)?;
        remarks
            .extend(of_files.unmatched.iter().map(|it| format!("no class was compiled from {it}")));
        wanted.extend(of_files.methods.into_iter().map(|it| (it, TargetOrigin::Asked)));
        for asked in &settings.asked {
            let found = methods_named(asked, &model);
            if found.is_empty() {
                remarks.push(format!("no input is known to reach a method named {asked:?}"));
            }
            wanted.extend(found.into_iter().map(|it| (it, TargetOrigin::Asked)));
        }
        let signatures: Vec<String> =
            wanted.iter().map(|(signature, _)| signature.clone()).collect();
        model.mark_targets(&signatures);
        let knowledge = ChangeKnowledge::of(&diff, changed_widget_ids(&old_apk, &new_apk));
        let new_path = new.to_path_buf();
        Ok(Self { new_apk, new_path, diff, model, wanted, knowledge, remarks })
    }

    /// Returns the methods that show changed layouts.
    pub fn openers(&self) -> Vec<String> {
        openers(&self.diff, &self.model)
    }

    /// Returns the texts that the new version's code compares with.
    pub fn compared_texts(&self, app: &App) -> Vec<String> {
        compared_texts::read(&self.new_path, &app.identity.package).words().to_vec()
    }

    /// Returns the explorer for where the phases know no way on. Only targets count on its map.
    pub fn explorer(&self, targets: &Targets, app: &App, seed: u64) -> Auto {
        let map =
            code_map::build(&self.model, &self.new_apk, app, &targets.goals().collect(), EMPHASIS);
        let texts = compared_texts::read(&self.new_path, &app.identity.package);
        Auto::new(Random::new(seed), app.clone(), texts, AutoParts::default()).with_map(map)
    }

    /// Returns the targets that the device can see run.
    pub fn targets(&self, units: &Units) -> Targets {
        Targets::new(&self.wanted, units)
    }
}

fn openers(diff: &AppDiff, model: &AppModel) -> Vec<String> {
    let resources: BTreeSet<String> = diff.resources.iter().map(|it| it.name.clone()).collect();
    model.openers_of(&resources)
}

/// Returns the app's own methods whose signature contains a text.
fn methods_named(text: &str, model: &AppModel) -> Vec<String> {
    let inputs = model.inputs.iter().flat_map(|input| &input.reaches);
    let hidden = model.hidden_handlers.iter().flat_map(|handler| &handler.reaches);
    let mut found: Vec<String> =
        inputs.chain(hidden).filter(|method| method.contains(text)).cloned().collect();
    if found.is_empty() && text.contains(";->") {
        found.push(text.to_string());
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn find_problems(old: &Apk, new: &Apk) -> Vec<String> {
    let (old, new) = (&old.manifest, &new.manifest);
    let mut problems = Vec::new();
    if old.package != new.package {
        problems.push(format!(
            "these are different apps: the old one is {}, the new one {}",
            old.package, new.package
        ));
    } else if new.version_code < old.version_code {
        problems.push(format!(
            "the order looks wrong: the first APK has version code {}, the second {}",
            old.version_code, new.version_code
        ));
    }
    problems
}

fn open(path: &Path) -> Result<Apk, Failure> {
    Apk::open(path).map_err(refuse)
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn refuse(error: ApkError) -> Failure {
    Failure::input(error.to_string())
}
