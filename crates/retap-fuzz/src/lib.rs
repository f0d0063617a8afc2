//! Feeds a reader with damaged files: it may accept or refuse them, but never panics. Good files are damaged at random;
//! damaged ones that the reader accepts are damaged further, so that its depths are met too.
//!
//! Law: this crate knows no format, and only tests know this crate. Its inputs depend on nothing but the samples and
//! the number of the execution.

mod damage;
mod random;

use damage::damage;
use random::SplitMix;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of executions of a normal test.
const EXECUTIONS: u64 = 2_000;

/// The variable that asks for another number of executions.
const VARIABLE: &str = "RETAP_FUZZ";

/// The most damaged files that are kept to be damaged further.
const POOL: usize = 256;

/// The longest input. Longer ones find no more.
const MAX_LEN: usize = 32 << 10;

/// Runs `read` on damaged samples. It returns whether it accepts its input, which it does for every sample.
///
/// # Panics
/// Panics if the reader does. The input is then in `corpus/NAME` of the crate and is read first from then on.
pub fn fuzz(name: &str, samples: &[&[u8]], words: &[&str], read: impl Fn(&[u8]) -> bool) {
    let folder = corpus(name);
    for kept in kept_inputs(&folder) {
        read(&kept);
    }
    for sample in samples {
        assert!(read(sample), "{name}: a sample is refused: {}", sample.escape_ascii());
    }
    let mut pool: Vec<Vec<u8>> = samples.iter().map(|sample| sample.to_vec()).collect();
    let mut random = SplitMix::new(name);
    let mut statistics = Statistics::default();
    for _ in 0..executions() {
        let input = damage(&pool, words, &mut random, MAX_LEN);
        let accepted = statistics.measure(|| {
            let result = catch_unwind(AssertUnwindSafe(|| read(&input)));
            result.unwrap_or_else(|panic| {
                keep(&folder, &input);
                resume_unwind(panic)
            })
        });
        if accepted && random.below(8) == 0 {
            let place = samples.len() + random.below(POOL);
            match pool.get_mut(place) {
                Some(old) => *old = input,
                None => pool.push(input),
            }
        }
    }
    statistics.print(name);
}

/// Returns the folder of the inputs that once made a reader panic, in the crate whose test runs.
fn corpus(name: &str) -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    Path::new(&package).join("corpus").join(name)
}

fn kept_inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| fs::read(entry.path()).ok()).collect()
}

/// Writes an input to the corpus. If that fails, the panic still tells of it.
fn keep(folder: &Path, input: &[u8]) {
    let name = format!("{:016x}", SplitMix::new(&input.escape_ascii().to_string()).next());
    let _ = fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(name), input));
}

fn executions() -> u64 {
    std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok()).unwrap_or(EXECUTIONS)
}

/// What the executions of one reader cost and gave.
#[derive(Debug, Default)]
struct Statistics {
    executions: u64,
    accepted: u64,
    total: Duration,
    slowest: Duration,
}

impl Statistics {
    fn measure(&mut self, read: impl FnOnce() -> bool) -> bool {
        let start = Instant::now();
        let accepted = read();
        let time = start.elapsed();
        self.executions += 1;
        self.accepted += u64::from(accepted);
        self.total += time;
        self.slowest = self.slowest.max(time);
        accepted
    }

    #[expect(clippy::print_stderr, reason = "a long run tells what it did")]
    fn print(&self, name: &str) {
        let Self { executions, accepted, total, slowest } = self;
        let rate = *executions as f64 / total.as_secs_f64().max(1e-9);
        eprintln!(
            "{name}: {executions} executions, {accepted} accepted, {rate:.0} a second, the slowest {slowest:.1?}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    #[test]
    fn the_same_inputs_come_again_and_accepted_ones_are_damaged_further() {
        let inputs = || {
            let seen = RefCell::new(Vec::new());
            let longest = Cell::new(0);
            fuzz("self", &[b"one line\n", b"{\"number\":12}"], &["\"", "99"], |input| {
                seen.borrow_mut().push(input.to_vec());
                longest.set(longest.get().max(input.iter().filter(|byte| **byte == b'9').count()));
                true
            });
            (seen.into_inner(), longest.get())
        };
        let (first, deepest) = inputs();
        assert_eq!(first, inputs().0);
        assert!(deepest > 20, "only {deepest} in a row");
        assert!(first.iter().all(|input| input.len() <= MAX_LEN));
    }
}
