use super::*;
use crate::profile::phase_clock::UsedTime;

const MS: u64 = 1_000_000;

fn span(phase: Phase, begin_ms: u64, end_ms: u64, used: UsedTime) -> PhaseSpan {
    PhaseSpan { phase, begin_ns: begin_ms * MS, end_ns: end_ms * MS, used }
}

fn work(work_ms: u64) -> UsedTime {
    UsedTime { work_ms, ..UsedTime::default() }
}

/// Frames: 0 interpreted, 1 compiled, 2 native, 3 an initialiser.
fn samples(lines: &str) -> Samples {
    let frames = "frame\tinterpreted\ta.App.open\nframe\tcompiled\tandroid.view.View.layout\n\
        frame\tnative\tsun.nio.Files.read\nframe\tinterpreted\ta.App.<clinit>\n";
    Samples::parse(&format!("{frames}{lines}")).unwrap()
}

fn sample(at_ms: u64, stack: &str) -> String {
    format!("sample\t{}\t1\t{stack}\n", at_ms * MS)
}

#[track_caller]
fn assert_adds_up(times: &PhaseTimes) {
    let parts = times.compile_ms
        + times.collect_ms
        + times.load_ms
        + times.interpreted_ms
        + times.compiled_ms
        + times.native_ms;
    assert!((parts - times.cpu_ms).abs() < 1e-6, "{parts} of {times:?}");
}

#[test]
fn the_rest_of_a_phase_divides_among_its_samples() {
    let used = UsedTime { compile_ms: 30, collect_ms: 10, record_ms: 5, work_ms: 80 };
    let spans = [span(Phase::Start, 0, 100, used), span(Phase::Event, 100, 120, work(20))];
    let text = [
        sample(10, "0"),
        sample(20, "0 1"),
        sample(30, "0 1 2"),
        sample(40, "3 1"),
        sample(110, "0"),
    ];
    let (phases, stacks) = attribute(&spans, &samples(&text.concat()));
    let [event, restart, start] = phases[..] else { panic!("{phases:?}") };
    assert_eq!((start.cpu_ms, start.compile_ms, start.collect_ms), (120.0, 30.0, 10.0));
    let parts = (start.interpreted_ms, start.compiled_ms, start.native_ms, start.load_ms);
    assert_eq!(parts, (20.0, 20.0, 20.0, 20.0), "an initialiser belongs to loading");
    assert_eq!((start.waiting_ms, start.record_ms, start.samples), (10.0, 5.0, 4));
    assert_eq!((event.count, event.interpreted_ms, event.waiting_ms), (1, 20.0, 0.0));
    assert_eq!((restart.count, restart.cpu_ms), (0, 0.0));
    phases.iter().for_each(assert_adds_up);
    let whole: f64 = stacks.iter().map(|(_, micros)| micros).sum();
    assert!((whole - 140_000.0).abs() < 1e-6, "the stacks have all the processor time: {whole}");
}

#[test]
fn loads_within_loads_count_once_and_their_samples_apart() {
    let spans = [span(Phase::Event, 0, 100, work(100))];
    let loads = format!("load\t{}\t{}\t1\nload\t{}\t{}\t1\n", 10 * MS, 40 * MS, 20 * MS, 30 * MS);
    let text = loads + &sample(25, "0") + &sample(60, "1") + &sample(70, "1");
    let (phases, stacks) = attribute(&spans, &samples(&text));
    assert_eq!(
        (phases[0].load_ms, phases[0].compiled_ms, phases[0].interpreted_ms),
        (30.0, 70.0, 0.0)
    );
    let lines = stacks.to_text();
    assert_eq!(lines, "event;a.App.open_[0] 30000\nevent;android.view.View.layout 70000\n");
}

#[test]
fn on_a_busy_machine_a_load_counts_for_what_it_takes_of_the_processor() {
    let spans = [span(Phase::Event, 0, 100, work(50))];
    let text = format!("load\t{}\t{}\t1\n", 10 * MS, 50 * MS) + &sample(90, "1");
    let (phases, _) = attribute(&spans, &samples(&text));
    assert_eq!(
        (phases[0].load_ms, phases[0].compiled_ms, phases[0].waiting_ms),
        (20.0, 30.0, 50.0)
    );
}

#[test]
fn a_thread_that_waits_for_a_request_takes_no_time() {
    let spans = [span(Phase::Event, 0, 100, work(50))];
    let text = "frame\tnative\tsun.nio.ch.SocketDispatcher.read0\n".to_string();
    let (phases, _) = attribute(&spans, &samples(&(text + &sample(10, "0 4") + &sample(20, "1"))));
    assert_eq!((phases[0].native_ms, phases[0].compiled_ms, phases[0].samples), (0.0, 50.0, 1));
}

#[test]
fn a_phase_without_samples_keeps_its_time_and_a_gap_belongs_to_what_follows() {
    let spans = [span(Phase::Restart, 0, 10, work(10)), span(Phase::Event, 20, 30, work(10))];
    let (phases, stacks) = attribute(&spans, &samples(&sample(15, "1")));
    assert_eq!((phases[0].compiled_ms, phases[0].samples), (10.0, 1));
    assert_eq!((phases[1].interpreted_ms, phases[1].samples), (10.0, 0));
    assert!(stacks.to_text().contains("restart;(not_sampled) 10000"));
    let (phases, _) = attribute(&spans, &samples(&sample(99, "1")));
    assert_eq!(phases[0].samples + phases[1].samples, 0, "after the last phase");
}
