//! The strategy `auto` on the apps that show TimeMachine's policies, and on forms.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, fake, strategy, without_snapshots};
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use retap_explore::{Exploration, InterestingPolicy};

#[test]
fn auto_opens_the_vault_with_a_quarter_of_the_events_of_timemachine() {
    let subject = Subject::new(&fake("vault.fake"));
    for seed in 1..=5 {
        let explored = subject.explore("auto", seed, 5_000);
        assert!(!explored.totals.crashes.is_empty(), "seed {seed}: {:?}", explored.totals);
    }
}

/// A form that is saved only when both fields are filled and the age is one of three numbers.
const FORM: &str = "
app com.example.form 1.0
snapshots off
rotation off
start form covers start
screen form activity Form
  edit name \"Name\"
  edit age \"Age\"
  button help \"Help\"
  button about \"About\"
  button save \"Save\"
screen saved activity Saved
  button again \"Again\"
on form tap save if name == \"\" or age == \"\" -> stay covers missing
on form tap save if age == \"42\" or age == \"1\" or age == \"0\" -> saved covers saved
on form tap save -> stay covers wrong
on form tap help -> stay covers help
on form tap about -> stay covers about
on saved tap again -> crash twice covers twice
crash twice
  java.lang.IllegalStateException: saved twice
    at com.example.form.Saved.again(Saved.java:7)
end
";

#[test]
fn auto_fills_a_form_before_it_sends_it() {
    let subject = Subject::new(FORM);
    for seed in 1..=5 {
        let totals = subject.explore("auto", seed, 2_000).totals;
        assert!(!totals.crashes.is_empty(), "seed {seed}: {totals:?}");
    }
}

#[test]
fn a_run_that_is_cut_anywhere_and_resumed_equals_the_uninterrupted_run() {
    for source in [fake("vault.fake"), without_snapshots(&fake("notes.fake"))] {
        Subject::new(&source).assert_resumes("auto", 2_000, 8);
    }
}

#[test]
fn a_state_too_far_away_for_a_return_does_not_keep_the_run_at_its_beginning() {
    // Every tap leads to a new state, so the last states of a trace are as far away as a trace is long.
    let mut subject = Subject::new(
        "app com.example.far 1.0
         rotation off
         start road covers start
         var steps = 0
         screen road activity Road
           label sign \"{steps}\"
           button on \"On\"
         on road tap on -> stay set steps = steps + 1
         on road key back -> stay
         on road key home -> stay
         on road system process_death -> stay",
    );
    subject.trace_length = 30;
    let totals = subject.explore("auto", 1, 20_000).totals;
    // Each start may be followed by a whole trace of 30 events; held at its beginning, a run would restart every event.
    assert!(totals.starts * 20 < totals.events, "{} starts", totals.starts);
}

#[test]
fn a_run_whose_screens_are_gone_is_not_resumed_with_less_knowledge() {
    let subject = Subject::new(&fake("notes.fake"));
    subject.explore("auto", 1, 100);
    let dir = subject.dir("auto-1");
    std::fs::remove_dir_all(dir.join("screens")).unwrap();
    let (_, app) = FakeConnect::load(&subject.app).unwrap().connect().unwrap();
    let mut strategy = strategy("auto", 1, &app);
    let interesting = InterestingPolicy::default();
    assert!(Exploration::resume(&dir, strategy.as_mut(), interesting, &app).is_err());
}

#[test]
fn auto_meets_a_fault_that_only_haste_meets() {
    let subject = Subject::new(&fake("hasty.fake"));
    for seed in 1..=5 {
        let totals = subject.explore("auto", seed, 2_000).totals;
        assert!(!totals.crashes.is_empty(), "seed {seed}: {totals:?}");
        let totals = subject.explore("random", seed, 2_000).totals;
        assert!(totals.crashes.is_empty(), "seed {seed}: {totals:?}");
    }
}

/// A form with four fields, all of which must be filled. An age that is too high is refused.
const LONG_FORM: &str = "
app com.example.registration 1.0
snapshots off
rotation off
start form covers start
screen form activity Form
  edit name \"Name\"
  edit city \"City\"
  edit age \"Age\"
  edit mail \"Mail\"
  button help \"Help\"
  button about \"About\"
  button save \"Save\"
screen saved activity Saved
  button again \"Again\"
on form tap save if name == \"\" or city == \"\" or age == \"\" or mail == \"\" -> stay covers missing
on form tap save if age == \"42\" or age == \"1\" or age == \"0\" or age == \"1234\" -> saved covers saved
on form tap save -> stay covers wrong
on form tap help -> stay covers help
on form tap about -> stay covers about
on saved tap again -> crash twice covers twice
crash twice
  java.lang.IllegalStateException: saved twice
    at com.example.registration.Saved.again(Saved.java:7)
end
";

#[test]
fn a_form_that_is_filled_as_a_whole_is_sent_more_often() {
    let subject = Subject::new(LONG_FORM);
    let sent = |strategy: &str| {
        let totals = |seed| subject.explore(strategy, seed, 300).totals;
        (1..=10).filter(|seed| !totals(*seed).crashes.is_empty()).count()
    };
    let (whole, by_chance) = (sent("auto"), sent("auto-fill"));
    assert!(whole >= by_chance + 2, "{whole} and {by_chance} of 10");
}

#[test]
fn every_action_of_a_small_app_is_tried_although_alike_ones_gave_nothing() {
    let subject = Subject::new(&without_snapshots(&fake("worn.fake")));
    for seed in 1..=5 {
        let totals = subject.explore("auto", seed, 400).totals;
        // All of the app's branches: each station of the path, reached past twelve stalls of one look, and the summit.
        assert_eq!(totals.coverage.len(), 15, "seed {seed}");
    }
}

#[test]
fn the_events_before_a_reward_share_in_it() {
    let subject = Subject::new(&fake("vault.fake"));
    let opened = |strategy: &str| {
        let totals = |seed| subject.explore(strategy, seed, 300).totals;
        (1..=8).filter(|seed| !totals(*seed).crashes.is_empty()).count()
    };
    let (shared, own) = (opened("auto"), opened("auto-credit"));
    assert!(shared >= own && shared >= 7, "{shared} and {own} of 8");
}
