//! Round trips, and every way a file can be wrong.

use super::*;
use crate::event::{Key, Target};
use crate::geometry::Point;
use crate::observation::RecordedOutcome;
use crate::{CrashId, ScreenId, StateId};
use proptest::prelude::*;

fn header() -> Header {
    Header {
        retap: Header::KIND.into(),
        version: VERSION,
        app: AppIdentity { package: "com.app".into(), version: "1".into(), sha256: "00".into() },
        device: "fake".into(),
        api: None,
        display: Display::default(),
        outside: vec!["none".into()],
        world_seed: 7,
        abstraction: Abstraction::Layout,
    }
}

fn sample() -> Vec<u8> {
    let mut out = Vec::new();
    write_header(&mut out, &header()).unwrap();
    let result = StepResult { state: Some(StateId(1)), elapsed_ms: 5, ..StepResult::default() };
    let crashed = StepResult {
        state: Some(StateId(2)),
        screen: Some(ScreenId(3)),
        outcome: RecordedOutcome::Crashed { id: CrashId(4), exception: "E".into() },
        ..StepResult::default()
    };
    let tap = Event::Tap(Target::point(Point::new(1, 2)));
    write_start(&mut out, 7, &result).unwrap();
    write_step(&mut out, &tap, &crashed).unwrap();
    write_start(&mut out, 8, &result).unwrap();
    write_step(&mut out, &Event::Key(Key::back()), &result).unwrap();
    write_step(&mut out, &Event::Launch, &result).unwrap();
    out
}

#[test]
fn a_trace_file_looks_like_this() {
    insta::assert_snapshot!(String::from_utf8(sample()).unwrap(), @r#"
    {"retap":"trace","version":1,"app":{"package":"com.app","version":"1","sha256":"00"},"device":"fake","display":"1080x1920@480","outside":["none"],"world_seed":7,"abstraction":"layout"}
    {"start":7,"state":"0000000000000001","ms":5}
    {"event":{"tap":{"at":[1,2]}},"state":"0000000000000002","screen":"00000000000000000000000000000003","outcome":{"crashed":{"id":"0000000000000004","exception":"E"}}}
    {"start":8,"state":"0000000000000001","ms":5}
    {"event":{"key":"back"},"state":"0000000000000001","ms":5}
    {"event":"launch","state":"0000000000000001","ms":5}
    "#);
}

#[test]
fn what_is_written_is_read_back() {
    let suite = TraceReader::new(&sample()[..], "f").unwrap().suite().unwrap();
    let mut again = Vec::new();
    write_header(&mut again, &header()).unwrap();
    for trace in &suite.traces {
        write_trace(&mut again, trace).unwrap();
    }
    assert_eq!(again, sample());
    assert_eq!(TraceReader::new(&sample()[..], "f").unwrap().nth(2).unwrap(), suite.traces[1]);
}

fn error_of(text: &str) -> String {
    let read = TraceReader::new(text.as_bytes(), "t.jsonl").and_then(TraceReader::suite);
    read.unwrap_err().to_string()
}

#[test]
fn a_wrong_file_is_answered_with_its_line_and_what_was_expected() {
    let sample = String::from_utf8(sample()).unwrap();
    let mut lines: Vec<&str> = sample.lines().collect();
    let cut = &sample[..sample.len() - 20];
    assert!(error_of(cut).starts_with("t.jsonl:6: expected a whole line"), "{}", error_of(cut));
    assert!(error_of("").contains("an empty file"));
    assert!(
        error_of("PK\u{3}\u{4}").starts_with("t.jsonl:1: expected the header of a retap trace")
    );
    assert!(error_of(&sample.replace("\"version\":1,", "\"version\":9,")).contains("version 9"));
    assert!(error_of(&sample.replace("\"event\"", "\"evnt\"")).contains("evnt"));
    lines.remove(1);
    assert!(error_of(&lines.join("\n")).contains("before the first event"));
}

#[test]
fn a_number_beyond_the_last_trace_is_refused() {
    let error = TraceReader::new(&sample()[..], "f").unwrap().nth(3).unwrap_err();
    assert_eq!(error.to_string(), "f:6: expected trace number 3, found `only 2`");
}

proptest! {
    #[test]
    fn mutated_files_are_read_or_refused_but_never_panic(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = sample();
        for (index, byte) in edits {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        let _ = TraceReader::new(&bytes[..], "f").and_then(TraceReader::suite);
    }
}
