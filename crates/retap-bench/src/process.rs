//! Memory and processor time of processes, read from /proc. Zero where the system does not say.

use std::fs;

/// Returns the resident memory in megabytes.
pub fn memory_mb(process: u32) -> u64 {
    status_mb(process, "VmRSS:")
}

/// Returns the peak of the resident memory in megabytes.
pub fn peak_mb(process: u32) -> u64 {
    status_mb(process, "VmHWM:")
}

fn status_mb(process: u32, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|found| found.strip_prefix(line));
    let kilobytes = found.and_then(|found| found.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0_u64) >> 10
}

/// Returns the processor time of all its threads in milliseconds. A busy machine does not change it much.
pub fn cpu_ms(process: u32) -> u64 {
    stat(process).iter().skip(USED).take(2).sum::<u64>() * TICK_MS
}

/// Returns the processor time of its children that have ended, in milliseconds.
pub fn children_cpu_ms(process: u32) -> u64 {
    stat(process).iter().skip(USED + 2).take(2).sum::<u64>() * TICK_MS
}

/// A thread's name, which the system may have cut short, and its processor time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadTime {
    pub name: String,
    pub cpu_ms: u64,
}

/// Returns the threads that the process has now.
pub fn threads(process: u32) -> Vec<ThreadTime> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let thread = |stat: String| {
        let (head, after) = stat.rsplit_once(')')?;
        let name = head.split_once('(')?.1.to_string();
        let used: u64 = fields(after).iter().skip(USED).take(2).sum();
        Some(ThreadTime { name, cpu_ms: used * TICK_MS })
    };
    entries
        .filter_map(|it| fs::read_to_string(it.path().join("stat")).ok())
        .filter_map(thread)
        .collect()
}

/// Linux tells programs that a clock tick has this length, on every machine.
const TICK_MS: u64 = 10;
/// Fields of /proc/PID/stat after the name: the parent, and the first of user and system time of the process and of its
/// ended children.
const PARENT: usize = 1;
const USED: usize = 11;

/// Returns the fields of /proc/PID/stat after the name. The first is a letter and reads as zero.
fn stat(process: u32) -> Vec<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name may hold anything and ends with the last bracket.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    fields(after)
}

fn fields(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|it| it.parse().unwrap_or(0)).collect()
}

/// Returns the processor time of this process and all its descendants, including ended ones.
pub fn family_cpu_ms() -> u64 {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let parent = id.and_then(|id| stat(id).get(PARENT).map(|parent| *parent as u32));
        parents.extend(id.zip(parent));
    }
    let mut family = vec![std::process::id()];
    let mut at = 0;
    while let Some(one) = family.get(at).copied() {
        family.extend(parents.iter().filter(|(_, parent)| *parent == one).map(|(id, _)| id));
        at += 1;
    }
    let used = |id: u32| stat(id).iter().skip(USED).take(4).sum::<u64>();
    family.into_iter().map(used).sum::<u64>() * TICK_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_there_is_none_with_number_zero() {
        let this = std::process::id();
        assert!(
            memory_mb(this) > 0 && peak_mb(this) >= memory_mb(this) || !cfg!(target_os = "linux")
        );
        assert_eq!((memory_mb(0), cpu_ms(0)), (0, 0));
        assert!(family_cpu_ms() >= cpu_ms(this));
    }

    #[test]
    fn a_thread_is_listed_by_its_name() {
        let ask = || threads(std::process::id());
        let started = std::thread::Builder::new().name("a (b) c".into()).spawn(ask).unwrap();
        let names: Vec<String> = started.join().unwrap().into_iter().map(|it| it.name).collect();
        assert!(names.contains(&"a (b) c".into()) || !cfg!(target_os = "linux"), "{names:?}");
    }

    #[test]
    fn work_takes_time_of_the_processor() {
        let this = std::process::id();
        let before = cpu_ms(this);
        let begin = std::time::Instant::now();
        while cfg!(target_os = "linux") && cpu_ms(this) < before + 30 {
            assert!(begin.elapsed().as_secs() < 60, "no time passes");
        }
    }
}
