//! Identity, place and blame of crashes.

use super::*;

const WRAPPED: &str = "\
java.lang.RuntimeException: Unable to resume activity {com.app/com.app.Main}: java.lang.NullPointerException: boo
\tat android.app.ActivityThread.performResumeActivity(ActivityThread.java:3128)
\tat java.lang.reflect.Method.invoke(Native Method)
Caused by: java.lang.NullPointerException: boo
\tat com.app.Model.load(Model.java:12)
\tat com.app.Main.onResume(Main.java:40)
\tat android.app.Instrumentation.callActivityOnResume(Instrumentation.java:1269)
\t... 2 more";

fn crash(stack: &str) -> Crash {
    Crash::new("main", stack)
}

#[test]
fn wrappers_messages_and_framework_frames_do_not_change_the_identity() {
    let other_device = "\
java.lang.NullPointerException: Attempt to invoke a method on a null object reference
\tat com.app.Model.load(Model.java:12)
\tat com.app.Main.onResume(Main.java:40)
\tat android.app.Activity.performResume(Activity.java:6119)";
    assert_eq!(crash(WRAPPED).identity("com.app"), crash(other_device).identity("com.app"));
}

#[test]
fn another_line_of_the_app_is_another_crash() {
    let elsewhere = WRAPPED.replace("Model.java:12", "Model.java:13");
    assert_ne!(crash(WRAPPED).identity("com.app"), crash(&elsewhere).identity("com.app"));
}

#[test]
fn another_line_of_the_framework_is_the_same_crash() {
    let elsewhere = WRAPPED.replace("Instrumentation.java:1269", "Instrumentation.java:1");
    assert_eq!(crash(WRAPPED).identity("com.app"), crash(&elsewhere).identity("com.app"));
}

#[test]
fn a_crash_is_the_apps_when_its_package_or_its_code_is_in_the_stack() {
    assert!(crash(WRAPPED).mentions("com.app"));
    assert!(crash(WRAPPED).mentions("com.renamed"));
    let foreign = "java.lang.Error: x\n\tat android.os.Looper.loop(Looper.java:1)";
    assert!(!crash(foreign).mentions("com.app"));
    assert_eq!(crash(WRAPPED).place("com.app").unwrap(), "com.app.Model.load(Model.java:12)");
    assert_eq!(crash(WRAPPED).innermost_class(), "java.lang.NullPointerException");
    assert_eq!(crash(WRAPPED).message(), "boo");
}

#[test]
fn nonsense_has_an_identity_too() {
    for text in ["", "\n\n", "at", "... 9 more", "Caused by:", "at ()", "... x more"] {
        crash(text).identity("com.app");
    }
}

#[test]
fn a_stack_overflow_has_one_identity_however_deep_the_stack_is() {
    let overflow = |frames: &[&str]| {
        let lines: String = frames.iter().map(|f| format!("\tat com.app.{f}\n")).collect();
        crash(&format!("java.lang.StackOverflowError: stack size 8MB\n{lines}"))
    };
    let [a, b] = ["A.select(A.java:3)", "B.changed(B.java:7)"];
    let here = overflow(&[&[a, b].repeat(500)[..], &["Main.onCreate(Main.java:9)"]].concat());
    let there = overflow(&[b, a].repeat(300));
    assert_eq!(here.identity("com.app"), there.identity("com.app"));
}

#[test]
fn the_place_is_in_the_apps_own_code_and_not_in_a_library() {
    let stack = "\
java.lang.IllegalArgumentException: unexpected url
\tat okhttp3.Request$Builder.url(Request.java:145)
\tat kotlin.io.CloseableKt.use(Closeable.kt:20)
\tat com.other.part.Client.post(Client.java:50)
\tat com.app.Login.onClick(Login.java:12)";
    assert_eq!(crash(stack).place("com.app").unwrap(), "com.app.Login.onClick(Login.java:12)");
    let renamed = crash(stack).place("com.renamed").unwrap();
    assert_eq!(renamed, "com.other.part.Client.post(Client.java:50)");
    let only_library = stack.lines().take(2).collect::<Vec<_>>().join("\n");
    let place = crash(&only_library).place("com.app").unwrap();
    assert_eq!(place, "okhttp3.Request$Builder.url(Request.java:145)");
}

/// The same faults as a phone and as this device word them.
#[test]
fn a_crash_on_a_phone_and_here_is_one_crash() {
    let app = "\tat com.app.Main.onClick(Main.java:40)\n";
    for (phone, here) in [
        (
            "java.lang.NullPointerException: Attempt to invoke virtual method \
             'int java.lang.String.length()' on a null object reference",
            "java.lang.NullPointerException: Cannot invoke \"String.length()\" because \
             \"<local1>\" is null",
        ),
        (
            "java.lang.ClassCastException: java.lang.String cannot be cast to java.lang.Integer",
            "java.lang.ClassCastException: class java.lang.String cannot be cast to class \
             java.lang.Integer",
        ),
        (
            "java.lang.ArrayIndexOutOfBoundsException: length=3; index=5",
            "java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3",
        ),
        (
            "java.lang.IndexOutOfBoundsException: Index: 5, Size: 3",
            "java.lang.IndexOutOfBoundsException: Index 5 out of bounds for length 3",
        ),
    ] {
        let phone = format!(
            "FATAL EXCEPTION: main\nProcess: com.app, PID: 2113\n{phone}\n\
             \tat java.util.ArrayList.get(ArrayList.java:411)\n{app}\
             \tat com.app.-$$Lambda$Main$1.onClick(Unknown Source:2)\n\
             \tat android.view.View.performClick(View.java:6597)\n"
        );
        let here = format!(
            "{here}\n\tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n{app}\
             \tat com.app.-$$Lambda$Main$1.onClick(Unknown Source)\n\
             \tat android.view.View.performClick(View.java:7448)\n"
        );
        let (phone, here) = (crash(&phone), crash(&here));
        assert_eq!(phone.identity("com.app"), here.identity("com.app"), "{}", phone.stack);
        assert_eq!(phone.place("com.app"), here.place("com.app"));
        assert_eq!(phone.innermost_class(), here.innermost_class());
    }
}

#[test]
fn a_line_of_logcat_is_read_without_its_prefix() {
    let lines = [
        "java.lang.Error: x",
        "\tat com.app.Main.a(Main.java:1)",
        "Caused by: java.lang.NullPointerException",
        "\tat com.app.Main.b(Main.java:2)",
    ];
    let plain = lines.join("\n");
    let old = lines.map(|line| format!("E/AndroidRuntime(  712): {line}")).join("\n");
    let new = lines
        .map(|line| format!("11-17 01:02:03.004  712  712 E AndroidRuntime: {line}"))
        .join("\n");
    for stack in [old, new] {
        assert_eq!(crash(&stack).identity("com.app"), crash(&plain).identity("com.app"));
    }
}

#[test]
fn a_crash_without_code_of_the_app_is_known() {
    let foreign = "java.lang.RuntimeException: com.app/com.app.Main\n\
                   \tat android.app.ActivityThread.main(ActivityThread.java:1)";
    assert!(!crash(foreign).has_own_code("com.app"));
    assert!(crash(WRAPPED).has_own_code("com.app"));
}
