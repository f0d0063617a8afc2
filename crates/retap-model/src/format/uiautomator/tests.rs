//! Both dialects, round trips, and hostile files.

use super::*;
use crate::event::Orientation;
use crate::geometry::Rect;
use crate::screen::{Screen, Window, WindowKind};
use crate::widget::Widget;
use proptest::prelude::*;

const NODES: &str = r#"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="1">
  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.app" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,1920]">
    <node index="0" text="Tom &amp; Jerry&#10;2" resource-id="com.app:id/name" class="android.widget.EditText" package="com.app" content-desc="who" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="true" scrollable="false" long-clickable="true" password="false" selected="false" bounds="[-5,72][1080,192]" drawing-order="1" hint="name" />
    <node NAF="true" index="1" text="" resource-id="" class="android.widget.ImageButton" package="com.app" content-desc="" checkable="false" checked="false" clickable="true" enabled="false" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" visible-to-user="false" bounds="[0,192][96,288]" />
  </node>
</hierarchy>
"#;

const CLASSES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<hierarchy index="0" class="hierarchy" rotation="1" width="1080" height="1920">
  <android.widget.FrameLayout index="0" package="com.app" class="android.widget.FrameLayout" text="" enabled="true" bounds="[0,0][1080,1920]" displayed="true">
    <android.widget.EditText index="0" package="com.app" text="Tom &amp; Jerry&#10;2" content-desc="who" resource-id="com.app:id/name" checkable="false" clickable="true" enabled="true" focusable="true" focused="true" long-clickable="true" bounds="[-5,72][1080,192]" displayed="true" a11y-important="true"/>
    <android.widget.ImageButton index="1" package="com.app" clickable="true" enabled="false" focusable="true" bounds="[0,192][96,288]" displayed="false"></android.widget.ImageButton>
  </android.widget.FrameLayout>
</hierarchy>"#;

fn parse(text: &str) -> Result<Screen, String> {
    read(text.as_bytes(), "d.xml").map_err(|error| error.to_string())
}

#[test]
fn both_dialects_say_the_same_screen() {
    let screen = parse(NODES).unwrap();
    assert_eq!(parse(CLASSES).unwrap(), screen);
    assert_eq!(screen.orientation, Orientation::Landscape);
    let [window] = &screen.windows[..] else { panic!("{screen:?}") };
    assert_eq!((window.package.as_str(), window.kind), ("com.app", WindowKind::Activity));
    assert!(window.focused);
    let name = &window.widgets[1];
    assert_eq!(name.text, "Tom & Jerry\n2");
    assert_eq!(name.bounds, Rect::new(-5, 72, 1080, 192));
    assert_eq!((name.depth, name.short_id(), name.description.as_str()), (1, "name", "who"));
    assert!(name.has(Flags::EDITABLE | Flags::VISIBLE | Flags::LONG_CLICKABLE | Flags::FOCUSED));
    assert!(!window.widgets[2].has(Flags::VISIBLE) && !window.widgets[2].has(Flags::EDITABLE));
}

#[test]
fn a_second_root_is_a_window_in_front() {
    let roots = "<hierarchy><node package='a'/><node package='a'><node/></node></hierarchy>";
    let windows = parse(roots).unwrap().windows;
    let kinds: Vec<_> = windows.iter().map(|w| (w.kind, w.focused, w.widgets.len())).collect();
    assert_eq!(kinds, [(WindowKind::Activity, false, 1), (WindowKind::Dialog, true, 2)]);
}

