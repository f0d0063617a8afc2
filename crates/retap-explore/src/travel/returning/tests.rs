use super::*;
use crate::InterestingPolicy;
use retap_device::fake::FakeConnect;
use retap_model::{Key, Screen};
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn a_return_ends_at_a_launch_that_crashes() {
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes/dies-at-launch.fake");
    let connect = FakeConnect::load(&fake).unwrap();
    let destination = Abstraction::default().state(&Screen::default());
    let back = Event::Key(Key::back());
    let paths = [
        ReturnPath::Recorded(vec![back.clone()]),
        ReturnPath::Shortcut(vec![PathStep { event: back, to: destination }]),
    ];
    for path in &paths {
        let interrupt = AtomicBool::new(false);
        let mut rig = Rig::new(&connect, &interrupt);
        let graph = StateGraph::new(InterestingPolicy::default());
        let attempt = ReturnAttempt {
            world_seed: 1,
            destination,
            path,
            abstraction: Abstraction::default(),
            max_events: 10,
        };
        assert_eq!(attempt.run(&mut rig, &graph).unwrap(), ReturnOutcome::Failed, "{path:?}");
        assert!(rig.last_observation().unwrap().outcome.is_final(), "its trace can be kept");
    }
}
