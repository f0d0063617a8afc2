//! Crashes in the log: `FATAL EXCEPTION` blocks of Java, of the app's own process.

use super::logcat::LogcatLine;
use retap_model::Crash;

const TAG: &str = "AndroidRuntime";
const BEGIN: &str = "FATAL EXCEPTION: ";

/// Returns the first crash of a package in these lines. `pids` are its processes as far as they are known: before Android 4.4,
/// and where a line was lost, the block does not name its process.
pub fn find_crash(lines: &[LogcatLine<'_>], package: &str, pids: &[u32]) -> Option<Crash> {
    let begins = |line: &LogcatLine<'_>| line.tag == TAG && line.message.starts_with(BEGIN);
    let starts = lines.iter().enumerate().filter(|(_, line)| begins(line));
    starts.map(|(at, _)| block(&lines[at..])).find(|block| block.is_of(package, pids)).map(
        |block| {
            let mut crash = Crash::new(block.thread, block.stack.join("\n"));
            crash.doubts = doubts(lines, block.pid);
            crash
        },
    )
}

struct CrashBlock<'a> {
    thread: &'a str,
    pid: u32,
    process: Option<&'a str>,
    stack: Vec<&'a str>,
}

/// Collects the lines of one thread's crash; other processes may log between them.
fn block<'a>(lines: &[LogcatLine<'a>]) -> CrashBlock<'a> {
    let first = &lines[0];
    let thread = first.message.strip_prefix(BEGIN).unwrap_or_default();
    let mut block = CrashBlock { thread, pid: first.pid, process: None, stack: Vec::new() };
    let own =
        |line: &&LogcatLine<'a>| line.tag == TAG && line.pid == first.pid && line.tid == first.tid;
    for line in lines[1..].iter().filter(own) {
        match line.message.strip_prefix("Process: ") {
            _ if line.message.starts_with(BEGIN) => break,
            Some(rest) if block.stack.is_empty() => {
                block.process = Some(rest.split(',').next().unwrap_or(rest).trim());
            }
            // A lone process id follows on some versions.
            None if block.stack.is_empty() && line.message.starts_with("PID: ") => {}
            _ => block.stack.push(line.message),
        }
    }
    block
}

impl CrashBlock<'_> {
    fn is_of(&self, package: &str, pids: &[u32]) -> bool {
        match self.process {
            Some(process) => is_process_of(process, package),
            None => pids.contains(&self.pid),
        }
    }
}

/// An app's further processes are named `package:name`.
pub fn is_process_of(process: &str, package: &str) -> bool {
    let rest = process.strip_prefix(package);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// The phone of `retap serve --adb` says before a crash why it may not be the app's own.
fn doubts(lines: &[LogcatLine<'_>], pid: u32) -> Vec<String> {
    let said = lines.iter().filter(|line| line.tag == "retap" && line.pid == pid);
    said.filter_map(|line| line.message.strip_prefix("doubt: ")).map(str::to_string).collect()
}
