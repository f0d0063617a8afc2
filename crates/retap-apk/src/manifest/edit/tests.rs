use super::*;
use crate::manifest::Manifest;
use crate::resource::sample::{XmlNode, boolean, text, xml};
use crate::resource::{Attribute, Element, ResourceValue};
use proptest::prelude::*;

fn provider() -> NewProvider {
    NewProvider { class: "dev.retap.probes.CoverageProvider".into(), authority: "a.b.cover".into() }
}

fn sample() -> XmlNode {
    XmlNode::new("manifest").with("package", 0, text("a.b")).child(
        XmlNode::new("application")
            .with("debuggable", 0x0101_000f, boolean(true))
            .child(XmlNode::new("activity").with("name", NAME, text("a.b.Main"))),
    )
}

/// Returns the element that the provider must become.
fn expected() -> Element {
    let attribute = |name: &str, id, value| Attribute {
        name: name.into(),
        namespace: Some(NAMESPACE.into()),
        id: Some(id),
        value,
    };
    let NewProvider { class, authority } = provider();
    Element {
        name: "provider".into(),
        attributes: vec![
            attribute("name", NAME, ResourceValue::Text(class.into())),
            attribute("exported", EXPORTED, ResourceValue::Boolean(true)),
            attribute("authorities", AUTHORITIES, ResourceValue::Text(authority.into())),
        ],
        children: Vec::new(),
    }
}

/// Checks that the edited file is the old tree with the provider, and nothing else.
fn check(file: &[u8], edited: &[u8]) {
    let mut tree = Element::parse(file).unwrap();
    let edited = Element::parse(edited).unwrap();
    let application = tree.children.iter_mut().find(|child| &*child.name == "application").unwrap();
    let mut added = expected();
    // A packer may have other names beside the ids, and phones go by ids.
    let of_edited = edited.children_named("application").next().unwrap();
    for (attribute, found) in added.attributes.iter_mut().zip(&of_edited.children[0].attributes) {
        attribute.name = found.name.clone();
    }
    application.children.insert(0, added);
    assert_eq!(edited, tree);
}

#[test]
fn the_manifest_gains_a_provider_and_keeps_the_rest() {
    let file = xml(&sample());
    let edited = provider().add_to(&file).unwrap();
    check(&file, &edited);
    let manifest = Manifest::parse(&edited, None).unwrap();
    assert_eq!(manifest.providers.len(), 1);
    assert_eq!(manifest.providers[0].component.name, "dev.retap.probes.CoverageProvider");
    assert_eq!(manifest.activities.len(), 1);
    assert_eq!(edited.len() % 4, 0);
}

#[test]
fn a_manifest_that_is_edited_twice_has_both_providers() {
    let once = provider().add_to(&xml(&sample())).unwrap();
    let twice = provider().add_to(&once).unwrap();
    check(&once, &twice);
}

#[test]
fn a_manifest_without_an_application_is_refused() {
    let refused = |node: &XmlNode| provider().add_to(&xml(node)).unwrap_err();
    assert_eq!(refused(&XmlNode::new("manifest")), ChunkError::Cut("application"));
    let deep =
        XmlNode::new("manifest").child(XmlNode::new("queries").child(XmlNode::new("application")));
    assert_eq!(refused(&deep), ChunkError::Cut("application"));
    assert_eq!(provider().add_to(b"<manifest/>"), Err(ChunkError::PlainText));
}

fn trees() -> impl Strategy<Value = XmlNode> {
    let ids = prop::sample::select(vec![0, NAME, EXPORTED, AUTHORITIES, 0x0101_000f, 0x0101_0001]);
    let attribute = ("[a-zß]{1,6}", ids, ".{0,9}");
    let attributes = prop::collection::vec(attribute, 0..4);
    let element = ("[a-z]{1,8}", attributes).prop_map(|(name, attributes)| {
        attributes
            .into_iter()
            .fold(XmlNode::new(&name), |node, (name, id, value)| node.with(&name, id, text(&value)))
    });
    let inner = element.prop_recursive(3, 12, 3, |inner| {
        ("[a-z]{1,8}", prop::collection::vec(inner, 0..3)).prop_map(|(name, children)| {
            children.into_iter().fold(XmlNode::new(&name), XmlNode::child)
        })
    });
    prop::collection::vec(inner, 0..4).prop_map(|children| {
        let application = children.into_iter().fold(XmlNode::new("application"), XmlNode::child);
        XmlNode::new("manifest").with("package", 0, text("a.b")).child(application)
    })
}

proptest! {
    #[test]
    fn any_tree_keeps_its_content(tree in trees()) {
        let file = xml(&tree);
        check(&file, &provider().add_to(&file).unwrap());
    }
}

#[test]
fn damaged_manifests() {
    let files = [xml(&sample()), provider().add_to(&xml(&sample())).unwrap()];
    let samples: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let words = ["\u{1}\0\u{1c}\0", "\u{80}\u{1}\u{8}\0", "\u{2}\u{1}\u{10}\0", "application"];
    retap_fuzz::fuzz("manifest-edit", &samples, &words, |bytes| {
        let Ok(edited) = provider().add_to(bytes) else { return false };
        let manifest = Element::parse(&edited).expect("what is edited can be read");
        let application = manifest.children_named("application").next().expect("as before");
        assert_eq!(&*application.children[0].name, "provider");
        true
    });
}
