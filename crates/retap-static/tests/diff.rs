//! Pairs of versions with known edits: every edit is found, and nothing else is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use retap_apk::Apk;
use retap_static::{AppDiff, Change, ClassDiff};

fn open(name: &str) -> Apk {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Apk::open(folder.join(format!("{name}.apk"))).unwrap()
}

fn compare(old: &str, new: &str) -> AppDiff {
    AppDiff::compare(&open(old), &open(new)).unwrap()
}

/// Compares the app with one edit to the app without it.
fn edit(name: &str) -> AppDiff {
    compare("edits/base", &format!("edits/{name}"))
}

/// Returns `Class.method` of each changed method, with a sign, without the package.
fn methods(diff: &AppDiff) -> Vec<String> {
    let sign = |change| match change {
        Change::Modified => '~',
        Change::New => '+',
        Change::Removed => '-',
        Change::Renamed => '>',
    };
    let of_class = |class: &ClassDiff| {
        let name = class.name.rsplit('.').next().unwrap().to_owned();
        let line = |it: &retap_static::MethodDiff| {
            format!("{} {name}.{}{}", sign(it.change), it.name, it.descriptor)
        };
        class.methods.iter().map(line).collect::<Vec<_>>()
    };
    diff.packages.iter().flat_map(|it| &it.classes).flat_map(of_class).collect()
}

fn classes(diff: &AppDiff) -> Vec<(Change, &str, Option<&str>)> {
    let classes = diff.packages.iter().flat_map(|it| &it.classes);
    classes.map(|it| (it.change, &*it.name, it.old_name.as_deref())).collect()
}

#[test]
fn a_changed_body_is_one_modified_method() {
    assert_eq!(methods(&edit("body")), ["~ Counter.add(I)I"]);
}

