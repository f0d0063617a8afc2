use super::*;

#[test]
fn a_units_name_tells_its_package() {
    let check = |kind, name: &str, expected| {
        let unit = Unit { kind, name: name.into(), weight: 1 };
        assert_eq!(unit.package(), expected, "{name}");
    };
    check(UnitKind::Method, "com.app.Main.onClick(Landroid/view/View;)V", "com.app");
    check(UnitKind::Branch, "com.app.Main$1.run()V:17#2", "com.app");
    check(UnitKind::Instruction, "com.app.Main.<init>()V:3/1", "com.app");
    check(UnitKind::Line, "com/app/Main.java:17", "com.app");
    check(UnitKind::Line, "Main.java:17", "");
    check(UnitKind::Branch, "pay", "");
}

#[test]
fn sets_are_written_as_ranges_and_read_back() {
    let set: Coverage = [3, 4, 5, 9, 11, 12].into_iter().collect();
    let text = serde_json::to_string(&set).unwrap();
    assert_eq!(text, r#""3-5 9 11-12""#);
    assert_eq!(serde_json::from_str::<Coverage>(&text).unwrap(), set);
}

#[test]
fn a_huge_range_takes_no_memory_and_a_reversed_one_is_refused() {
    let all: Coverage = serde_json::from_str(r#""0-4294967295""#).unwrap();
    assert_eq!(all.len(), 1 << 32);
    assert!(serde_json::from_str::<Coverage>(r#""9-3""#).is_err());
}

#[test]
fn a_count_adds_up_weights_by_kind() {
    let unit = |kind, weight| Unit { kind, name: String::new(), weight };
    let units = Units::new(vec![
        unit(UnitKind::Instruction, 10),
        unit(UnitKind::Instruction, 5),
        unit(UnitKind::Branch, 1),
    ]);
    let count = units.count(&[1, 2].into_iter().collect());
    assert_eq!(count[&UnitKind::Instruction], CoverageCount { covered: 5, total: 15 });
    assert_eq!(count[&UnitKind::Branch], CoverageCount { covered: 1, total: 1 });
}
