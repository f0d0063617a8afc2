//! The phases and their walks on models made by hand.

#[path = "../../tests/common/mod.rs"]
mod common;

use super::{Phase1, Phase2, Phase3, PhaseStep, PlanContext};
use crate::input::{ManualInputs, TextMemory};
use crate::model::RunModel;
use crate::targets::{TargetOrigin, Targets};
use crate::travel::{Destination, ModelWalk, Visits, WalkStep};
use common::{button, click, leads, model, screen, tap, window};
use retap_explore::{DecisionRng, Move};
use retap_model::coverage::{Unit, UnitKind};
use retap_model::{Coverage, Event, Flags, Key, Screen, StateId, Units, Widget};
use retap_static::{AppModel, AppWindowKind, InputEvent, WindowInput};
use std::collections::BTreeSet;

const RUN: &str = "La/Main;->run()V";
const PAY: &str = "La/Shop;->pay()V";

/// Everything that a plan depends on, owned.
struct Situation {
    model: RunModel,
    targets: Targets,
    visits: Visits,
    visit: u64,
    entries: u64,
    inputs_left: u64,
}

impl Situation {
    fn new(model: &AppModel, first: &Screen) -> Self {
        let unit = |name: &str| Unit { kind: UnitKind::Method, name: name.into(), weight: 1 };
        let units = Units::new(vec![unit("a.Main.run()V"), unit("a.Shop.pay()V")]);
        let wanted = [RUN, PAY].map(|it| (it.to_string(), TargetOrigin::Modified));
        let targets = Targets::new(&wanted, &units);
        let mut situation = Self {
            model: RunModel::new(model, &targets),
            targets,
            visits: Visits::default(),
            visit: 0,
            entries: 0,
            inputs_left: 1_000,
        };
        situation.arrive(first);
        situation.visits.record_start(Some(StateId(1)), Some(first.id()));
        situation
    }

    fn arrive(&mut self, shown: &Screen) {
        self.model.record_arrival(shown.id(), Some(shown));
        self.visit += 1;
    }

    /// Records an event that led from the current screen to another.
    fn step(&mut self, event: &Event, to: &Screen) {
        self.model.record_step(event, to.id(), Some(to), BTreeSet::new());
        self.visit += 1;
        self.entries += 1;
    }

    fn plan<T>(&mut self, plan: impl FnOnce(&mut PlanContext<'_>) -> T) -> T {
        self.entries += 1;
        let windows = self.model.windows.ids().map(|id| (id, self.model.windows.get(id).clone()));
        plan(&mut PlanContext {
            model: &self.model,
            targets: &self.targets,
            texts: &TextMemory::new(windows),
            manual: &ManualInputs::default(),
            visits: &self.visits,
            here: self.model.here().unwrap(),
            visit: self.visit,
            scale: 1,
            inputs_left: self.inputs_left,
            rng: DecisionRng::new(1, self.entries),
        })
    }
}

/// Main leads to the shop by `go`, and `pay` there runs a target.
fn two_windows(targets_of_main: &[&str]) -> AppModel {
    let windows = ["a.Main", "a.Shop"].map(|it| window(it, AppWindowKind::Activity, None));
    let inputs = vec![click("a.Main", "go", targets_of_main), click("a.Shop", "pay", &[PAY])];
    model(windows.to_vec(), inputs, vec![leads(0, "a.Main", "a.Shop")])
}

fn main_screen() -> Screen {
    screen("a.Main", vec![button("go", "Go"), button("help", "Help")])
}

fn shop_screen(is_open: bool) -> Screen {
    let pay = button("pay", "Pay");
    screen("a.Shop", if is_open { vec![pay] } else { vec![button("closed", "Closed")] })
}

fn field(id: &str) -> Widget {
    let flags = Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE | Flags::CLICKABLE;
    Widget { flags, class: "android.widget.EditText".into(), ..button(id, "") }
}

fn id_of(step: &PhaseStep) -> String {
    let PhaseStep::Move(Move::Do(event), _) = step else { return format!("{step:?}") };
    let selector = event.target().and_then(|target| target.on.clone());
    selector.map_or_else(|| event.to_string(), |on| on.id)
}

#[test]
fn phase_1_fills_a_window_and_then_does_its_target_input_once() {
    let form = screen("a.Main", vec![field("name"), button("go", "Go")]);
    let mut situation = Situation::new(&two_windows(&[RUN]), &form);
    let mut phase = Phase1::default();
    let first = situation.plan(|context| phase.next(context));
    let PhaseStep::Move(Move::Do(Event::Text { text, .. }), _) = &first else {
        panic!("{first:?}")
    };
    assert!(!text.is_empty(), "a first visit leaves no field empty");
    let second = situation.plan(|context| phase.next(context));
    assert!(id_of(&second).ends_with("go"), "{second:?}");
    let third = situation.plan(|context| phase.next(context));
    let is_again = matches!(&third, PhaseStep::Move(_, reason) if reason == "a target input");
    assert!(!is_again, "{third:?}");
}

#[test]
fn phase_1_goes_where_the_code_says_that_a_target_input_lies() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    let mut phase = Phase1::default();
    let step = situation.plan(|context| phase.next(context));
    assert!(id_of(&step).ends_with("go"), "{step:?}");
    situation.step(&tap(&main_screen(), 0), &shop_screen(true));
    let step = situation.plan(|context| phase.next(context));
    assert!(id_of(&step).ends_with("pay"), "{step:?}");
}

