//! Looks at a phone until it is at rest, and turns what was seen into an observation. An event and its first look are one
//! round trip; a phone that is not at rest by then costs another, three at most.

use super::judge::{front_package, judge};
use super::shell::SHORT;
use super::sight::{LookPlan, Sight, parse_uptime};
use super::{AdbDevice, AppLife};
use crate::parse::dump::NoDump;
use crate::parse::logcat::{LogcatLine, after_mark, parse_logcat};
use crate::parse::sections::CommandSection;
use retap_device::DeviceError;
use retap_model::{Coverage, Observation, Outcome, Screen, WindowKind};
use std::sync::Arc;
use std::time::Duration;

pub use super::sight::LookOptions;

/// Looks at an app that moves on its own end here.
const MAX_LOOKS: usize = 3;
/// Looks at an app whose window does not answer; each takes uiautomator seconds, and Android itself waits five.
const MAX_SILENT_LOOKS: usize = 6;
const LOG_TAG: &str = "retap";

/// An event with everything that was seen of it.
#[derive(Debug)]
pub struct LookedEvent {
    pub seen: Observation,
    /// What the preparing commands printed.
    pub prepared: Vec<CommandSection>,
    /// What the event's own command printed.
    pub did: CommandSection,
}

impl AdbDevice {
    /// Runs commands, then one that does the event, and looks until the phone is at rest.
    pub(super) fn look_after(
        &mut self,
        prepare: &[String],
        line: &str,
        after: &str,
        takes: Duration,
    ) -> Result<LookedEvent, DeviceError> {
        let package = self.installed()?.package().to_string();
        self.marks += 1;
        let mark = format!("event {} of {}", self.marks, self.shell.serial());
        let mut batch = self.shell.new_batch();
        let begun = batch.add("cat /proc/uptime");
        batch.add(&format!("log -t {LOG_TAG} '{mark}'"));
        for command in prepare {
            batch.add(command);
        }
        let did = batch.add(&format!("{line} 2>&1"));
        let mut count = did + 1;
        if !after.is_empty() {
            batch.add(after);
            count += 1;
        }
        let plan = LookPlan::add(&mut batch, &package, &self.log_since, self.options);
        let lost = |failure: crate::failure::AdbFailure| failure.lost();
        let sections = self.shell.run(&batch, count + plan.count, SHORT + takes).map_err(lost)?;
        let sight = self.look_until_rest(plan.read(&sections, &package), &package)?;
        let begun = parse_uptime(&sections[begun].text);
        let seen = self.observe(&sight, &package, &mark, begun);
        let prepared = sections[begun_index()..begun_index() + prepare.len()].to_vec();
        Ok(LookedEvent { seen, prepared, did: sections[did].clone() })
    }

    /// Looks without doing anything.
    pub(super) fn look(&mut self) -> Result<Observation, DeviceError> {
        Ok(self.look_after(&[], "true", "", Duration::ZERO)?.seen)
    }

    fn look_until_rest(&self, first: Sight, package: &str) -> Result<Sight, DeviceError> {
        let mut sight = first;
        for look in 1..MAX_SILENT_LOOKS {
            let is_silent = matches!(sight.dump, Err(NoDump::NoRoot));
            let is_over = sight.log.contains("FATAL EXCEPTION") || sight.log.contains("ANR in ");
            let is_at_rest = sight.is_steady && sight.dump.is_ok();
            if is_at_rest || is_over || (!is_silent && look >= MAX_LOOKS) {
                break;
            }
            let mut batch = self.shell.new_batch();
            let plan = LookPlan::add(&mut batch, package, &self.log_since, self.options);
            let sections =
                self.shell.run(&batch, plan.count, SHORT).map_err(|failure| failure.lost())?;
            sight = plan.read(&sections, package);
        }
        Ok(sight)
    }

