//! Runs the jobs of the backward pass. The caller decides on which threads, because this crate has none.

/// Runs independent jobs, in parallel if it has several threads.
///
/// ```
/// use retap_minimize::JobRunner;
///
/// struct Threads(usize);
///
/// impl JobRunner for Threads {
///     fn threads(&self) -> usize {
///         self.0
///     }
///
///     fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
///         std::thread::scope(|scope| {
///             for thread in 0..self.0 {
///                 scope.spawn(move || (thread..count).step_by(self.0).for_each(job));
///             }
///         });
///     }
/// }
/// ```
pub trait JobRunner {
    /// Returns the number of jobs that can run at the same time.
    fn threads(&self) -> usize;

    /// Calls `job` once for each number below `count`, in any order, and returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// Runs one job after the other.
#[derive(Debug, Clone, Copy)]
pub struct SingleThread;

impl JobRunner for SingleThread {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}
