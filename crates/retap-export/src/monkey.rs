//! A script of Android's Monkey. It knows places only, and launches the activity that the trace's app begins with.

use crate::language::{LeftOut, Script};
use crate::trace::ExportedTrace;
use retap_model::format::monkey::{self, ActivityName};

pub fn write(trace: &ExportedTrace<'_>) -> Script {
    let launch = trace.entry.map(|class| ActivityName {
        package: trace.package().to_string(),
        class: class.to_string(),
    });
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let remarks = monkey::write(&mut text, launch.as_ref(), trace.events()).unwrap_or_default();
    let left_out = remarks.left_out.into_iter();
    let mut less_exact: Vec<String> =
        remarks.less_exact.iter().map(|remark| format!("event {remark}")).collect();
    if launch.is_none() {
        less_exact.push(
            "the script launches no activity, because the app's file was not found: name it with --activity".into(),
        );
    }
    Script {
        text: String::from_utf8_lossy(&text).into_owned(),
        left_out: left_out
            .map(|remark| LeftOut { number: remark.number, reason: remark.text })
            .collect(),
        steps: trace.trace.steps.len(),
        remarks: less_exact,
    }
}
