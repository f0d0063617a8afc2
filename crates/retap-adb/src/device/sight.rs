//! One look at a phone: what the commands of a batch printed, read.

use crate::parse::activities::OpenActivities;
use crate::parse::dump::{NoDump, parse_dump};
use crate::parse::hierarchy::{self, parse_hierarchy, signature};
use crate::parse::processes::parse_processes;
use crate::parse::sections::{Batch, CommandSection};
use crate::parse::windows::OpenWindows;
use retap_model::Screen;
use retap_model::format::shell::quote;

const FILE: &str = "/data/local/tmp/retap.xml";
/// uiautomator itself waits ten seconds for a screen that never rests.
const DUMP_SECONDS: u32 = 6;

/// The commands of one look in a batch, by the index of their sections.
#[derive(Debug, Clone, Copy)]
pub struct LookPlan {
    views_before: usize,
    focus_before: usize,
    dump: usize,
    views_after: usize,
    windows: usize,
    activities: usize,
    processes: usize,
    uptime: usize,
    log: usize,
    pub count: usize,
}

/// What a look depends on.
#[derive(Debug, Clone, Copy)]
pub struct LookOptions {
    pub has_timeout: bool,
    pub api: u32,
}

/// What was seen.
#[derive(Debug)]
pub struct Sight {
    pub dump: Result<Screen, NoDump>,
    /// The views of the activity in front, without texts.
    pub views: Option<Screen>,
    pub windows: OpenWindows,
    pub activities: OpenActivities,
    pub pids: Vec<u32>,
    /// Hundredths of a second since the phone started.
    pub uptime: Option<u64>,
    pub log: String,
    /// True if nothing changed between the beginning and the end of the look.
    pub is_steady: bool,
}

impl LookPlan {
    /// Adds a look to a batch. The dump lies between two cheap looks at views and focus: if these agree, it is true.
    pub fn add(batch: &mut Batch, package: &str, log_since: &str, options: LookOptions) -> Self {
        let package = quote(package);
        let views = format!("dumpsys activity top | grep -E '{}'", hierarchy::FILTER);
        let timeout = match options.has_timeout {
            true => format!("timeout {DUMP_SECONDS} "),
            false => String::new(),
        };
        let since = match log_since {
            "" => "-t 1000".to_string(),
            since => format!("-T {}", quote(since)),
        };
        Self {
            focus_before: batch.add("dumpsys window | grep -E 'mCurrentFocus='"),
            views_before: batch.add(&views),
            dump: batch.add(&format!(
                "rm -f {FILE}; {timeout}uiautomator dump {FILE} 2>&1; cat {FILE} 2> /dev/null"
            )),
            views_after: batch.add(&views),
            windows: batch.add(&format!("dumpsys window | grep -E '{}'", OpenWindows::FILTER)),
            activities: batch.add(
                "dumpsys activity activities | grep -E 'Hist +#|ResumedActivity|mFocusedActivity'",
            ),
            processes: batch.add(&format!("pidof {package} || ps | grep {package}")),
            uptime: batch.add("cat /proc/uptime"),
            log: batch.add(&format!(
                "logcat -d -v threadtime -b main -b system -b crash {since} 2> /dev/null"
            )),
            count: 9,
        }
    }

    pub fn read(&self, sections: &[CommandSection], package: &str) -> Sight {
        let text = |index: usize| sections.get(index).map_or("", |section| section.text.as_str());
        let windows = OpenWindows::parse(text(self.windows));
        let focus = OpenWindows::parse(text(self.focus_before)).focus;
        let same_views = signature(text(self.views_before)) == signature(text(self.views_after));
        Sight {
            dump: parse_dump(text(self.dump)),
            views: parse_hierarchy(text(self.views_after), package),
            is_steady: same_views && focus == windows.focus,
            activities: OpenActivities::parse(text(self.activities)),
            pids: parse_processes(text(self.processes), package),
            uptime: parse_uptime(text(self.uptime)),
            log: text(self.log).to_string(),
            windows,
        }
    }
}

/// Parses the first number of `/proc/uptime`: seconds with two decimals.
pub fn parse_uptime(text: &str) -> Option<u64> {
    let word = text.split_whitespace().next()?;
    let (whole, part) = word.split_once('.').unwrap_or((word, "0"));
    let part = format!("{part:0<2}");
    Some(whole.parse::<u64>().ok()?.checked_mul(100)? + part.get(..2)?.parse::<u64>().ok()?)
}
