//! Explores an app that does not survive its launch.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, fake};

#[test]
fn a_run_ends_after_three_failed_launches_and_keeps_the_crash() {
    let subject = Subject::new(&fake("dies-at-launch.fake"));
    for name in ["random", "random-restart", "timemachine", "auto"] {
        let totals = subject.explore(name, 1, 1000).totals;
        assert_eq!((totals.starts, totals.events, totals.crashes.len()), (3, 0, 1), "{name}");
        let crashes = subject.dir(&format!("{name}-1")).join("crashes");
        assert!(crashes.read_dir().unwrap().next().is_some(), "{name}");
    }
}
