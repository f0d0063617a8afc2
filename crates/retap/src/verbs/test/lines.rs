//! The lines that people read: one for each test, then the failures with their stacks, then the total.

use super::summary::TestSummary;
use crate::console::Paint;
use retap_engine::test::{TestPlan, TestRun, TestTarget};
use retap_test::{TestEnd, TestResult};
use std::fmt::Write;
use std::path::Path;

/// The width of the word that says how a test ended.
const WORD_WIDTH: usize = 8;

/// The lines of a stack that are shown; the whole one is in the run's directory.
const MOST_FRAMES: usize = 25;

/// The lines of a message that are shown. Espresso's messages list every view of the screen.
const MOST_MESSAGE_LINES: usize = 3;

/// The characters of a line that are shown.
const MOST_CHARACTERS: usize = 200;

pub fn render_result(result: &TestResult, paint: Paint) -> String {
    let Some(attempt) = result.deciding() else { return String::new() };
    let flakiness = result.flakiness();
    let word = result.word();
    let sign = match word {
        "PASS" => "+",
        "IGNORED" | "SKIP" | "FLAKY" => "~",
        _ => "-",
    };
    let word = paint.sign_as(sign, &format!("{word:>WORD_WIDTH$}"));
    let seconds = attempt.elapsed_ms as f64 / 1000.0;
    let mut line = format!(
        "{word} [{seconds:>9.3}s] {} {}",
        paint.dim(&result.test.class),
        paint.bold(&result.test.method)
    );
    if result.is_of_worlds && flakiness.failing_seed.is_some() {
        let _ = write!(line, ": fails in {} runs", flakiness.failures);
    }
    if let Some(seed) = flakiness.failing_seed.filter(|_| result.is_flaky()) {
        let _ = write!(line, ", --world-seed {seed} fails");
    }
    line
}

pub fn render_failures(tested: &TestRun, directory: &Path, paint: Paint) -> String {
    let mut text = String::new();
    for result in &tested.results {
        let failed = result.attempts.iter().find(|attempt| attempt.end.is_failure());
        let Some(attempt) = failed.filter(|_| result.is_failure()) else { continue };
        let _ = writeln!(text, "\n{} {}", paint.sign_as("-", attempt.end.word()), result.test);
        let stack = shorten_messages(&own_frames(&attempt.end));
        for line in stack.lines().take(MOST_FRAMES) {
            let _ = writeln!(text, "    {}", line.replace('\t', "  "));
        }
        if stack.lines().count() > MOST_FRAMES {
            let _ = writeln!(text, "    …");
        }
        if let Some(parting) = &result.parting {
            for sentence in parting.sentences() {
                let _ = writeln!(text, "    {sentence}");
            }
        }
        for limitation in &attempt.host_limitations {
            let _ = writeln!(text, "    the device lacks: {limitation}");
        }
        if let Some(folder) = tested.evidence.get(&result.test) {
            let shown = folder.strip_prefix(directory).unwrap_or(folder);
            let _ =
                writeln!(text, "    {}", paint.dim(&directory.join(shown).display().to_string()));
        }
    }
    text
}

/// Returns the stack without the frames of the runner and of reflection, which are the same for every test.
fn own_frames(end: &TestEnd) -> String {
    const RUNNER: [&str; 9] = [
        "at org.junit.",
        "at junit.framework.",
        "at androidx.test.internal.runner.",
        "at androidx.test.runner.",
        "at androidx.test.ext.junit.",
        "at java.lang.reflect.",
        "at android.app.Instrumentation$InstrumentationThread.",
        "at java.util.concurrent.FutureTask.",
        "... ",
    ];
    let is_own = |line: &&str| !RUNNER.iter().any(|frame| line.trim_start().starts_with(frame));
    let lines: Vec<&str> = end.explanation().lines().filter(is_own).collect();
    lines.join("\n")
}

/// Returns the stack with the first lines of each message only, and long lines cut.
fn shorten_messages(stack: &str) -> String {
    let mut lines = Vec::new();
    let mut message_lines = 0;
    for line in stack.lines() {
        let is_frame = line.trim_start().starts_with("at ");
        let begins_message = line.starts_with("Caused by: ") || line.starts_with("Suppressed: ");
        message_lines = match (is_frame, begins_message) {
            (true, _) => 0,
            (_, true) => 1,
            _ => message_lines + 1,
        };
        match message_lines {
            0..=MOST_MESSAGE_LINES => lines.push(cut(line)),
            n if n == MOST_MESSAGE_LINES + 1 => lines.push("…".into()),
            _ => {}
        }
    }
    lines.join("\n")
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into(),
    }
}

/// Says how many tests there are, before the first one runs.
pub fn render_start(plan: &TestPlan, target: &TestTarget, paint: Paint) -> String {
    let word = paint.bold(&format!("{:>WORD_WIDTH$}", "Starting"));
    let mut text = format!("{word} {} of {}", count(plan.tests.len(), "test"), target.package);
    if plan.left_out > 0 {
        let _ = write!(text, " ({} left out)", plan.left_out);
    }
    text
}

fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

pub fn render_total(summary: &TestSummary, directory: &Path, paint: Paint) -> String {
    let TestSummary { tests, passed, failed, .. } = summary;
    let mut text = format!("\n{}: {passed} passed, {failed} failed", count(*tests, "test"));
    let others = [
        (summary.flaky, "flaky"),
        (summary.ignored, "ignored"),
        (summary.skipped, "skipped"),
        (summary.stopped, "stopped"),
    ];
    for (number, word) in others {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
    }
    let _ = write!(text, "; {}", count(summary.restarts as usize, "restart"));
    if summary.not_run > 0 {
        let _ = write!(text, "; {} not run", summary.not_run);
    }
    if let Some(methods) = summary.coverage.get("method") {
        let _ = write!(text, "; {} of {} methods covered", methods.covered, methods.total);
    }
    let _ = write!(text, "\n{}", paint.dim(&format!("Everything is in {}", directory.display())));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_shown_without_the_frames_of_the_runner() {
        let stack = "java.lang.AssertionError: the sum expected:<5> but was:<4>\n\
                     \tat org.junit.Assert.fail(Assert.java:89)\n\
                     \tat a.SumTest.adds(SumTest.java:7)\n\
                     \tat java.lang.reflect.Method.invoke(Native Method)\n\
                     \tat org.junit.runners.ParentRunner.run(ParentRunner.java:413)\n";
        let shown = own_frames(&TestEnd::Failed(stack.into()));
        let expected = "java.lang.AssertionError: the sum expected:<5> but was:<4>\n\
                        \tat a.SumTest.adds(SumTest.java:7)";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_long_message_is_cut_and_its_cause_is_not() {
        let wide = "x".repeat(300);
        let stack = format!(
            "a.NoView: none\nhint\n{wide}\n+>DecorView\n+->List\n\tat a.B.c(B.java:1)\nCaused by: a.D: e"
        );
        let cut = format!("{}…", "x".repeat(MOST_CHARACTERS));
        let expected =
            format!("a.NoView: none\nhint\n{cut}\n…\n\tat a.B.c(B.java:1)\nCaused by: a.D: e");
        assert_eq!(shorten_messages(&stack), expected);
    }
}
