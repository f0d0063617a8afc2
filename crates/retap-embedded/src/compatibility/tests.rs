//! The apps that the embedded device accepts, and the reasons for the others.

use super::*;
use retap_apk::{
    Activity, AppComponent, Application, Call, DexClass, DexMethod, IntentFilter, LaunchMode,
    MethodReference,
};

const LEVELS: RangeInclusive<u32> = 23..=35;
const LIBRARIES: &[&str] = &["libm.so", "libn.so"];

/// The manifest of the app `a.b`, whose launcher activity is this class.
fn manifest(launcher: Option<&str>) -> Manifest {
    Manifest {
        package: "a.b".into(),
        split: None,
        split_required: false,
        version_name: None,
        version_code: 1,
        min_sdk: 1,
        target_sdk: 1,
        application: Application { enabled: true, ..Application::default() },
        activities: launcher.into_iter().map(launcher_activity).collect(),
        aliases: Vec::new(),
        services: Vec::new(),
        receivers: Vec::new(),
        providers: Vec::new(),
        permissions: Vec::new(),
        libraries: Vec::new(),
        features: Vec::new(),
        instrumentations: Vec::new(),
    }
}

fn launcher_activity(class: &str) -> Activity {
    let filter = IntentFilter {
        actions: vec!["android.intent.action.MAIN".into()],
        categories: vec!["android.intent.category.LAUNCHER".into()],
        ..IntentFilter::default()
    };
    Activity {
        component: AppComponent {
            name: class.into(),
            enabled: true,
            exported: true,
            permission: None,
            process: None,
            filters: vec![filter],
            meta_data: Default::default(),
        },
        label: None,
        theme: None,
        launch_mode: LaunchMode::Standard,
        task_affinity: None,
        parent: None,
        no_history: false,
    }
}

/// A class with one method that loads a library of that name.
fn loader(class: &str, name: Option<&str>) -> DexClass {
    let target = MethodReference {
        class: "Ljava/lang/System;".into(),
        name: "loadLibrary".into(),
        descriptor: "(Ljava/lang/String;)V".into(),
    };
    let method = DexMethod {
        name: "<clinit>".into(),
        descriptor: "()V".into(),
        access: 8,
        code_units: 6,
        calls: vec![Call { target: target.into(), text: name.map(Into::into) }],
    };
    DexClass {
        descriptor: class.into(),
        access: 1,
        superclass: Some("Ljava/lang/Object;".into()),
        interfaces: Vec::new(),
        methods: vec![method],
    }
}

fn check(manifest: &Manifest, libraries: &[&str], classes: Vec<DexClass>, expected: &str) {
    let library = |file: &&str| NativeLibrary {
        file: (*file).to_owned(),
        abis: BTreeSet::from(["x86".to_owned()]),
    };
    let native_libraries: Vec<_> = libraries.iter().map(library).collect();
    let code = Code::new(classes);
    let contents = AppContents {
        manifest,
        native_libraries: &native_libraries,
        has_splits: false,
        code: &code,
    };
    let compatibility = Compatibility::check_contents(contents, &LEVELS);
    assert_eq!(compatibility.to_string(), expected);
}

