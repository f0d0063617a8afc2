//! Longer campaigns: as many events as the design asks for, and a network that falls apart.

use super::{ProcessFleet, explore_twice};
use crate::common::{fake, fixture, retap_command};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

#[test]
fn fifty_thousand_events_survive_kills_every_second() {
    let (expected, found) = explore_twice("50000", Duration::from_secs(1));
    assert_eq!(found["digest"], expected["digest"]);
    assert_eq!(found["events"], 50_000);
}

#[test]
fn the_embedded_device_explores_alike_on_a_disturbed_fleet() {
    let app = fixture("notes.apk");
    let arguments = ["explore", &app, "--seed", "7", "--max-events", "5000", "--no-minimize"];
    let calm = ProcessFleet::start(1);
    let output = calm.path().join("out").display().to_string();
    let expected = calm.run(&[&arguments[..], &["-o", &output]].concat()).json();
    let mut fleet = ProcessFleet::start(3);
    let found = fleet.run_disturbed(&arguments, Duration::from_secs(20)).json();
    assert_eq!(found["digest"], expected["digest"]);
    assert_eq!(found["events"], expected["events"]);
}

/// Needs root, for network namespaces.
#[test]
fn a_partition_of_thirty_seconds_only_takes_thirty_seconds() {
    let ip = |arguments: &str| {
        let status = Command::new("ip").args(arguments.split(' ')).status();
        status.is_ok_and(|status| status.success())
    };
    let name = format!("retap{}", std::process::id() % 1000);
    let (outside, inside) = (format!("{name}a"), format!("{name}b"));
    assert!(ip(&format!("netns add {name}")), "this test needs root and the program ip");
    assert!(ip(&format!("link add {outside} type veth peer name {inside} netns {name}")));
    assert!(ip(&format!("addr add 10.213.7.1/24 dev {outside}")));
    assert!(ip(&format!("link set {outside} up")));
    assert!(ip(&format!("-n {name} addr add 10.213.7.2/24 dev {inside}")));
    assert!(ip(&format!("-n {name} link set {inside} up")));
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store").display().to_string();
    let server = ["-a", "10.213.7.1", "-p", "14222", "-js", "-sd", &store];
    let mut server =
        Command::new("nats-server").args(server).stderr(Stdio::null()).spawn().unwrap();
    let key = folder.path().join("key").display().to_string();
    let public = retap_command(&["fleet", "key", &key]).output().unwrap().stdout;
    let public = String::from_utf8(public).unwrap().trim().to_string();
    let url = "nats://10.213.7.1:14222";
    thread::sleep(Duration::from_secs(1));
    let mut worker = Command::new("ip")
        .args(["netns", "exec", &name, env!("CARGO_BIN_EXE_retap"), "worker", "--fleet", url])
        .args(["--trust", &public, "--redeliver-after", "2s", "-q"])
        .spawn()
        .unwrap();
    let output = folder.path().join("out").display().to_string();
    let notes = fake("notes.fake");
    let explore =
        ["explore", "-d", &notes, "--seed", "7", "--max-events", "20000", "--no-minimize"];
    let fleet = ["-o", &output, "--fleet", url, "--fleet-key", &key, "-j", "3", "--json"];
    let mut command = retap_command(&[&explore[..], &fleet[..]].concat());
    let coordinator = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_secs(3));
    assert!(ip(&format!("link set {outside} down")));
    thread::sleep(Duration::from_secs(30));
    assert!(ip(&format!("link set {outside} up")));
    let found = coordinator.wait_with_output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    let _ = (worker.kill(), worker.wait(), server.kill(), server.wait());
    ip(&format!("netns del {name}"));
    let calm = ProcessFleet::start(1);
    let output = calm.path().join("out").display().to_string();
    let expected = calm.run(&[&explore[..], &["-o", &output]].concat()).json();
    assert_eq!(summary["digest"], expected["digest"]);
}
