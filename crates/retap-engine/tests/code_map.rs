//! The map that strategies explore by, read from the fixture `shop-2`.

use retap_engine::explore::code_map;
use retap_explore::{CodeMap, MapGesture, MapInput};
use retap_model::app::AppIdentity;
use retap_model::coverage::{Unit, UnitKind};
use retap_model::{App, Units};
use std::path::Path;
use std::sync::Arc;

const SHOP: &str = "dev.retap.fixture.shop";

/// Returns an app that counts these methods.
fn app(methods: &[&str]) -> App {
    let unit =
        |name: &&str| Unit { kind: UnitKind::Method, name: format!("{SHOP}.{name}"), weight: 1 };
    let identity = AppIdentity { package: SHOP.into(), version: "2".into(), sha256: "0".into() };
    App {
        identity,
        activities: Vec::new(),
        broadcasts: Vec::new(),
        libraries: Default::default(),
        units: Arc::new(Units::new(methods.iter().map(unit).collect())),
    }
}

fn shop(methods: &[&str]) -> CodeMap {
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/shop-2.apk");
    code_map::read(&apk, &app(methods))
}

fn named<'a>(map: &'a CodeMap, activity: &str, name: &str) -> Vec<&'a MapInput> {
    let is_it = |input: &&MapInput| {
        let window = &map.windows[input.window];
        window.activity == format!("{SHOP}.{activity}") && input.names.contains(name)
    };
    map.inputs.iter().filter(is_it).collect()
}

#[test]
fn a_button_reaches_what_its_handler_calls_and_leads_to_the_dialog_that_it_opens() {
    let map = shop(&[
        "CartActivity.askForCoupon()V",
        "Prices.text(ILdev/retap/fixture/shop/Settings;)Ljava/lang/String;",
    ]);
    let coupon = named(&map, "CartActivity", "coupon");
    let [coupon] = coupon.as_slice() else { panic!("{coupon:?}") };
    assert_eq!((coupon.gesture, &coupon.reaches), (MapGesture::Tap, &vec![0]));
    let dialog = &map.windows[coupon.leads_to[0]];
    assert_eq!(dialog.activity, format!("{SHOP}.CartActivity"), "it shows over its activity");
    let usages = named(&map, "CartActivity", "button1");
    assert!(
        usages.iter().any(|it| it.reaches == [1]),
        "the dialog's button shows the total: {usages:?}"
    );
}

#[test]
fn texts_of_a_window_are_known_and_windows_that_are_not_exported_have_no_intent() {
    let map = shop(&[]);
    let is_in =
        |window: &retap_explore::MapWindow| window.activity == format!("{SHOP}.CartActivity");
    assert!(map.windows.iter().filter(|it| is_in(it)).any(|it| it.literals.contains("SPRING")));
    assert!(map.windows.iter().filter(|it| is_in(it)).all(|it| it.opened_by.is_none()));
}

#[test]
fn a_file_that_is_no_apk_gives_an_empty_map() {
    assert!(code_map::read(Path::new("nowhere.apk"), &app(&[])).is_empty());
}
