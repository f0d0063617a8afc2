//! The lines that people read: one for each test, then the failures with their stacks, then the total.

use super::summary::TestSummary;
use crate::console::Paint;
use retap_engine::test::TestRun;
use retap_test::{TestEnd, TestResult};
use std::fmt::Write;
use std::path::Path;

/// The width of the word that says how a test ended.
const WORD_WIDTH: usize = 8;

/// The lines of a stack that are shown; the whole one is in the run's directory.
const MOST_FRAMES: usize = 25;

pub fn render_result(result: &TestResult, paint: Paint) -> String {
    let Some(attempt) = result.deciding() else { return String::new() };
    let flakiness = result.flakiness();
    let word = if result.is_flaky() { "FLAKY" } else { attempt.end.word() };
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
        let _ = write!(line, ": fails in {} worlds", flakiness.failures);
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
        let stack = own_frames(&attempt.end);
        for line in stack.lines().take(MOST_FRAMES) {
            let _ = writeln!(text, "    {}", line.replace('\t', "  "));
        }
        if stack.lines().count() > MOST_FRAMES {
            let _ = writeln!(text, "    …");
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

pub fn render_total(summary: &TestSummary, directory: &Path, paint: Paint) -> String {
    let TestSummary { tests, passed, failed, flaky, ignored, skipped, restarts, .. } = summary;
    let mut text = format!("\n{tests} tests: {passed} passed, {failed} failed");
    for (count, word) in [(flaky, "flaky"), (ignored, "ignored"), (skipped, "skipped")] {
        if *count > 0 {
            let _ = write!(text, ", {count} {word}");
        }
    }
    let _ = write!(text, "; {restarts} restarts");
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
}
