//! Replies as the agent writes them, and damaged ones.

use super::*;
use crate::wire::body_writer::BodyWriter;
use proptest::prelude::*;
use retap_model::{Flags, Orientation, Rect, WindowKind};

/// Writes a widget with this number of children, as the agent does.
fn write_widget(body: &mut BodyWriter, class: &str, children: u16) {
    body.string(class).string("p:id/x").string("text").string("").string("hint");
    body.i32(0).i32(72).i32(1080).i32(1920);
    body.i32((Flags::CLICKABLE | Flags::VISIBLE).bits() as i32).u16(children);
}

/// Returns a screen of one window: a root with two children, the first of which has one child.
fn sample_screen() -> Vec<u8> {
    let mut body = BodyWriter::default();
    body.string("com.app/.Main").u8(1).u16(1);
    body.u8(1).string("com.app").string("Title").i32(0).i32(0).i32(9).i32(9).u8(1);
    for (class, children) in [("Root", 2), ("List", 1), ("Row", 0), ("Button", 0)] {
        write_widget(&mut body, class, children);
    }
    body.finish()
}

fn sample_reply(screen: &[u8]) -> Vec<u8> {
    let mut body = BodyWriter::default();
    body.u8(4)
        .u64(1500)
        .u8(4)
        .string("java.lang.Error: x\n\tat a.B.c(B.java:1)")
        .string("worker")
        .u64(250);
    body.u8(1).blob(screen);
    body.strings(&["I/Tag: hello"]).u16(1).string("native").string("no camera");
    body.strings(&["a stand-in is in the stack"]);
    body.u8(7).u8(1).u8(0).u8(0);
    body.finish()
}

fn decode_sample() -> ObservationReply {
    match AgentReply::decode(&sample_reply(&sample_screen())) {
        Ok(AgentReply::Observation(observation)) => *observation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_observation_is_read_as_it_was_written() {
    let observation = decode_sample();
    let Outcome::Crashed(crash) = &observation.outcome else { panic!("{:?}", observation.outcome) };
    assert_eq!((crash.thread.as_str(), crash.innermost_class()), ("worker", "java.lang.Error"));
    assert_eq!(crash.doubts, ["a stand-in is in the stack"]);
    assert_eq!(
        (observation.agent_time, observation.elapsed_ms),
        (Duration::from_micros(1500), 250)
    );
    assert_eq!(observation.log, ["I/Tag: hello"]);
    let limitation = HostLimitation { kind: "native".into(), detail: "no camera".into() };
    assert_eq!(observation.host_limitations, [limitation]);
    assert_eq!(observation.covered_probes, [7, 1, 0, 0]);
}

#[test]
fn child_counts_become_depths() {
    let screen = decode_sample().screen.unwrap();
    assert_eq!(screen.activity, "com.app.Main");
    assert_eq!(screen.orientation, Orientation::Landscape);
    let window = &screen.windows[0];
    assert_eq!((window.kind, window.focused), (WindowKind::Dialog, true));
    let shape: Vec<_> = window.widgets.iter().map(|w| (w.class.as_str(), w.depth)).collect();
    assert_eq!(shape, [("Root", 0), ("List", 1), ("Row", 2), ("Button", 1)]);
    assert_eq!(window.widgets[0].bounds, Rect::new(0, 72, 1080, 1920));
    assert_eq!(window.widgets[0].flags, Flags::CLICKABLE | Flags::VISIBLE);
}

#[test]
fn an_ended_app_shows_an_empty_screen() {
    let mut body = BodyWriter::default();
    body.u8(4).u64(0).u8(2).string("0").string("").u64(0).u8(1).string("");
    body.u16(0).u16(0).u16(0).u8(0);
    let Ok(AgentReply::Observation(observation)) = AgentReply::decode(&body.finish()) else {
        panic!()
    };
    assert_eq!(
        (observation.outcome, observation.screen),
        (Outcome::Exited, Some(Screen::default()))
    );
}

#[test]
fn a_tree_that_is_too_deep_is_refused() {
    let mut body = BodyWriter::default();
    body.string("").u8(0).u16(1).u8(0).string("").string("");
    body.i32(0).i32(0).i32(0).i32(0).u8(0);
    for _ in 0..2000 {
        write_widget(&mut body, "V", 1);
    }
    assert_eq!(screen::decode(&body.finish()), Err(MalformedData::Deep(1000)));
}

#[test]
fn counts_and_lengths_beyond_the_frame_are_refused() {
    // A string of 4 GB, and 65,535 log lines in a frame that has none.
    assert!(matches!(
        AgentReply::decode(&[255, 255, 255, 255, 255]),
        Err(MalformedData::Short { wanted: 0xffff_ffff, .. })
    ));
    let mut body = BodyWriter::default();
    body.u8(4).u64(0).u8(0).string("").string("").u64(0).u8(0).u16(u16::MAX);
    assert!(matches!(AgentReply::decode(&body.finish()), Err(MalformedData::Short { .. })));
}

#[test]
fn bytes_left_over_are_refused() {
    assert_eq!(AgentReply::decode(&[6, 0]), Err(MalformedData::LeftOver(1)));
}

proptest! {
    /// Any damage gives a reply or an error, never a panic, and the result is never larger than the frame.
    #[test]
    fn damaged_replies_never_cause_a_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut bytes = sample_reply(&sample_screen());
        let length = bytes.len();
        for (at, value) in edits {
            bytes[at.index(length)] = value;
        }
        if cuts {
            bytes.truncate(cut.index(length));
        }
        if let Ok(AgentReply::Observation(observation)) = AgentReply::decode(&bytes) {
            let widgets: usize =
                observation.screen.iter().flat_map(|s| &s.windows).map(|w| w.widgets.len()).sum();
            prop_assert!(widgets <= length);
            prop_assert!(observation.log.len() <= length && observation.covered_probes.len() <= length);
        }
    }

    #[test]
    fn random_bytes_never_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = AgentReply::decode(&bytes);
        let _ = screen::decode(&bytes);
    }
}

/// Replies of an agent that an app has taken over.
#[test]
fn damaged_replies() {
    let mut refused = BodyWriter::default();
    refused.u8(REFUSED).string("java.lang.Error").string("no");
    let refused = refused.finish();
    let observed = sample_reply(&sample_screen());
    let samples: [&[u8]; 5] =
        [&observed, &refused, &[1, 0, 1], &[2, 0, 0, 0, 1, b'v'], &[5, 0, 0, 0, 2, 1, 2]];
    retap_fuzz::fuzz("reply", &samples, &["\0\0\0\u{1}", "\0\0", "\u{4}"], |bytes| {
        AgentReply::decode(bytes).is_ok()
    });
}
