//! How long retap waits for a reply. The agent's own processor time decides, because on a busy machine
//! seconds say nothing: an agent that works may take long, one that stands still is given up.

use std::io;
use std::time::{Duration, Instant};

/// An agent that used less processor time than [`STANDSTILL_CPU`] in this time waits for something that does
/// not come. One that works, or watches a step, uses more even on a busy machine.
pub const STANDSTILL: Duration = Duration::from_secs(120);
const STANDSTILL_CPU: Duration = Duration::from_millis(100);

/// The longest wait whatever the agent does, for systems that do not tell processor times.
const MAX_WAIT: Duration = Duration::from_secs(3600);

/// The wait for one reply.
#[derive(Debug)]
pub struct Patience {
    process: u32,
    max_cpu: Duration,
    standstill: Duration,
    began: Instant,
    cpu_at_begin: Duration,
    /// The moment since which the agent stands still, and its processor time then.
    still_since: Instant,
    still_cpu: Duration,
}

impl Patience {
    /// Begins a wait that ends when the process has used this much processor time, or stood still for
    /// this time.
    #[expect(clippy::disallowed_methods, reason = "an agent that hangs must not hang retap")]
    pub fn begin(process: u32, max_cpu: Duration, standstill: Duration) -> Self {
        let (now, cpu) = (Instant::now(), cpu_time(process).unwrap_or_default());
        Self {
            process,
            max_cpu,
            standstill,
            began: now,
            cpu_at_begin: cpu,
            still_since: now,
            still_cpu: cpu,
        }
    }

    /// Returns an error in words if there is nothing left to wait for.
    #[expect(clippy::disallowed_methods, reason = "an agent that hangs must not hang retap")]
    pub fn check(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let waited = now - self.began;
        let Some(used) = cpu_time(self.process) else {
            return if waited > self.max_cpu { Err(too_long(waited)) } else { Ok(()) };
        };
        if used.saturating_sub(self.still_cpu) > STANDSTILL_CPU || is_stopped(self.process) {
            (self.still_since, self.still_cpu) = (now, used);
        }
        let cpu = used.saturating_sub(self.cpu_at_begin);
        if cpu > self.max_cpu {
            let seconds = cpu.as_secs();
            return Err(timed_out(format!("did not answer in {seconds} s of processor time")));
        }
        if now - self.still_since > self.standstill {
            return Err(timed_out("stands still and does not answer".into()));
        }
        if waited > MAX_WAIT { Err(too_long(waited)) } else { Ok(()) }
    }
}

fn too_long(waited: Duration) -> io::Error {
    timed_out(format!("did not answer within {} s", waited.as_secs()))
}

fn timed_out(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}

/// Returns the processor time that a process has used, where the system tells it.
fn cpu_time(process: u32) -> Option<Duration> {
    let fields = stat_fields(process)?;
    // The times of the process in user and kernel mode, in ticks; there are 100 in a second on every Linux.
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// Returns true for a process that somebody has stopped and may continue.
fn is_stopped(process: u32) -> bool {
    stat_fields(process).is_some_and(|fields| matches!(fields[0].as_str(), "T" | "t"))
}

/// Returns the fields of `/proc/PID/stat` after the name, which may hold anything.
fn stat_fields(process: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_works_is_waited_for_until_its_processor_time_is_used_up() {
        let mut patience =
            Patience::begin(std::process::id(), Duration::from_millis(50), STANDSTILL);
        assert!(patience.check().is_ok());
        let mut sum = 0_u64;
        let error = loop {
            sum = (0..1_000_000_u64).fold(sum, |sum, n| sum.wrapping_mul(31).wrapping_add(n));
            if let Err(error) = patience.check() {
                break error;
            }
        };
        assert!(error.to_string().contains("did not answer"), "{error} {sum}");
    }

    #[test]
    fn a_process_that_is_gone_is_not_waited_for_by_its_processor_time() {
        // No process has this id.
        assert!(Patience::begin(u32::MAX, Duration::ZERO, STANDSTILL).check().is_err());
    }
}
