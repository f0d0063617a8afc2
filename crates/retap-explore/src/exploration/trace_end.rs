//! The end of a trace: after which results only a clean install can follow.

use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Event, Trace};

/// A trace is given up after this many launches in a row that ended at once: the app has stored something that it
/// does not survive.
const MAX_FRUITLESS_LAUNCHES: usize = 2;

/// Returns true if only a restart or a return can follow this result.
pub fn ends_trace(result: &StepResult) -> bool {
    result.outcome.is_final() || is_host_limitation(result)
}

/// Returns true if a host limitation ended the app, or the event lost the device. What the app would do next on a
/// phone is not known.
pub fn is_host_limitation(result: &StepResult) -> bool {
    match result.outcome {
        RecordedOutcome::DeviceLost => true,
        RecordedOutcome::Exited => !result.host_limitations.is_empty(),
        _ => false,
    }
}

/// Returns true if only a restart or a return can follow the trace. That is so after its last result, or because every
/// launch exits again.
pub fn is_over(trace: &Trace) -> bool {
    let fruitless = trace.steps.iter().rev().take_while(|step| {
        step.event == Event::Launch && step.result.outcome == RecordedOutcome::Exited
    });
    ends_trace(trace.last()) || fruitless.count() >= MAX_FRUITLESS_LAUNCHES
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Key, Step};

    fn trace(steps: &[(Event, RecordedOutcome)]) -> Trace {
        let step = |(event, outcome): &(Event, RecordedOutcome)| Step {
            event: event.clone(),
            result: StepResult { outcome: outcome.clone(), ..StepResult::default() },
        };
        let steps = steps.iter().map(step).collect();
        Trace { world_seed: 0, start: StepResult::default(), steps }
    }

    #[test]
    fn a_trace_is_over_when_launches_exit_again_and_again() {
        let exit = (Event::Key(Key::back()), RecordedOutcome::Exited);
        let failed_launch = (Event::Launch, RecordedOutcome::Exited);
        let launch = (Event::Launch, RecordedOutcome::Running);
        assert!(!is_over(&trace(std::slice::from_ref(&exit))));
        assert!(!is_over(&trace(&[exit.clone(), failed_launch.clone()])));
        assert!(is_over(&trace(&[exit.clone(), failed_launch.clone(), failed_launch.clone()])));
        assert!(!is_over(&trace(&[failed_launch.clone(), launch, exit, failed_launch])));
    }

    #[test]
    fn a_host_limitation_ends_a_trace_only_with_the_app() {
        let mut result = StepResult { host_limitations: vec!["x".into()], ..StepResult::default() };
        assert!(!ends_trace(&result));
        result.outcome = RecordedOutcome::Exited;
        assert!(ends_trace(&result));
    }
}
