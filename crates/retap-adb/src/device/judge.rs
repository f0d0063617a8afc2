//! Judges how an event ended: from the log, the focus and the open activities, in this order.

use super::sight::Sight;
use crate::parse::anr::find_anr;
use crate::parse::crash::{find_crash, is_process_of};
use crate::parse::logcat::LogcatLine;
use crate::parse::native_crash::find_native_crash;
use crate::parse::windows::SystemDialog;
use retap_model::{Crash, Outcome, Screen};
use std::sync::Arc;

/// Apps whose windows ask about the app behind them, such as for a permission.
const ASKING: [&str; 6] = [
    "android",
    "com.android.systemui",
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
];

/// Returns how the event ended. `lines` are those of the log since it began.
pub fn judge(
    sight: &Sight,
    screen: &Screen,
    lines: &[LogcatLine<'_>],
    package: &str,
    pids: &[u32],
) -> Outcome {
    let crash = find_crash(lines, package, pids).or_else(|| find_native_crash(lines, package));
    if let Some(crash) = crash {
        return Outcome::Crashed(Arc::new(crash));
    }
    if let Some(stack) = find_anr(lines, package) {
        return Outcome::NotResponding { stack };
    }
    match sight.windows.system_dialog() {
        Some(SystemDialog::Crashed { process }) if is_process_of(&process, package) => {
            let stack =
                format!("the log has no stack, and the phone shows that {process} has stopped");
            return Outcome::Crashed(Arc::new(Crash::new("unknown", stack)));
        }
        Some(SystemDialog::NotResponding { process }) if is_process_of(&process, package) => {
            let stack = format!("the phone shows that {process} does not respond\n");
            return Outcome::NotResponding { stack };
        }
        _ => {}
    }
    let front = front_package(sight, screen).unwrap_or_default();
    let is_open = sight.activities.has(package);
    match front {
        front if front == package => Outcome::Running,
        front if is_open && ASKING.contains(&front) => Outcome::Running,
        front if is_open => Outcome::Left { package: front.to_string() },
        _ => Outcome::Exited,
    }
}

/// Returns the app in front: the one whose window was dumped, or the one with the focus.
pub fn front_package<'a>(sight: &'a Sight, screen: &'a Screen) -> Option<&'a str> {
    let dumped = screen.windows.last().map(|window| window.package.as_str());
    dumped.filter(|package| !package.is_empty()).or_else(|| sight.windows.focused_package())
}

#[cfg(test)]
mod tests;
