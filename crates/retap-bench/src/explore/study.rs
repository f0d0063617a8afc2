//! A study (`bench explore --study FILE`): one file names the apps that were used for choosing and those to report on,
//! the budgets, runs, strategies and known crashes. Each group of apps and each budget is one bench, and all are one report.

use super::{CommandLine, ExploreBench, ExploreResults, known_crashes, measure, page};
use retap_engine::{Context, DeviceSettings, Failure};
use retap_model::format::run::{RunError, write_json, write_whole};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file of a study.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPlan {
    /// Runs of each strategy on each app.
    pub runs: u64,
    /// Events of each run, one bench for each.
    pub budgets: Vec<u64>,
    pub strategies: Vec<String>,
    /// A file of known crashes, relative to the folder of the study's file.
    pub known: Option<PathBuf>,
    pub apps: StudyApps,
}

/// The apps of a study.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyApps {
    /// Apps that were looked at while strategies were made or set.
    #[serde(default)]
    pub choose: Vec<String>,
    /// Apps that were not. Only these tell how good a strategy is.
    #[serde(default)]
    pub report: Vec<String>,
}

/// Where and how a study runs.
#[derive(Debug, Clone)]
pub struct StudySettings {
    pub file: PathBuf,
    pub device: DeviceSettings,
    pub jobs: u16,
    pub output: PathBuf,
    pub markdown: Option<PathBuf>,
}

/// The results of a study: one bench for each group of apps and each budget.
#[derive(Debug, Serialize)]
pub struct StudyResults {
    pub verb: &'static str,
    pub parts: Vec<StudyPart>,
}

#[derive(Debug, Serialize)]
pub struct StudyPart {
    pub apps: &'static str,
    #[serde(flatten)]
    pub results: ExploreResults,
}

impl StudyPlan {
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(file).map_err(RunError::io(file))?;
        let refuse = |reason: &str| Failure::input(format!("{}: {reason}", file.display()));
        let plan: Self = toml::from_str(&text).map_err(|error| refuse(&error.to_string()))?;
        let StudyApps { choose, report } = &plan.apps;
        if let Some(app) = choose.iter().find(|app| report.contains(app)) {
            return Err(refuse(&format!("{app} is named to choose on and to report on")));
        }
        let is_empty = plan.strategies.is_empty() || plan.budgets.is_empty();
        if is_empty || plan.runs == 0 || plan.budgets.contains(&0) {
            return Err(refuse("expected strategies, budgets and runs above zero"));
        }
        Ok(plan)
    }
}

/// Runs a study, or what is missing of it, and writes `study.json`, `study.md` and `report.html`.
pub fn run(
    settings: &StudySettings,
    command_line: CommandLine<'_>,
    context: Context<'_>,
) -> Result<StudyResults, Failure> {
    let plan = StudyPlan::read(&settings.file)?;
    let folder = settings.file.parent().unwrap_or(Path::new(""));
    let known = plan.known.as_ref().map(|known| folder.join(known));
    // A file that cannot be read is better noticed before the runs than after them.
    known.as_deref().map(known_crashes::read).transpose()?;
    let mut parts = Vec::new();
    let groups = [("choose", &plan.apps.choose), ("report", &plan.apps.report)];
    for max_events in &plan.budgets {
        for (name, apps) in groups.iter().filter(|(_, apps)| !apps.is_empty()) {
            let bench = ExploreBench {
                apps: apps.to_vec(),
                strategies: plan.strategies.clone(),
                ablate: false,
                runs: plan.runs,
                max_events: *max_events,
                device: settings.device.clone(),
                jobs: settings.jobs,
                output: settings.output.join(max_events.to_string()),
                known: known.clone(),
                markdown: None,
            };
            let results = measure(&bench, command_line, context)?;
            parts.push(StudyPart { apps: name, results });
        }
    }
    let results = StudyResults { verb: "bench explore", parts };
    let dir = &settings.output;
    write_json(&dir.join("study.json"), &results)?;
    write_whole(&dir.join("report.html"), page::render_study(&results.parts).as_bytes())?;
    let text = results.render();
    write_whole(&dir.join("study.md"), text.as_bytes())?;
    if let Some(file) = &settings.markdown {
        write_whole(file, text.as_bytes())?;
    }
    Ok(results)
}

impl StudyPart {
    pub fn title(&self) -> String {
        let group = match self.apps {
            "choose" => "Apps that were used for choosing",
            _ => "Apps to report on",
        };
        format!("{group}, {} events", self.results.max_events)
    }
}

impl StudyResults {
    pub fn render(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            let body = part.results.render();
            let body = body.split_once('\n').map_or("", |(_, body)| body);
            text += &format!("# {}\n{body}\n", part.title());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<StudyPlan, Failure> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("study.toml");
        std::fs::write(&file, text).unwrap();
        StudyPlan::read(&file)
    }

    #[test]
    fn an_app_is_either_for_choosing_or_for_the_report() {
        let plan = |choose: &str, report: &str| {
            read(&format!(
                "runs = 2\nbudgets = [100]\nstrategies = [\"auto\"]\n\
                 [apps]\nchoose = [\"{choose}\"]\nreport = [\"{report}\"]\n"
            ))
        };
        assert_eq!(plan("a.apk", "b.apk").unwrap().apps.report, ["b.apk"]);
        let error = plan("a.apk", "a.apk").unwrap_err().to_string();
        assert!(error.contains("a.apk is named to choose on and to report on"), "{error}");
        assert!(read("runs = 0\nbudgets = []\nstrategies = []\n[apps]\n").is_err());
        assert!(read("ruins = 1\n").unwrap_err().to_string().contains("ruins"));
    }
}
