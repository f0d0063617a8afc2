//! Manifests made by hand: what the platform assumes, tolerates and resolves.

use super::*;
use crate::manifest::sdk;
use crate::resource::build::{self, Node, Resource, boolean, integer, reference, text};

const NAME: u32 = 0x0101_0003;

fn named(kind: &str, name: &str) -> Node {
    Node::new(kind).with("name", NAME, text(name))
}

fn entrance() -> Node {
    Node::new("intent-filter")
        .child(named("action", "android.intent.action.MAIN"))
        .child(named("category", "android.intent.category.LAUNCHER"))
}

fn app(application: Node) -> Node {
    Node::new("manifest").with("package", 0, text("a.b")).child(application)
}

fn parse(root: &Node) -> Manifest {
    Manifest::parse(&build::xml(root), None).unwrap()
}

#[test]
fn short_class_names_lie_in_the_package() {
    let application = Node::new("application")
        .child(named("activity", ".Dot"))
        .child(named("activity", "Bare"))
        .child(named("activity", "c.d.Full"))
        .child(Node::new("activity"));
    let manifest = parse(&app(application));
    let names: Vec<_> = manifest.activities.iter().map(|a| a.component.name.as_str()).collect();
    assert_eq!(names, ["a.b.Dot", "a.b.Bare", "c.d.Full"]);
}

#[test]
fn attributes_go_by_their_id_whatever_they_are_called() {
    let application = Node::new("application").child(
        Node::new("activity").with("label", NAME, text(".Real")).with(
            "name",
            0x0101_0001,
            text("Title"),
        ),
    );
    let activity = &parse(&app(application)).activities[0];
    assert_eq!(activity.component.name, "a.b.Real");
    assert_eq!(activity.label.as_deref(), Some("Title"));
}

#[test]
fn attributes_without_an_id_go_by_their_name() {
    let application =
        Node::new("application").child(Node::new("activity").with("name", 0, text(".Main")));
    assert_eq!(parse(&app(application)).activities[0].component.name, "a.b.Main");
}

#[test]
fn an_intent_filter_makes_a_component_public_unless_it_says_otherwise() {
    let hidden = named("activity", "Hidden").with("exported", 0x0101_0010, boolean(false));
    let application = Node::new("application")
        .child(named("activity", "Open").child(entrance()))
        .child(named("activity", "Plain"))
        .child(hidden.child(entrance()));
    let manifest = parse(&app(application));
    let exported: Vec<_> = manifest.activities.iter().map(|a| a.component.exported).collect();
    assert_eq!(exported, [true, false, false]);
}

#[test]
fn the_launcher_is_the_first_entrance_that_is_enabled() {
    let disabled = named("activity", "Off").with("enabled", 0x0101_000e, boolean(false));
    let alias = named("activity-alias", "Icon").with("targetActivity", 0x0101_0202, text("Main"));
    let application = Node::new("application")
        .child(disabled.child(entrance()))
        .child(alias.child(entrance()))
        .child(named("activity", "Main"));
    let launcher = parse(&app(application)).launcher().unwrap();
    assert_eq!((&*launcher.component, &*launcher.activity), ("a.b.Icon", "a.b.Main"));
}

#[test]
fn without_an_entrance_there_is_no_launcher() {
    let view = Node::new("intent-filter").child(named("action", "android.intent.action.VIEW"));
    let dangling =
        named("activity-alias", "Icon").with("targetActivity", 0x0101_0202, text("Gone"));
    let application = Node::new("application")
        .child(named("activity", "Main").child(view))
        .child(dangling.child(entrance()));
    assert_eq!(parse(&app(application)).launcher(), None);
    assert_eq!(parse(&Node::new("manifest").with("package", 0, text("a.b"))).launcher(), None);
}

#[test]
fn references_are_looked_up_in_the_table() {
    let resource = |key, default| Resource { key, default, french: None };
    let table =
        build::table(&[resource("app_name", text("Notes")), resource("on", boolean(false))], false);
    let table = ResourceTable::parse(table).unwrap();
    let application = Node::new("application")
        .with("label", 0x0101_0001, reference(0x7f01_0000))
        .with("enabled", 0x0101_000e, reference(0x7f01_0001))
        .with("theme", 0x0101_0000, reference(0x0103_0005));
    let file = build::xml(&app(application));
    let resolved = Manifest::parse(&file, Some(&table)).unwrap().application;
    assert_eq!(resolved.label.as_deref(), Some("Notes"));
    assert!(!resolved.enabled);
    assert_eq!(resolved.theme.as_deref(), Some("@0x01030005"));
    let unresolved = Manifest::parse(&file, None).unwrap().application;
    assert_eq!((unresolved.label, unresolved.enabled), (None, true));
}

#[test]
fn levels_are_numbers_or_code_names() {
    let check = |min, target, expected| {
        let mut uses_sdk = Node::new("uses-sdk");
        for (id, value) in [(0x0101_020c, min), (0x0101_0270, target)] {
            if let Some(value) = value {
                uses_sdk = uses_sdk.with("sdk", id, value);
            }
        }
        let manifest = parse(&app(Node::new("application")).child(uses_sdk));
        assert_eq!((manifest.min_sdk, manifest.target_sdk), expected);
    };
    check(None, None, (1, 1));
    check(Some(integer(21)), None, (21, 21));
    check(Some(integer(21)), Some(integer(34)), (21, 34));
    check(Some(text("21")), Some(text("S.0f3a")), (21, 31));
    check(Some(text("IceCreamSandwich")), None, (14, 14));
    check(Some(text("Zabaglione")), None, (sdk::PREVIEW, sdk::PREVIEW));
}

#[test]
fn a_version_has_a_major_half() {
    let root = app(Node::new("application"))
        .with("versionCode", 0x0101_021b, integer(7))
        .with("versionCodeMajor", 0x0101_0576, integer(1))
        .with("versionName", 0x0101_021c, text("1.7"));
    let manifest = parse(&root);
    assert_eq!(manifest.version_code, (1 << 32) + 7);
    assert_eq!(manifest.version_name.as_deref(), Some("1.7"));
}

#[test]
fn what_is_no_manifest_is_named() {
    let check = |root: &Node, expected| {
        assert_eq!(Manifest::parse(&build::xml(root), None), Err(expected));
    };
    check(&Node::new("LinearLayout"), ManifestError::NotAManifest("LinearLayout".to_owned()));
    check(&Node::new("manifest"), ManifestError::NoPackage);
    check(&Node::new("manifest").with("package", 0, text("")), ManifestError::NoPackage);
}