#[test]
fn phase_1_lets_the_explorer_decide_where_no_path_leads_on_and_ends_when_that_brings_nothing() {
    let nowhere = screen("a.Main", vec![button("help", "Help")]);
    let mut situation = Situation::new(&two_windows(&[]), &nowhere);
    let mut phase = Phase1::default();
    let mut explored = 0;
    while let PhaseStep::Explore(_) = situation.plan(|context| phase.next(context)) {
        explored += 1;
        assert!(explored < 1_000, "the phase never ends");
    }
    assert!(explored >= 60, "{explored}");
    let end = situation.plan(|context| phase.next(context));
    assert!(matches!(end, PhaseStep::Over(_)), "{end:?}");
}

#[test]
fn phase_1_looks_again_at_a_window_whose_input_was_missing_after_another_made_progress() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    situation.step(&tap(&main_screen(), 0), &shop_screen(false));
    let back = tap(&shop_screen(false), 0);
    situation.step(&back, &main_screen());
    let mut phase = Phase1::default();
    let before = situation.plan(|context| phase.next(context));
    assert!(matches!(before, PhaseStep::Explore(_)), "no state offers it: {before:?}");
    situation.targets.record(&Coverage::from_iter([0]));
    let after = situation.plan(|context| phase.next(context));
    assert!(id_of(&after).ends_with("go"), "{after:?}");
}

#[test]
fn phase_2_ends_when_a_round_of_all_target_windows_covers_nothing_new() {
    let mut situation = Situation::new(&two_windows(&[RUN]), &main_screen());
    let mut phase = Phase2::default();
    let mut moves = 0;
    loop {
        match situation.plan(|context| phase.next(context)) {
            PhaseStep::Over(_) => break,
            // Nothing that is done here changes the screen.
            PhaseStep::Move(Move::Do(event), _) => situation.step(&event, &main_screen()),
            _ => {}
        }
        moves += 1;
        assert!(moves < 1_000, "the phase never ends");
    }
    assert!(moves > 10, "a window is exercised with up to 25 inputs: {moves}");
}

#[test]
fn phase_3_visits_a_related_window_before_the_target_input() {
    let mut windows: Vec<_> = ["a.Main", "a.Shop", "a.Options"]
        .map(|it| window(it, AppWindowKind::Activity, None))
        .into();
    windows[2].terms = [("a.Settings.member".to_string(), 1)].into();
    let mut pay = click("a.Main", "go", &[RUN]);
    pay.terms = [("a.Settings.member".to_string(), 1)].into();
    let inputs = vec![pay, click("a.Main", "options", &[])];
    let known = vec![leads(1, "a.Main", "a.Options")];
    let main = screen("a.Main", vec![button("go", "Go"), button("options", "Options")]);
    let options = screen("a.Options", vec![button("member", "Member")]);
    let mut situation = Situation::new(&model(windows, inputs, known), &main);
    let mut phase = Phase3::default();
    let first = situation.plan(|context| phase.next(context));
    assert!(id_of(&first).ends_with("options"), "{first:?}");
    situation.step(&tap(&main, 1), &options);
    let second = situation.plan(|context| phase.next(context));
    assert!(id_of(&second).ends_with("member"), "{second:?}");
    // Its exploration is short; then the way leads back to the target input.
    for _ in 0..40 {
        let step = situation.plan(|context| phase.next(context));
        match &step {
            PhaseStep::Move(Move::Do(Event::Key(_)), _) => {
                situation.step(&Event::Key(retap_model::Key::back()), &main);
            }
            PhaseStep::Move(Move::Do(event), _) if !id_of(&step).ends_with("go") => {
                situation.step(event, &options);
            }
            _ => return assert!(id_of(&step).ends_with("go"), "{step:?}"),
        }
    }
    panic!("the target input was never done");
}

