//! A fleet as tables for people.

use crate::console::Paint;
use retap_fleet::{CampaignCounts, CampaignRecord, CampaignState, FleetStatus, WorkerRecord};
use std::fmt::Write;

pub fn render(status: &FleetStatus, paint: Paint) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_status(&mut text, status, paint);
    text
}

fn write_status(text: &mut String, status: &FleetStatus, paint: Paint) -> std::fmt::Result {
    let FleetStatus { waiting, held, results, result_bytes, events_per_second, .. } = status;
    let (workers, megabytes) = (status.workers.len(), *result_bytes as f64 / 1e6);
    writeln!(
        text,
        "{workers} workers, {events_per_second:.0} events/s; {waiting} tasks wait, {held} run; \
         {results} results ({megabytes:.1} MB)"
    )?;
    if !status.workers.is_empty() {
        let head = format!(
            "{:<32} {:>12} {:>8} {:>10} {:>9} {:>8}",
            "worker", "devices busy", "tasks", "events", "events/s", "refused"
        );
        writeln!(text, "\n{}", paint.bold(&head))?;
    }
    for worker in &status.workers {
        let WorkerRecord { name, devices, busy, tasks, events, events_per_second, refused, .. } =
            worker;
        let devices = format!("{busy} of {devices}");
        writeln!(
            text,
            "{name:<32} {devices:>12} {tasks:>8} {events:>10} {events_per_second:>9.0} {refused:>8}"
        )?;
    }
    if !status.campaigns.is_empty() {
        let head = format!(
            "{:<12} {:<9} {:<24} {:<8} {:>8} {:>8} {:>8} {:>10}",
            "campaign", "verb", "app", "state", "tasks", "found", "open", "events"
        );
        writeln!(text, "\n{}", paint.bold(&head))?;
    }
    for campaign in &status.campaigns {
        let CampaignRecord { id, verb, app, state, counts, .. } = campaign;
        let CampaignCounts { tasks, found, events, open } = counts;
        let state = state_word(*state);
        writeln!(
            text,
            "{id:<12} {verb:<9} {app:<24} {state:<8} {tasks:>8} {found:>8} {open:>8} {events:>10}"
        )?;
        for line in campaign.set_aside.iter().chain(&campaign.differences) {
            writeln!(text, "  {}", paint.bad(line))?;
        }
    }
    Ok(())
}

fn state_word(state: CampaignState) -> &'static str {
    match state {
        CampaignState::Running => "running",
        CampaignState::Paused => "paused",
        CampaignState::Ended => "ended",
    }
}

pub fn describe_state(record: &CampaignRecord) -> String {
    format!("campaign {} of {} is {}", record.id, record.app, state_word(record.state))
}