fn check_error(text: &str, expected: &str) {
    let error = parse(text).unwrap_err();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn a_wrong_file_is_answered_with_its_line() {
    check_error("", "d.xml:1: expected a uiautomator dump");
    check_error("<svg/>", "d.xml:1: expected one <hierarchy> around all widgets, found `<svg`");
    check_error("<hierarchy/>\n<hierarchy/>", "d.xml:2: expected one <hierarchy>");
    check_error("<hierarchy rotation='9'/>", "d.xml:1: expected a rotation from 0 to 3, found `9`");
    for bounds in ["", "[0,0]", "[0,0][1,99999999999]", "[0,0][1;2]", "0,0,1,2", "[0,0][1,2]]"] {
        let dump = format!("<hierarchy>\n\n<node bounds='{bounds}'/></hierarchy>");
        check_error(&dump, "d.xml:3: expected bounds such as [0,0][90,40]");
    }
    check_error(
        "<hierarchy><node checked='maybe'/></hierarchy>",
        "d.xml:1: expected true or false",
    );
    check_error("<hierarchy>\n<node>", "d.xml:2: expected a closing tag for every element");
    check_error("<hierarchy><node></hierarchy>", "d.xml:1: expected well-formed XML");
    check_error("</hierarchy>", "d.xml:1: expected well-formed XML");
    check_error("<hierarchy>hello</hierarchy>", "d.xml:1: expected elements only, found `hello`");
    check_error(
        "<hierarchy><node text=oops/></hierarchy>",
        "d.xml:1: expected well-formed attributes",
    );
    let latin = read(&b"<hierarchy>\n<node text='\xe9'/></hierarchy>"[..], "d.xml").unwrap_err();
    assert!(latin.to_string().starts_with("d.xml:2: expected text in UTF-8"), "{latin}");
}

#[test]
fn entity_bombs_do_not_go_off() {
    let bomb = "<!DOCTYPE h [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>\
                <hierarchy><node text='&b;'/></hierarchy>";
    check_error(bomb, "d.xml:1: expected no document type");
    let unknown = "<hierarchy><node text='&b;'/></hierarchy>";
    check_error(unknown, "d.xml:1: expected no entities but XML's own");
}

#[test]
fn depth_number_and_size_are_bounded() {
    let deep = format!("<hierarchy>{}", "<node>".repeat(100_000));
    check_error(&deep, "d.xml:1: expected widgets at most 1000 deep");
    let roots = format!("<hierarchy>{}</hierarchy>", "<node/>".repeat(MAX_WINDOWS + 1));
    check_error(&roots, "d.xml:1: expected at most 200 windows");
    let wide = format!("<hierarchy><node>{}</node></hierarchy>", "<node/>".repeat(MAX_WIDGETS));
    check_error(&wide, "d.xml:1: expected at most 100000 widgets");
    let endless = std::io::BufReader::new(std::io::repeat(b' '));
    let error = read(endless, "d.xml").unwrap_err().to_string();
    assert!(error.starts_with("d.xml:1: expected a dump of at most"), "{error}");
}

#[test]
fn a_written_dump_looks_like_this() {
    let widget = |depth, class: &str| Widget {
        depth,
        class: class.into(),
        bounds: Rect::new(0, 0, 9, 9),
        flags: Flags::ENABLED | Flags::VISIBLE,
        ..Widget::default()
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "p".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 9, 9),
        focused: true,
        widgets: vec![widget(0, "a.Frame"), widget(1, "a.Row$Cell")],
    };
    let screen = Screen { activity: "p.Main".into(), windows: vec![window], ..Screen::default() };
    let mut out = Vec::new();
    write(&mut out, &screen, Dialect::Class).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r#"
    <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
    <hierarchy rotation="0" activity="p.Main">
      <a.Frame index="0" text="" resource-id="" class="a.Frame" package="p" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" visible-to-user="true" bounds="[0,0][9,9]">
        <node index="0" text="" resource-id="" class="a.Row$Cell" package="p" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" visible-to-user="true" bounds="[0,0][9,9]" />
      </a.Frame>
    </hierarchy>
    "#);
}

fn text() -> impl Strategy<Value = String> {
    // Everything that XML 1.0 can hold.
    "[\t\n\r -~äß\u{85}\u{2028}\u{1F600}]{0,8}"
}

fn widget() -> impl Strategy<Value = Widget> {
    let class = prop_oneof![
        Just("android.widget.Button".to_string()),
        Just("a.EditText".to_string()),
        Just("Outer$Inner".to_string()),
        "[a-z.]{1,9}",
        Just("node".to_string()),
    ];
    (0..4u16, class, text(), text(), text(), any::<[i16; 4]>(), 0..1u32 << 12).prop_map(
        |(depth, class, id, text, description, [left, top, right, bottom], bits)| Widget {
            depth,
            flags: {
                let mut flags = Flags::from_bits_truncate(bits);
                flags.set(Flags::EDITABLE, class.ends_with("EditText"));
                flags
            },
            class,
            id,
            text,
            description,
            bounds: Rect::new(left.into(), top.into(), right.into(), bottom.into()),
        },
    )
}

fn screen() -> impl Strategy<Value = Screen> {
    let window = |package: &'static str| {
        proptest::collection::vec(widget(), 1..12).prop_map(move |mut widgets| {
            let mut above = 0;
            for (index, widget) in widgets.iter_mut().enumerate() {
                widget.depth = if index == 0 { 0 } else { widget.depth.clamp(1, above + 1) };
                above = widget.depth;
            }
            Window {
                kind: WindowKind::Activity,
                package: package.into(),
                title: String::new(),
                bounds: widgets[0].bounds,
                focused: package == "front",
                widgets,
            }
        })
    };
    (window("back"), window("front"), text(), any::<bool>()).prop_map(
        |(back, front, activity, landscape)| Screen {
            activity,
            orientation: if landscape { Orientation::Landscape } else { Orientation::Portrait },
            windows: vec![back, front],
        },
    )
}

proptest! {
    #[test]
    fn a_screen_is_read_back_from_either_dialect(screen in screen()) {
        for dialect in [Dialect::Node, Dialect::Class] {
            let mut out = Vec::new();
            write(&mut out, &screen, dialect).unwrap();
            let again = read(&out[..], "d.xml").unwrap();
            prop_assert_eq!(&again, &screen, "{}", String::from_utf8_lossy(&out));
        }
    }
}
