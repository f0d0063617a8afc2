//! Shell scripts in Maven's place.

use super::*;
use crate::setup::test_script::write_script;
use std::sync::Mutex;

/// Returns an environment whose Maven is this shell script and whose JDK is made up.
fn environment(dir: &Path, script: &str) -> HostEnvironment {
    let jdk = dir.join("jdk");
    fs::create_dir_all(jdk.join("bin")).unwrap();
    fs::write(jdk.join("release"), "JAVA_VERSION=\"17.0.1\"\n").unwrap();
    fs::write(jdk.join("bin/java"), "").unwrap();
    fs::write(jdk.join("bin/javac"), "").unwrap();
    write_script(&dir.join("mvn"), script);
    HostEnvironment {
        cache: dir.join("cache"),
        java_home: Some(jdk),
        path: vec![dir.to_owned()],
        ..HostEnvironment::default()
    }
}

fn run(environment: &HostEnvironment, folder: &Path, notify: Notify<'_>) -> Result<(), SetupError> {
    let arguments = ["package".to_string()];
    let task = MavenTask { what: "the thing", megabytes: 7, folder, arguments: &arguments };
    Maven::find(environment, "the thing")?.run(&task, notify)
}

/// Returns the message for a Maven that runs this script.
fn error_of(script: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    run(&environment(dir.path(), script), dir.path(), &|_| {}).unwrap_err().to_string()
}

#[test]
fn downloads_are_shown_as_they_happen() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo '[INFO] Downloading from central: scheme://host/a/guava-33.jar'; echo $JAVA_HOME > java";
    let environment = environment(dir.path(), script);
    let shown = Mutex::new(Vec::new());
    let notify = |notice: Notice<'_>| shown.lock().unwrap().push(format!("{notice:?}"));
    run(&environment, dir.path(), &notify).unwrap();
    assert!(shown.lock().unwrap().iter().any(|text| text.contains("the thing: guava-33.jar")));
    let java_home = fs::read_to_string(dir.path().join("java")).unwrap();
    assert_eq!(Path::new(java_home.trim()), dir.path().join("jdk").canonicalize().unwrap());
}

#[test]
fn a_machine_without_network_leads_to_advice_on_the_first_use() {
    let error = error_of(
        "echo '[INFO] Scanning'\n\
         echo '[ERROR] Could not transfer artifact x:y:1 from central: Unknown host -> [Help 1]'\n\
         echo '[ERROR]'\n\
         echo '[ERROR] Re-run Maven using the -X switch'\nexit 1",
    );
    assert!(error.starts_with("the thing could not be fetched: Could not transfer"), "{error}");
    assert!(error.contains("First use needs the network"), "{error}");
    assert!(!error.contains("Re-run") && !error.contains("[Help"), "{error}");
}

#[test]
fn a_missing_androidx_artifact_leads_to_advice_on_its_repository() {
    let error = error_of(
        "echo '[ERROR] Could not find artifact androidx.test:monitor:aar:1.8.0 in central'; exit 1",
    );
    assert!(error.contains("Google's Maven repository"), "{error}");
    assert!(error.contains("RETAP_MAVEN_REPOSITORY"), "{error}");
}

#[test]
fn a_full_disk_is_reported_as_such() {
    let error = error_of("echo '[ERROR] write: No space left on device'; exit 1");
    assert!(error.starts_with("the disk is full: the thing needs about 7 MB"), "{error}");
}

#[test]
fn errors_on_standard_error_are_reported() {
    let error = error_of("echo 'The JAVA_HOME variable is not defined correctly' >&2; exit 1");
    assert!(error.contains("JAVA_HOME variable is not defined correctly"), "{error}");
}

#[test]
fn an_interrupt_is_not_reported_as_a_failure() {
    // Not SIGINT itself, which is ignored if these tests run in the background.
    for script in ["exit 130", "kill -TERM $$"] {
        let dir = tempfile::tempdir().unwrap();
        let result = run(&environment(dir.path(), script), dir.path(), &|_| {});
        assert!(matches!(result, Err(SetupError::Interrupted)), "{script}: {result:?}");
    }
}

#[test]
fn the_named_repository_is_added_if_the_settings_do_not_suffice() {
    let dir = tempfile::tempdir().unwrap();
    let script = "for a in \"$@\"; do last2=$last; last=$a; case $last2$last in -gs*) grep -q 'a&amp;b' $last && exit 0;; esac; done\n\
                  echo '[ERROR] Could not find artifact androidx.test:monitor'; exit 1";
    let environment = environment(dir.path(), script);
    assert!(run(&environment, dir.path(), &|_| {}).is_err());
    let environment =
        HostEnvironment { repository: Some("scheme://host/?a&b".into()), ..environment };
    run(&environment, dir.path(), &|_| {}).unwrap();
}

#[test]
fn a_missing_maven_or_compiler_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let complete = environment(dir.path(), "exit 0");
    fs::remove_file(dir.path().join("jdk/bin/javac")).unwrap();
    let error = Maven::find(&complete, "x").unwrap_err().to_string();
    assert!(error.contains("has no compiler"), "{error}");
    fs::remove_file(dir.path().join("mvn")).unwrap();
    let error = Maven::find(&complete, "the thing").unwrap_err().to_string();
    assert!(error.contains("the thing must still be fetched"), "{error}");
}
