//! Inherited calls and the owners of classes.

use super::*;

fn class(descriptor: &str, superclass: &str, methods: &[&str]) -> DexClass {
    let method = |name: &&str| DexMethod {
        name: (*name).into(),
        descriptor: "()V".into(),
        access: 1,
        code_units: 1,
        calls: Vec::new(),
    };
    DexClass {
        descriptor: descriptor.into(),
        access: 1,
        superclass: Some(superclass.into()),
        interfaces: Vec::new(),
        methods: methods.iter().map(method).collect(),
    }
}

fn check(code: &Code, class: &str, name: &str, expected: Option<&str>) {
    let reference =
        MethodReference { class: class.into(), name: name.into(), descriptor: "()V".into() };
    let found = code.framework_method(&reference).map(|method| method.to_string());
    assert_eq!(found.as_deref(), expected);
}

#[test]
fn an_inherited_call_resolves_to_the_framework_class_that_answers() {
    let code = Code::new(vec![
        class("La/Base;", "Landroid/app/Activity;", &["greet"]),
        class("La/Main;", "La/Base;", &["onCreate"]),
        class("Landroid/support/v4/Pager;", "Landroid/view/ViewGroup;", &["flip"]),
        class("Landroid/app/NewerThing;", "Ljava/lang/Object;", &[]),
        class("La/Egg;", "La/Hen;", &[]),
        class("La/Hen;", "La/Egg;", &[]),
    ]);
    check(&code, "La/Main;", "finish", Some("Landroid/app/Activity;->finish()V"));
    check(&code, "Landroid/app/Activity;", "finish", Some("Landroid/app/Activity;->finish()V"));
    check(&code, "La/Main;", "greet", None);
    check(&code, "Landroid/support/v4/Pager;", "flip", None);
    let newer = "Landroid/app/NewerThing;->go()V";
    check(&code, "Landroid/app/NewerThing;", "go", Some(newer));
    check(&code, "Lcom/gone/Library;", "run", None);
    check(&code, "[I", "clone", None);
    check(&code, "La/Egg;", "lay", None);
}

#[test]
fn classes_are_the_apps_own_or_a_librarys() {
    let code = Code::new(vec![
        class("Lcom/example/Main;", "Ljava/lang/Object;", &[]),
        class("Lcom/example/ui/List;", "Ljava/lang/Object;", &[]),
        class("Landroidx/core/View;", "Ljava/lang/Object;", &[]),
        class("LTop;", "Ljava/lang/Object;", &[]),
    ]);
    let ownership = code.ownership("com.example");
    assert_eq!(ownership.libraries, BTreeMap::from([("AndroidX", 1)]));
    let own = ["", "com.example", "com.example.ui"].map(|package| (package.to_owned(), 1));
    assert_eq!(ownership.own, BTreeMap::from(own));
    assert_eq!(code.classes()[0].name(), "com.example.Main");
}