#[test]
fn a_walk_takes_a_known_step_before_one_that_only_the_code_knows() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    situation.step(&tap(&main_screen(), 1), &shop_screen(true));
    situation.step(&tap(&shop_screen(true), 0), &main_screen());
    let mut walk = ModelWalk::onwards(Destination::Window(1));
    let step = situation.plan(|context| walk.next(context));
    assert_eq!(step, WalkStep::Go(Move::Do(tap(&main_screen(), 1))), "by help, as before");
}

#[test]
fn a_step_that_led_elsewhere_is_not_taken_again() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    let mut walk = ModelWalk::onwards(Destination::Window(1));
    let first = situation.plan(|context| walk.next(context));
    assert!(matches!(first, WalkStep::Go(_)), "{first:?}");
    situation.step(&tap(&main_screen(), 0), &main_screen());
    let second = situation.plan(|context| walk.next(context));
    assert_eq!(second, WalkStep::Lost);
}

#[test]
fn a_walk_returns_in_time_where_walking_is_not_possible() {
    let first = screen("a.Main", vec![button("splash", "")]);
    let mut situation = Situation::new(&two_windows(&[]), &first);
    situation.arrive(&main_screen());
    situation.step(&tap(&main_screen(), 0), &shop_screen(true));
    situation.visits.record_step(Some(StateId(7)), Some(shop_screen(true).id()));
    let end = screen("a.Main", vec![button("nothing", "")]);
    situation.step(&tap(&shop_screen(true), 0), &end);
    let mut walk = ModelWalk::anyhow(Destination::input(1));
    let step = situation.plan(|context| walk.next(context));
    assert_eq!(step, WalkStep::Go(Move::Return(StateId(7))));
}

#[test]
fn a_visited_window_offers_what_its_states_offered_and_not_what_the_code_says() {
    let windows: Vec<_> =
        ["a.Main", "a.Shop", "a.End"].map(|it| window(it, AppWindowKind::Activity, None)).into();
    let inputs = vec![click("a.Main", "go", &[]), click("a.Shop", "on", &[])];
    let known = vec![leads(0, "a.Main", "a.Shop"), leads(1, "a.Shop", "a.End")];
    let mut situation = Situation::new(&model(windows, inputs, known), &main_screen());
    let mut walk = ModelWalk::onwards(Destination::Window(2));
    let step = situation.plan(|context| walk.next(context));
    assert!(matches!(step, WalkStep::Go(_)), "nothing is known of the shop: {step:?}");
    situation.step(&tap(&main_screen(), 0), &shop_screen(false));
    situation.step(&tap(&shop_screen(false), 0), &main_screen());
    let mut walk = ModelWalk::onwards(Destination::Window(2));
    assert_eq!(
        situation.plan(|context| walk.next(context)),
        WalkStep::Lost,
        "it has no such button"
    );
}

/// Returns the input of an activity's lifecycle.
fn lifecycle(window: &str, targets: &[&str]) -> WindowInput {
    WindowInput { event: InputEvent::Lifecycle, widget: None, ..click(window, "", targets) }
}

#[test]
fn phase_1_ends_an_activity_whose_end_has_not_run() {
    let windows = vec![window("a.Main", AppWindowKind::Activity, None)];
    let app = model(windows, vec![lifecycle("a.Main", &[RUN])], Vec::new());
    let mut situation = Situation::new(&app, &main_screen());
    let mut phase = Phase1::default();
    let mut did = Vec::new();
    for _ in 0..5 {
        if let PhaseStep::Move(Move::Do(event), _) = situation.plan(|context| phase.next(context)) {
            did.push(event.clone());
            situation.step(&event, &main_screen());
        }
    }
    let turned = Event::Rotate(retap_model::Orientation::Landscape);
    assert_eq!(did, [Event::Key(retap_model::Key::back()), turned], "each way once");
    situation.targets.record(&Coverage::from_iter([0]));
    let mut phase = Phase1::default();
    let step = situation.plan(|context| phase.next(context));
    assert!(!matches!(step, PhaseStep::Move(..)), "it has run: {step:?}");
}

