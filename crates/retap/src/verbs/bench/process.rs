//! What the system tells about a process: memory and time of the processor. Zero where it does not tell.

use std::fs;

/// Resident now, in megabytes.
pub fn memory_mb(process: u32) -> u64 {
    status_mb(process, "VmRSS:")
}

/// The most that was ever resident.
pub fn peak_mb(process: u32) -> u64 {
    status_mb(process, "VmHWM:")
}

fn status_mb(process: u32, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|found| found.strip_prefix(line));
    let kilobytes = found.and_then(|found| found.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0_u64) >> 10
}

/// Milliseconds of processor time that all its threads have used: what a busy machine does not change.
pub fn cpu_ms(process: u32) -> u64 {
    /// A clock tick is what Linux tells programs that it is, on every machine.
    const TICK_MS: u64 = 10;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, which may hold anything, ends with the last bracket; user and system time are the
    // twelfth and thirteenth number after it.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok());
    ticks.sum::<u64>() * TICK_MS
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