#[test]
fn the_api_level_is_the_one_nearest_to_the_target() {
    let check = |min_sdk, target_sdk, expected| {
        let manifest = Manifest { min_sdk, target_sdk, ..manifest(Some("a.b.Main")) };
        check(&manifest, &[], vec![], expected);
    };
    check(1, 8, "runs at API level 26");
    check(1, 25, "runs at API level 26");
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
fn native_code_that_the_app_loads_is_a_warning() {
    let check =
        |class, expected| check(&manifest(Some("a.b.Main")), LIBRARIES, vec![class], expected);
    check(
        loader("La/b/Main;", Some("m")),
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libm.so, loaded by a.b.Main\n\
         warning: no code was found that loads libn.so",
    );
    check(
        loader("La/b/Main;", Some("/data/lib/libn.so")),
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libn.so, loaded by a.b.Main\n\
         warning: no code was found that loads libm.so",
    );
    check(
        loader("La/b/Main;", None),
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libm.so, libn.so, loaded by a.b.Main",
    );
    check(
        loader("Lio/flutter/Loader;", None),
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libm.so, libn.so, loaded by io.flutter.Loader",
    );
}

#[test]
fn native_methods_are_counted_by_class() {
    let mut class = loader("La/b/Codec;", Some("m"));
    let native = DexMethod { access: 0x101, calls: Vec::new(), ..class.methods[0].clone() };
    class.methods.extend([native.clone(), native]);
    check(
        &manifest(Some("a.b.Main")),
        &["libm.so"],
        vec![class],
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libm.so, loaded by a.b.Codec\n\
         warning: 2 native methods may be missed, of a.b.Codec",
    );
}

#[test]
fn a_load_without_a_name_means_the_libraries_that_no_other_load_names() {
    check(
        &manifest(Some("a.b.Main")),
        LIBRARIES,
        vec![loader("Lio/netty/Loader;", None), loader("La/b/Main;", Some("m"))],
        "runs at API level 26\n\
         warning: native code does not run here, and a call of it ends the trace as a host limitation: libm.so, loaded by a.b.Main\n\
         warning: Netty loads native code and will fail where it does: libn.so",
    );
}

#[test]
fn native_code_that_the_app_does_not_load_is_a_warning() {
    let manifest = manifest(Some("a.b.Main"));
    check(
        &manifest,
        LIBRARIES,
        vec![],
        "runs at API level 26\nwarning: no code was found that loads libm.so, libn.so",
    );
    check(
        &manifest,
        LIBRARIES,
        vec![
            loader("Landroidx/graphics/Path;", Some("m")),
            loader("Lcom/getkeepsafe/relinker/System;", None),
        ],
        "runs at API level 26\n\
         warning: AndroidX loads native code and will fail where it does: libm.so\n\
         warning: no code was found that loads libn.so",
    );
    check(
        &manifest,
        &[],
        vec![loader("La/b/Main;", Some("m")), loader("La/b/Other;", None)],
        "runs at API level 26\n\
         warning: a.b.Main loads the native library m, which is not in the APK",
    );
}

#[test]
fn a_native_launcher_activity_is_an_obstacle() {
    check(
        &manifest(Some("android.app.NativeActivity")),
        &[],
        vec![],
        "cannot run: its launcher activity android.app.NativeActivity is native code, \
         which needs a phone",
    );
}

#[test]
fn every_obstacle_is_named() {
    let manifest = Manifest { split_required: true, min_sdk: 40, target_sdk: 40, ..manifest(None) };
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

#[test]
fn components_that_ask_for_another_process_are_named() {
    let with_process = |process: Option<&str>, launcher_process: Option<&str>| {
        let mut manifest = manifest(Some("a.b.Main"));
        manifest.activities[0].component.process = launcher_process.map(Into::into);
        let mut service = manifest.activities[0].component.clone();
        service.name = "a.b.Upload".into();
        service.process = process.map(Into::into);
        manifest.services.push(service);
        components_of_other_processes(&manifest)
    };
    let named = BTreeSet::from(["a.b.Upload".to_owned()]);
    assert_eq!(with_process(Some(":upload"), None), named);
    assert_eq!(with_process(None, Some(":ui")), named);
    assert_eq!(with_process(None, None), BTreeSet::new());
    assert_eq!(with_process(Some("a.b"), None), BTreeSet::new());
    assert_eq!(with_process(Some(":ui"), Some(":ui")), BTreeSet::new());
    let mut manifest = manifest(Some("a.b.Main"));
    manifest.services.push(manifest.activities[0].component.clone());
    manifest.services[0].process = Some(":upload".into());
    let code = Code::default();
    let contents =
        AppContents { manifest: &manifest, native_libraries: &[], has_splits: false, code: &code };
    let said = Compatibility::check_contents(contents, &LEVELS).to_string();
    assert!(said.contains("share the app's main thread here"), "{said}");
}
