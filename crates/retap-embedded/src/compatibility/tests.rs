//! Which apps the embedded device takes.

use super::*;
use crate::code::{Call, Class, Method, MethodReference};
use crate::resource::build::{Node, boolean, text};
use crate::sample::{self, apk, manifest, named, uses_sdk};

const LEVELS: RangeInclusive<u32> = 23..=35;
const LIBRARIES: &[(&str, &[u8])] = &[("lib/x86/libm.so", b""), ("lib/x86/libn.so", b"")];

/// A class with one method that loads a library of that name.
fn loader(class: &str, name: Option<&str>) -> Class {
    let target = MethodReference {
        class: "Ljava/lang/System;".into(),
        name: "loadLibrary".into(),
        descriptor: "(Ljava/lang/String;)V".into(),
    };
    let method = Method {
        name: "<clinit>".into(),
        descriptor: "()V".into(),
        access: 8,
        code_units: 6,
        calls: vec![Call { target: target.into(), text: name.map(Into::into) }],
    };
    Class {
        descriptor: class.into(),
        access: 1,
        superclass: Some("Ljava/lang/Object;".into()),
        interfaces: Vec::new(),
        methods: vec![method],
    }
}

fn check(manifest: &Node, entries: &[(&str, &[u8])], classes: Vec<Class>, expected: &str) {
    let (_directory, apk) = sample::open(&apk(manifest, entries));
    let verdict = Verdict::of(&apk.unwrap(), &Code::new(classes), LEVELS);
    assert_eq!(verdict.to_string(), expected);
}

#[test]
fn the_level_is_the_target_as_near_as_it_comes() {
    let check = |min, target, expected| {
        check(&manifest().child(uses_sdk(min, target)), &[], vec![], expected);
    };
    check(1, 8, "runs at API level 23");
    check(21, 28, "runs at API level 28");
    check(26, 24, "runs at API level 26");
    check(35, 35, "runs at API level 35");
    check(
        21,
        36,
        "runs at API level 35\nwarning: it is made for API level 36, newer than the 35 it runs at",
    );
    check(36, 36, "cannot run: it needs API level 36, and 35 is the newest there is");
}

#[test]
fn native_code_that_the_app_loads_is_an_obstacle() {
    let check = |class, expected| check(&manifest(), LIBRARIES, vec![class], expected);
    check(
        loader("La/b/Main;", Some("m")),
        "cannot run: native code, which needs a phone, is loaded by a.b.Main: libm.so\n\
         warning: no code was found that loads libn.so",
    );
    check(
        loader("La/b/Main;", Some("/data/lib/libn.so")),
        "cannot run: native code, which needs a phone, is loaded by a.b.Main: libn.so\n\
         warning: no code was found that loads libm.so",
    );
    check(
        loader("La/b/Main;", None),
        "cannot run: native code, which needs a phone, is loaded by a.b.Main: libm.so, libn.so",
    );
    check(
        loader("Lio/flutter/Loader;", None),
        "cannot run: native code, which needs a phone, is loaded by io.flutter.Loader: libm.so, libn.so",
    );
}

#[test]
fn a_load_without_a_name_means_what_no_other_names() {
    check(
        &manifest(),
        LIBRARIES,
        vec![loader("Lio/netty/Loader;", None), loader("La/b/Main;", Some("m"))],
        "cannot run: native code, which needs a phone, is loaded by a.b.Main: libm.so\n\
         warning: Netty loads native code and will fail where it does: libn.so",
    );
}

#[test]
fn native_code_that_only_lies_there_is_a_warning() {
    check(
        &manifest(),
        LIBRARIES,
        vec![],
        "runs at API level 23\nwarning: no code was found that loads libm.so, libn.so",
    );
    check(
        &manifest(),
        LIBRARIES,
        vec![
            loader("Landroidx/graphics/Path;", Some("m")),
            loader("Lcom/getkeepsafe/relinker/System;", None),
        ],
        "runs at API level 23\n\
         warning: AndroidX loads native code and will fail where it does: libm.so\n\
         warning: no code was found that loads libn.so",
    );
    check(
        &manifest(),
        &[],
        vec![loader("La/b/Main;", Some("m")), loader("La/b/Other;", None)],
        "runs at API level 23\n\
         warning: a.b.Main loads the native library m, which is not in the APK",
    );
}

#[test]
fn an_activity_without_java_is_an_obstacle() {
    let entrance = Node::new("intent-filter")
        .child(named("action", "android.intent.action.MAIN"))
        .child(named("category", "android.intent.category.LAUNCHER"));
    let activity = named("activity", "android.app.NativeActivity").child(entrance);
    let manifest = Node::new("manifest").with("package", 0, text("a.b"));
    check(
        &manifest.child(Node::new("application").child(activity)),
        &[],
        vec![],
        "cannot run: its launcher activity android.app.NativeActivity is native code, \
         which needs a phone",
    );
}

#[test]
fn every_obstacle_is_told() {
    let manifest = Node::new("manifest")
        .with("package", 0, text("a.b"))
        .with("isSplitRequired", 0x0101_0591, boolean(true))
        .child(uses_sdk(40, 40));
    check(
        &manifest,
        &[],
        vec![],
        "cannot run: it needs API level 40, and 35 is the newest there is; \
         it has no launcher activity\n\
         warning: it was made to be installed with splits, and there are none: \
         resources may be missing",
    );
}
