//! Hand-made manifests: Android's defaults, tolerance and references.

use super::*;
use crate::manifest::sdk;
use crate::resource::sample::{
    Resource, XmlNode, boolean, integer, reference, resource_table, text, xml,
};
use crate::sample::{launcher_filter, named};

const NAME: u32 = 0x0101_0003;

fn app(application: XmlNode) -> XmlNode {
    XmlNode::new("manifest").with("package", 0, text("a.b")).child(application)
}

fn parse(root: &XmlNode) -> Manifest {
    Manifest::parse(&xml(root), None).unwrap()
}

#[test]
fn short_class_names_lie_in_the_package() {
    let application = XmlNode::new("application")
        .child(named("activity", ".Dot"))
        .child(named("activity", "Bare"))
        .child(named("activity", "c.d.Full"))
        .child(XmlNode::new("activity"));
    let manifest = parse(&app(application));
    let names: Vec<_> = manifest.activities.iter().map(|a| a.component.name.as_str()).collect();
    assert_eq!(names, ["a.b.Dot", "a.b.Bare", "c.d.Full"]);
}

#[test]
fn attributes_are_found_by_their_id_whatever_their_name() {
    let application = XmlNode::new("application").child(
        XmlNode::new("activity").with("label", NAME, text(".Real")).with(
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
fn attributes_without_an_id_are_found_by_their_name() {
    let application =
        XmlNode::new("application").child(XmlNode::new("activity").with("name", 0, text(".Main")));
    assert_eq!(parse(&app(application)).activities[0].component.name, "a.b.Main");
}

#[test]
fn an_intent_filter_makes_a_component_public_unless_it_says_otherwise() {
    let hidden = named("activity", "Hidden").with("exported", 0x0101_0010, boolean(false));
    let application = XmlNode::new("application")
        .child(named("activity", "Open").child(launcher_filter()))
        .child(named("activity", "Plain"))
        .child(hidden.child(launcher_filter()));
    let manifest = parse(&app(application));
    let exported: Vec<_> = manifest.activities.iter().map(|a| a.component.exported).collect();
    assert_eq!(exported, [true, false, false]);
}

#[test]
fn the_launcher_is_the_first_enabled_component_with_a_launcher_filter() {
    let disabled = named("activity", "Off").with("enabled", 0x0101_000e, boolean(false));
    let alias = named("activity-alias", "Icon").with("targetActivity", 0x0101_0202, text("Main"));
    let application = XmlNode::new("application")
        .child(disabled.child(launcher_filter()))
        .child(alias.child(launcher_filter()))
        .child(named("activity", "Main"));
    let launcher = parse(&app(application)).launcher().unwrap();
    assert_eq!((&*launcher.component, &*launcher.activity), ("a.b.Icon", "a.b.Main"));
}

#[test]
fn an_app_without_a_launcher_filter_has_no_launcher() {
    let view = XmlNode::new("intent-filter").child(named("action", "android.intent.action.VIEW"));
    let dangling =
        named("activity-alias", "Icon").with("targetActivity", 0x0101_0202, text("Gone"));
    let application = XmlNode::new("application")
        .child(named("activity", "Main").child(view))
        .child(dangling.child(launcher_filter()));
    assert_eq!(parse(&app(application)).launcher(), None);
    assert_eq!(parse(&XmlNode::new("manifest").with("package", 0, text("a.b"))).launcher(), None);
}

#[test]
fn references_are_looked_up_in_the_table() {
    let resource = |key, default| Resource { key, default, french: None };
    let table = resource_table(
        &[resource("app_name", text("Notes")), resource("on", boolean(false))],
        false,
    );
    let table = ResourceTable::parse(table).unwrap();
    let application = XmlNode::new("application")
        .with("label", 0x0101_0001, reference(0x7f01_0000))
        .with("enabled", 0x0101_000e, reference(0x7f01_0001))
        .with("theme", 0x0101_0000, reference(0x0103_0005));
    let file = xml(&app(application));
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
        let mut uses_sdk = XmlNode::new("uses-sdk");
        for (id, value) in [(0x0101_020c, min), (0x0101_0270, target)] {
            if let Some(value) = value {
                uses_sdk = uses_sdk.with("sdk", id, value);
            }
        }
        let manifest = parse(&app(XmlNode::new("application")).child(uses_sdk));
        assert_eq!((manifest.min_sdk, manifest.target_sdk), expected);
    };
    check(None, None, (1, 1));
    check(Some(integer(21)), None, (21, 21));
    check(Some(integer(21)), Some(integer(34)), (21, 34));
    check(Some(text("21")), Some(text("S.0f3a")), (21, 31));
    check(Some(text("IceCreamSandwich")), None, (14, 14));
    check(Some(text("Zabaglione")), None, (sdk::PREVIEW_API_LEVEL, sdk::PREVIEW_API_LEVEL));
}

#[test]
fn a_version_has_a_major_half() {
    let root = app(XmlNode::new("application"))
        .with("versionCode", 0x0101_021b, integer(7))
        .with("versionCodeMajor", 0x0101_0576, integer(1))
        .with("versionName", 0x0101_021c, text("1.7"));
    let manifest = parse(&root);
    assert_eq!(manifest.version_code, (1 << 32) + 7);
    assert_eq!(manifest.version_name.as_deref(), Some("1.7"));
}

#[test]
fn a_file_that_is_no_manifest_is_refused_with_the_reason() {
    let check = |root: &XmlNode, expected| {
        assert_eq!(Manifest::parse(&xml(root), None), Err(expected));
    };
    check(&XmlNode::new("LinearLayout"), ManifestError::NotAManifest("LinearLayout".to_owned()));
    check(&XmlNode::new("manifest"), ManifestError::NoPackage);
    check(&XmlNode::new("manifest").with("package", 0, text("")), ManifestError::NoPackage);
    let package = |name: &str| XmlNode::new("manifest").with("package", 0, text(name));
    check(&package("../../x.y"), ManifestError::BadPackage("../../x.y".into()));
    let split = package("a.b").with("split", 0, text("a/../b"));
    check(&split, ManifestError::BadSplit("a/../b".into()));
}