#[test]
fn phase_2_does_not_open_the_same_window_again_and_again() {
    let windows = vec![window("a.Main", AppWindowKind::Activity, None)];
    let app = model(windows, vec![lifecycle("a.Main", &[RUN])], Vec::new());
    let mut situation = Situation::new(&app, &main_screen());
    let mut phase = Phase2::default();
    let mut turns = 0;
    for _ in 0..60 {
        match situation.plan(|context| phase.next(context)) {
            PhaseStep::Over(_) => break,
            PhaseStep::Move(Move::Do(event), _) => {
                turns += u32::from(matches!(event, Event::Rotate(_)));
                situation.step(&event, &main_screen());
            }
            _ => {}
        }
    }
    assert_eq!(turns, 1);
}

#[test]
fn phase_2_leaves_half_of_the_inputs_to_phase_3() {
    let mut situation = Situation::new(&two_windows(&[RUN]), &main_screen());
    situation.inputs_left = 20;
    let mut phase = Phase2::default();
    let first = situation.plan(|context| phase.next(context));
    assert!(!matches!(first, PhaseStep::Over(_)), "{first:?}");
    situation.inputs_left = 9;
    let later = situation.plan(|context| phase.next(context));
    assert!(matches!(later, PhaseStep::Over(_)), "{later:?}");
}

fn switch(is_on: bool) -> Widget {
    let flags = Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE | Flags::CHECKABLE;
    let flags = if is_on { flags | Flags::CHECKED } else { flags };
    Widget { flags, class: "android.widget.Switch".into(), ..button("member", "Member") }
}

#[test]
fn a_walk_goes_back_and_does_not_undo_what_was_set() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    let options = |is_on: bool| screen("a.Shop", vec![switch(is_on)]);
    situation.step(&tap(&main_screen(), 0), &options(false));
    // Going back is known from the state before the switch was set.
    situation.step(&Event::Key(retap_model::Key::back()), &main_screen());
    situation.step(&tap(&main_screen(), 0), &options(false));
    situation.step(&tap(&options(false), 0), &options(true));
    situation.step(&tap(&options(true), 0), &options(false));
    situation.step(&tap(&options(false), 0), &options(true));
    let mut walk = ModelWalk::onwards(Destination::Window(0));
    let step = situation.plan(|context| walk.next(context));
    assert_eq!(step, WalkStep::Go(Move::Do(Event::Key(retap_model::Key::back()))));
}

#[test]
fn a_sure_walk_does_not_hope_for_what_an_action_did_once() {
    let mut situation = Situation::new(&two_windows(&[]), &main_screen());
    // Help has led to the shop once and nowhere since.
    situation.step(&tap(&main_screen(), 1), &shop_screen(true));
    let elsewhere = screen("a.Main", vec![button("nothing", "")]);
    for _ in 0..3 {
        situation.arrive(&main_screen());
        situation.step(&tap(&main_screen(), 1), &elsewhere);
    }
    situation.arrive(&main_screen());
    let wanted = Destination::State(situation.plan(|context| {
        let states = context.model.abstracted.states_of(1);
        states.map(|(state, _)| state).next().unwrap()
    }));
    let mut walk = ModelWalk::onwards(wanted.clone()).surely();
    let sure = situation.plan(|context| walk.next(context));
    assert_ne!(sure, WalkStep::Go(Move::Do(tap(&main_screen(), 1))), "{sure:?}");
    let mut walk = ModelWalk::onwards(wanted);
    let hopeful = situation.plan(|context| walk.next(context));
    assert!(matches!(hopeful, WalkStep::Go(_)), "{hopeful:?}");
}

#[test]
fn phase_1_leaves_a_dead_end_by_ending_the_app_and_tries_again_what_never_ran() {
    let mut situation = Situation::new(&two_windows(&[RUN]), &main_screen());
    let mut phase = Phase1::default();
    let tapped = situation.plan(|context| phase.next(context));
    assert!(id_of(&tapped).ends_with("go"), "{tapped:?}");
    let label = Widget { flags: Flags::VISIBLE | Flags::ENABLED, ..button("wait", "Please wait") };
    let stuck = screen("a.Main", vec![label]);
    situation.step(&tap(&main_screen(), 0), &stuck);
    let back = situation.plan(|context| phase.next(context));
    assert_eq!(id_of(&back), Event::Key(Key::back()).to_string());
    situation.step(&Event::Key(Key::back()), &stuck);
    let close = situation.plan(|context| phase.next(context));
    assert_eq!(id_of(&close), Event::Close.to_string(), "a restart would lose the app's data");
    situation.arrive(&main_screen());
    let again = situation.plan(|context| phase.next(context));
    assert!(id_of(&again).ends_with("go"), "its target never ran: {again:?}");
}
