//! Crashes of native code in the log: what debuggerd prints between rows of stars.

use super::crash::is_process_of;
use super::logcat::LogcatLine;
use retap_model::Crash;

const TAG: &str = "DEBUG";

/// Libraries that are Android's own: their frames differ between phones.
const SYSTEM: [&str; 7] =
    ["/system/", "/system_ext/", "/apex/", "/vendor/", "/product/", "[vdso", "/data/dalvik-cache/"];

/// Returns the first native crash of a package in these lines, as a stack in Java's form: the signal is the exception.
pub fn find_native_crash(lines: &[LogcatLine<'_>], package: &str) -> Option<Crash> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in lines.iter().filter(|line| line.tag == TAG) {
        if line.message.starts_with("*** ***") {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(line.message);
        }
    }
    blocks.iter().find_map(|block| crash(block, package))
}

fn crash(block: &[&str], package: &str) -> Option<Crash> {
    let head = block.iter().find(|line| line.starts_with("pid: "))?;
    let process = head.split_once(">>> ")?.1.split(" <<<").next()?;
    if !is_process_of(process, package) {
        return None;
    }
    let thread = head.split_once("name: ").map_or("", |(_, rest)| rest);
    let thread = thread.split(" >>>").next().unwrap_or(thread).trim();
    let signal = block.iter().find(|line| line.starts_with("signal "));
    let name = signal.and_then(|line| line.split_once('(')?.1.split(')').next());
    let mut stack =
        format!("{}: {}\n", name.unwrap_or("SIGABRT"), signal.copied().unwrap_or("native crash"));
    if let Some(message) = block.iter().find(|line| line.starts_with("Abort message")) {
        stack.push_str(&format!("{message}\n"));
    }
    let frames = block.iter().filter_map(|line| frame(line.trim_start(), package));
    frames.for_each(|frame| stack.push_str(&frame));
    Some(Crash::new(thread, stack))
}

/// Turns `#01 pc 00000f30  /data/app/a.b-1/lib/arm64/libx.so (Java_a_b_boom+20)` into a frame without addresses.
fn frame(line: &str, package: &str) -> Option<String> {
    let rest = line.strip_prefix('#')?.split_once(" pc ")?.1;
    let mut words = rest.split_whitespace();
    words.next()?;
    let path = words.next()?;
    let library = path.rsplit('/').next().unwrap_or(path);
    let function = rest.split_once('(').map_or("unknown", |(_, rest)| {
        let end = rest.rfind('+').or_else(|| rest.rfind(')')).unwrap_or(rest.len());
        &rest[..end]
    });
    let owner =
        if SYSTEM.iter().any(|it| path.starts_with(it)) { "android.native" } else { package };
    let function = function.replace(['(', ')', ' '], "_");
    Some(format!("\tat {owner}.{library}.{function}({library})\n"))
}