    fn observe(
        &mut self,
        sight: &Sight,
        package: &str,
        mark: &str,
        begun: Option<u64>,
    ) -> Observation {
        let all = parse_logcat(&sight.log);
        if let Some(line) = all.iter().rfind(|it| it.tag == LOG_TAG && it.message == mark) {
            self.log_since = line.time.to_string();
        }
        let lines = after_mark(&all, LOG_TAG, mark);
        let pids: Vec<u32> = self.pids.iter().chain(&sight.pids).copied().collect();
        let mut host_limitations = limitations(lines, &pids);
        let mut screen = match (&sight.dump, &sight.views) {
            (Ok(screen), _) => screen.clone(),
            (Err(reason), Some(views)) if sight.windows.focused_package() == Some(package) => {
                host_limitations.push(format!("the screen has no texts: {}", explain(reason)));
                views.clone()
            }
            (Err(_), _) => Screen::default(),
        };
        let mut outcome = judge(sight, &screen, lines, package, &pids);
        let silent = matches!(sight.dump, Err(NoDump::NoRoot)) && outcome == Outcome::Running;
        if silent {
            let stack = "the window in front did not answer for several looks\n".to_string();
            outcome = Outcome::NotResponding { stack };
        }
        name_windows(&mut screen, sight, package);
        let passed = sight.uptime.zip(begun).map(|(end, begun)| end.saturating_sub(begun) * 10);
        let own = |line: &&LogcatLine<'_>| pids.contains(&line.pid) && line.tag != LOG_TAG;
        let log = lines.iter().filter(own);
        let log =
            log.map(|line| format!("{}/{}: {}", line.level, line.tag, line.message)).collect();
        self.pids.clone_from(&sight.pids);
        Observation {
            screen: Arc::new(screen),
            coverage: Arc::new(Coverage::default()),
            elapsed_ms: passed.unwrap_or_default(),
            outcome,
            log,
            host_limitations,
        }
    }

    /// Remembers an observation as the position of the device.
    pub(super) fn remember(
        &mut self,
        observation: Observation,
    ) -> Result<Observation, DeviceError> {
        self.life = if observation.outcome.is_final() { AppLife::Gone } else { AppLife::Launched };
        self.screen = Arc::clone(&observation.screen);
        self.outcome = observation.outcome.clone();
        Ok(observation)
    }
}

/// The index of the first preparing command: the clock and the mark come before it.
const fn begun_index() -> usize {
    2
}

fn explain(reason: &NoDump) -> String {
    match reason {
        NoDump::NotIdle => "it never comes to rest, so that uiautomator does not read it".into(),
        NoDump::NoRoot => "its window does not answer".into(),
        NoDump::Damaged(what) => what.clone(),
        NoDump::Said(said) if said.is_empty() => "uiautomator took too long".into(),
        NoDump::Said(said) => format!("uiautomator says: {said}"),
    }
}

/// Fills in what a dump does not say: the activity, and the kind of the window.
fn name_windows(screen: &mut Screen, sight: &Sight, package: &str) {
    let front = front_package(sight, screen).unwrap_or_default().to_string();
    let activity = sight.activities.resumed.as_ref().or(sight.windows.focused_app.as_ref());
    let own = activity.filter(|activity| activity.package == package);
    screen.activity = own.map(|activity| activity.class.clone()).unwrap_or_default();
    for window in &mut screen.windows {
        window.kind = match sight.windows.kind() {
            _ if front != package => WindowKind::Outside,
            Some(kind) => kind,
            None => WindowKind::Activity,
        };
        window.focused = true;
    }
}

/// The phone of `retap serve --adb` says in its log what it lacks.
fn limitations(lines: &[LogcatLine<'_>], pids: &[u32]) -> Vec<String> {
    let said = lines.iter().filter(|line| line.tag == LOG_TAG && pids.contains(&line.pid));
    said.filter_map(|line| line.message.strip_prefix("host limitation: "))
        .map(str::to_string)
        .collect()
}