#[test]
fn a_changed_signature_is_a_new_and_a_removed_method_and_modifies_the_callers() {
    let diff = edit("signature");
    let found = methods(&diff);
    assert!(found.contains(&"+ Counter.add(J)I".to_owned()), "{found:?}");
    assert!(found.contains(&"- Counter.add(I)I".to_owned()), "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("~ MainActivity.onCreate")), "{found:?}");
    assert!(!found.iter().any(|it| it.contains("Words") || it.contains("isRound")), "{found:?}");
}

#[test]
fn a_changed_constant_is_a_modified_method() {
    assert_eq!(methods(&edit("constant")), ["~ Words.of(I)Ljava/lang/String;"]);
}

#[test]
fn line_numbers_are_no_change() {
    assert_eq!(edit("lines"), AppDiff { packages: vec![], ..edit("lines") });
    assert!(edit("lines").is_empty(), "{:#?}", edit("lines").packages);
}

#[test]
fn registers_and_debug_information_are_no_change() {
    let diff = edit("registers");
    assert_ne!(diff.old.code_hash, diff.new.code_hash, "the compiler chose the same registers");
    assert!(diff.is_empty(), "{:#?}", diff.packages);
}

#[test]
fn a_renamed_class_is_recognised_by_what_it_does() {
    let diff = edit("renamed");
    let (meter, counter) = ("dev.retap.fixture.edits.Meter", "dev.retap.fixture.edits.Counter");
    let renamed = (Change::Renamed, meter, Some(counter));
    assert!(classes(&diff).contains(&renamed), "{:#?}", diff.packages);
    assert_eq!(methods(&diff), [""; 0], "{:#?}", diff.packages);
}

#[test]
fn a_class_in_another_package_is_recognised() {
    let diff = edit("moved");
    let moved = "dev.retap.fixture.edits.counting.Counter";
    let renamed = (Change::Renamed, moved, Some("dev.retap.fixture.edits.Counter"));
    assert!(classes(&diff).contains(&renamed), "{:#?}", diff.packages);
    assert_eq!(methods(&diff), [""; 0], "{:#?}", diff.packages);
}

#[test]
fn an_inlined_lambda_changes_its_method_and_no_other_lambda() {
    let diff = edit("inlined");
    let found = methods(&diff);
    assert!(found.contains(&"~ MainActivity.show(I)V".to_owned()), "{found:?}");
    assert!(!found.iter().any(|it| it.contains("onCreate")), "{found:?}");
    assert!(!found.iter().any(|it| it.starts_with('+')), "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("- ")), "{found:?}");
}

#[test]
fn a_changed_layout_is_a_changed_resource_and_no_changed_code() {
    let diff = edit("layout");
    assert_eq!(methods(&diff), [""; 0]);
    let [layout] = &diff.resources[..] else { panic!("{:#?}", diff.resources) };
    assert_eq!((&*layout.name, layout.change), ("@layout/main", Change::Modified));
    assert!(layout.details.iter().any(|it| it.starts_with('+') && it.contains("Add one")));
}

#[test]
fn the_update_of_the_shop_is_what_its_page_says() {
    let diff = compare("shop-1", "shop-2");
    let modified: Vec<String> = methods(&diff)
        .into_iter()
        .filter(|it| it.starts_with('~'))
        .map(|it| it[2..it.find('(').unwrap()].to_owned())
        .collect();
    let expected = [
        "Cart.clear",
        "CartActivity.onCreate",
        "CatalogActivity.onOptionsItemSelected",
        "CheckoutActivity.confirm",
        "CheckoutActivity.placeOrder",
        "Prices.total",
        "ProductActivity.showGift",
    ];
    assert_eq!(modified, expected);
    assert!(diff.manifest.iter().any(|it| it.starts_with("+ activity")), "{:?}", diff.manifest);
    let names: Vec<&str> = diff.resources.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["@layout/cart", "@layout/orders", "@menu/catalog"]);
}

#[test]
fn a_page_shows_old_and_new_code_and_needs_nothing_else() {
    let options = retap_static::DiffOptions { listings: true };
    let diff = AppDiff::compare_with(&open("edits/base"), &open("edits/constant"), options);
    let page = diff.unwrap().page();
    assert!(page.contains("a week") && page.contains("seven"));
    assert!(!page.contains("http://") && !page.contains("https://"), "it loads something");
}

const APPS: [&str; 14] = [
    "edits/base",
    "edits/body",
    "edits/signature",
    "edits/constant",
    "edits/lines",
    "edits/registers",
    "edits/renamed",
    "edits/moved",
    "edits/inlined",
    "edits/layout",
    "shop-1",
    "shop-2",
    "notes",
    "files",
];

fn mirrored(change: Change) -> Change {
    match change {
        Change::New => Change::Removed,
        Change::Removed => Change::New,
        other => other,
    }
}

#[test]
fn a_comparison_the_other_way_round_is_the_mirror_image() {
    let pairs = (0..APPS.len()).flat_map(|one| (one..APPS.len()).map(move |other| (one, other)));
    for (one, other) in pairs.map(|(one, other)| (APPS[one], APPS[other])) {
        let forth = compare(one, other);
        let back = compare(other, one);
        assert_eq!(listed(&forth, false), listed(&back, true), "{one} and {other}");
        assert!(one != other || forth.is_empty(), "{one} differs from itself");
    }
}

/// Lists what differs, one line for each class and resource, from the other version's side if asked for.
fn listed(diff: &AppDiff, mirror: bool) -> Vec<String> {
    let flip = |change| if mirror { mirrored(change) } else { change };
    let class_line = |class: &ClassDiff| {
        let (name, old) = (&class.name, class.old_name.as_ref().unwrap_or(&class.name));
        let names = if mirror { (old, name) } else { (name, old) };
        let mut methods = [0; 4];
        for method in &class.methods {
            methods[flip(method.change) as usize] += 1;
        }
        format!("{:?} {names:?} {methods:?}", flip(class.change))
    };
    let classes = diff.packages.iter().flat_map(|it| &it.classes).map(class_line);
    let resources = diff.resources.iter().map(|it| format!("{:?} {}", flip(it.change), it.name));
    let mut lines: Vec<String> = classes.chain(resources).collect();
    lines.sort();
    lines
}
