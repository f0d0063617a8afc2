//! A fleet as a queue: workers that sleep, one server and one coordinator that handle tasks one after the other, and the
//! coordinator's network. The costs are those that were measured here. No clock and no chance take part.

use super::{FleetBench, MeasuredFleet};
use crate::table::median;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Tasks of each worker in a simulated campaign.
const TASKS_EACH: usize = 20;
/// A gigabit a second, in bytes.
const NETWORK: f64 = 125_000_000.0;
/// A simulated second has this many ticks.
const TICKS: f64 = 1e9;

/// What one task costs, in seconds.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TaskCosts {
    /// On its worker: its events.
    pub device: f64,
    /// On its worker beside them, while nothing else waits.
    pub overhead: f64,
    pub server: f64,
    pub coordinator: f64,
    /// Bytes over the server's network, in both directions.
    pub bytes: f64,
    pub events: f64,
}

/// A number of workers, simulated.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SimulatedFleet {
    pub workers: usize,
    pub efficiency: f64,
    pub events_per_second: f64,
    /// The shares of the time in which each was busy.
    pub server: f64,
    pub coordinator: f64,
    pub network: f64,
}

impl SimulatedFleet {
    /// Returns what saturates first: whatever is busiest.
    pub fn busiest(&self) -> &'static str {
        let parts =
            [(self.server, "server"), (self.coordinator, "coordinator"), (self.network, "network")];
        let busiest = parts.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a });
        busiest.map_or("", |(_, name)| name)
    }
}

impl TaskCosts {
    /// Takes the costs from the measurements.
    pub fn of(measured: &[MeasuredFleet], bench: &FleetBench) -> Self {
        let of = |value: fn(&MeasuredFleet) -> f64| median(measured.iter().map(value));
        let device = bench.delay.as_secs_f64() * bench.task_events as f64;
        // With the fewest workers nothing waits for anything: what is lost there is the overhead of a task.
        let fewest = measured.iter().min_by_key(|one| one.workers);
        let alone = fewest.map_or(1.0, |one| one.devices_busy);
        Self {
            device,
            overhead: (device / alone - device).max(0.0),
            server: of(|one| one.server_ms) / 1000.0,
            coordinator: of(|one| one.coordinator_ms) / 1000.0,
            bytes: of(|one| one.bytes_per_task),
            events: bench.task_events as f64,
        }
    }
}

/// A resource that handles one thing after the other.
#[derive(Default)]
struct Queue {
    free_at: u64,
    busy: u64,
}

impl Queue {
    /// Returns when something that arrives now and takes this long is done.
    fn serve(&mut self, now: u64, takes: u64) -> u64 {
        self.free_at = self.free_at.max(now) + takes;
        self.busy += takes;
        self.free_at
    }
}

/// Simulates a campaign in which every worker has the same number of tasks to do.
pub fn simulate(workers: usize, costs: TaskCosts) -> SimulatedFleet {
    let ticks = |seconds: f64| (seconds * TICKS) as u64;
    let network_time = costs.bytes / NETWORK;
    let (mut server, mut coordinator, mut network) =
        (Queue::default(), Queue::default(), Queue::default());
    let tasks = workers * TASKS_EACH;
    // The workers in the order in which they end their tasks.
    let mut ends: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let (mut begun, mut end) = (0, 0);
    // Half of a coordinator's work is offering a task, half is reading its result; the same holds for the server.
    let begin = |now: u64, server: &mut Queue, coordinator: &mut Queue, network: &mut Queue| {
        let offered = coordinator.serve(0, ticks(costs.coordinator / 2.0)).max(now);
        let sent = network.serve(offered, ticks(network_time / 2.0));
        server.serve(sent, ticks(costs.server / 2.0)) + ticks(costs.device + costs.overhead)
    };
    while begun < workers.min(tasks) {
        ends.push(Reverse(begin(0, &mut server, &mut coordinator, &mut network)));
        begun += 1;
    }
    while let Some(Reverse(now)) = ends.pop() {
        let stored = server.serve(now, ticks(costs.server / 2.0));
        let heard = network.serve(stored, ticks(network_time / 2.0));
        end = end.max(coordinator.serve(heard, ticks(costs.coordinator / 2.0)));
        if begun < tasks {
            ends.push(Reverse(begin(stored, &mut server, &mut coordinator, &mut network)));
            begun += 1;
        }
    }
    let seconds = end as f64 / TICKS;
    let share = |queue: &Queue| queue.busy as f64 / end as f64;
    SimulatedFleet {
        workers,
        efficiency: costs.device * TASKS_EACH as f64 / seconds,
        events_per_second: costs.events * tasks as f64 / seconds,
        server: share(&server),
        coordinator: share(&coordinator),
        network: share(&network),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: TaskCosts = TaskCosts {
        device: 1.0,
        overhead: 0.0,
        server: 0.001,
        coordinator: 0.0001,
        bytes: 1000.0,
        events: 50.0,
    };

    #[test]
    fn few_workers_lose_little_and_many_wait_for_the_server() {
        assert!(simulate(1, COSTS).efficiency > 0.99);
        let many = simulate(10_000, COSTS);
        // The server handles a thousand tasks a second, however many workers there are.
        assert!((900.0..1000.0).contains(&(many.events_per_second / 50.0)), "{many:?}");
        // It has nothing to do while the first and the last tasks run.
        assert!(many.server > 0.9 && many.busiest() == "server", "{many:?}");
    }

    #[test]
    fn the_slowest_part_is_the_busiest() {
        let slow_network = TaskCosts { bytes: 1e7, ..COSTS };
        assert_eq!(simulate(1000, slow_network).busiest(), "network");
        let slow_coordinator = TaskCosts { coordinator: 0.01, ..COSTS };
        assert_eq!(simulate(1000, slow_coordinator).busiest(), "coordinator");
    }
}
