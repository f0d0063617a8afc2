//! The code of the fixture apps, read in place: everything that the older, smaller reader sees, and what it does not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use retap_apk::{Apk, DexFile, EncodedValue, Operand, ResourceContent, Visibility};

fn open(name: &str) -> Apk {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Apk::open(folder.join(name)).unwrap()
}

#[test]
fn both_readers_see_the_same_calls() {
    for name in ["notes.apk", "modern.apk", "checks.apk"] {
        let apk = open(name);
        let calls = |it: retap_apk::ClassMethod| {
            let call = |call: &retap_apk::Call| call.target.to_string();
            let class = it.class.descriptor.clone();
            let method = format!("{class}->{}{}", it.method.name, it.method.descriptor);
            (method, it.method.calls.iter().map(call).collect::<Vec<_>>())
        };
        let expected: Vec<_> = apk.code().unwrap().code.methods().map(calls).collect();
        let mut found = Vec::new();
        for file in apk.dex_files().unwrap() {
            for dex in DexFile::parse(&file.bytes).unwrap() {
                for index in 0..dex.header().classes {
                    let class = dex.class(index).unwrap();
                    class.annotations(&dex).unwrap();
                    found.extend(class.methods.iter().map(|method| {
                        let text = |index| {
                            let id = dex.method(index).unwrap();
                            format!(
                                "{}->{}{}",
                                id.class,
                                id.name,
                                dex.descriptor(id.proto).unwrap()
                            )
                        };
                        let code = method.code.iter().flat_map(|code| code.instructions());
                        let called = code.filter_map(|instruction| match instruction.operand {
                            Operand::Method(index) => Some(text(index)),
                            Operand::Polymorphic { method, .. } => Some(text(method)),
                            _ => None,
                        });
                        (text(method.index), called.collect::<Vec<_>>())
                    }));
                }
            }
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn every_instruction_of_a_real_app_decodes_to_its_end() {
    let apk = open("modern.apk");
    let mut names = BTreeSet::new();
    for file in apk.dex_files().unwrap() {
        for dex in DexFile::parse(&file.bytes).unwrap() {
            for index in 0..dex.header().classes {
                for method in dex.class(index).unwrap().methods {
                    let Some(code) = method.code else { continue };
                    let instructions = code.instructions();
                    let last = instructions.last().unwrap();
                    let payloads: Vec<u32> = instructions
                        .iter()
                        .filter_map(|it| match it.operand {
                            Operand::Payload(at) => Some(at),
                            _ => None,
                        })
                        .collect();
                    // Payloads follow the instructions, so that without them the last one ends the code.
                    assert!(!payloads.is_empty() || last.at + last.units == code.units());
                    for it in &instructions {
                        let registers = it.registers.iter().all(|number| number < code.registers);
                        assert!(registers, "{it:?} of {:?}", method.id);
                        names.insert(it.name());
                        if let Operand::Payload(payload) = it.operand {
                            let table = code.switch(it, payload).is_some();
                            assert!(table || code.array_data(payload).is_some(), "{it:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(names.len() > 100, "only {names:?}");
}

#[test]
fn lines_annotations_and_static_values_are_read() {
    let apk = open("notes.apk");
    let files = apk.dex_files().unwrap();
    let dex = &DexFile::parse(&files[0].bytes).unwrap()[0];
    let classes: Vec<_> = (0..dex.header().classes).map(|i| dex.class(i).unwrap()).collect();
    let named = |name: &str| {
        let descriptor = format!("Ldev/retap/fixture/notes/{name};");
        classes.iter().find(|class| class.descriptor == descriptor).unwrap()
    };
    let editor = named("EditorActivity");
    assert_eq!(editor.source, Some("EditorActivity.java"));
    let on_create = editor.methods.iter().find(|method| method.id.name == "onCreate").unwrap();
    let lines = on_create.code.as_ref().unwrap().lines(dex);
    assert!(lines.is_sorted_by_key(|(at, _)| *at) && lines.len() > 5, "{lines:?}");
    let ids = named("R$id");
    let value = |field: &retap_apk::FieldDefinition| match field.value {
        Some(EncodedValue::Integer(value)) => value >> 24 == 0x7f,
        _ => false,
    };
    assert!(!ids.fields.is_empty() && ids.fields.iter().all(value));
    let kinds = |class: &retap_apk::ClassDefinition| {
        let annotations = class.annotations(dex).unwrap().class;
        assert!(annotations.iter().all(|it| it.visibility == Visibility::System));
        annotations.iter().map(|it| it.kind.to_owned()).collect::<Vec<_>>()
    };
    assert!(kinds(ids).contains(&"Ldalvik/annotation/InnerClass;".to_owned()), "{:?}", kinds(ids));
}

#[test]
fn every_resource_has_its_name_and_configuration() {
    let apk = open("checks.apk");
    let table = apk.resources().unwrap();
    let entries = table.entries().unwrap();
    let configurations: BTreeSet<_> = entries.iter().map(|it| &*it.configuration).collect();
    assert!(configurations.is_superset(&BTreeSet::from(["", "de", "land"])), "{configurations:?}");
    assert!(entries.iter().any(|it| matches!(it.content, ResourceContent::Bag(_))));
    for entry in entries.iter().filter(|entry| entry.configuration.is_empty()) {
        assert_eq!(table.name(entry.id).as_ref(), Some(&entry.name));
    }
    assert!(!table.is_overlayable());
}
