use super::*;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

const PATIENCE: Duration = Duration::from_secs(20);

/// A shell script in the agent's place: the socket is its standard input and output.
fn impostor(script: &str) -> Agent {
    let (socket, theirs) = UnixStream::pair().unwrap();
    let out = Stdio::from(OwnedFd::from(theirs.try_clone().unwrap()));
    let mut command = Command::new("sh");
    command.args(["-c", script]).process_group(0).stdin(Stdio::from(OwnedFd::from(theirs)));
    Agent::of(
        nursery::spawn({
            command.stdout(out);
            command
        })
        .unwrap(),
        socket,
    )
}

fn lost(result: Result<Reply, DeviceError>) -> String {
    match result {
        Err(DeviceError::Lost(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reply_is_read_whole() {
    let mut agent =
        impostor(r"head -c 7 >/dev/null; printf '\0\0\0\3'; sleep 0.1; printf '\1\0\1'");
    let reply = agent.call(&Request::Hello, PATIENCE).unwrap();
    assert_eq!(reply, Reply::Hello { version: 1 });
}

#[test]
fn a_silent_agent_is_lost_when_patience_ends() {
    let mut agent = impostor("sleep 60");
    let why = lost(agent.call(&Request::Hello, Duration::from_millis(100)));
    assert!(why.contains("did not answer within"), "{why}");
}

#[test]
fn an_agent_that_dies_is_lost_with_how_it_died() {
    let why = lost(impostor("head -c 7 >/dev/null; exit 4").call(&Request::Hello, PATIENCE));
    assert_eq!(why, "the agent ended with status 4");
    let why = lost(impostor("head -c 7 >/dev/null; kill -9 $$").call(&Request::Hello, PATIENCE));
    assert_eq!(why, "the agent was killed by signal 9");
}

#[test]
fn nonsense_loses_the_agent() {
    let why =
        lost(impostor(r"printf '\377\377\377\377'; sleep 60").call(&Request::Hello, PATIENCE));
    assert!(why.contains("announced 4294967295 bytes"), "{why}");
    let why = lost(impostor(r"printf '\0\0\0\1\11'; sleep 60").call(&Request::Hello, PATIENCE));
    assert_eq!(why, "the agent's reply is damaged: reply 9 is unknown");
}

#[test]
fn what_an_agent_started_ends_with_it() {
    let mut agent = impostor(r"head -c 7 >/dev/null; sleep 600 & printf '\0\0\0\1\6'; wait");
    agent.call(&Request::Hello, PATIENCE).unwrap();
    let group = Pid::from_raw(agent.id() as i32).unwrap();
    drop(agent);
    let until = Instant::now() + PATIENCE;
    while rustix::process::test_kill_process_group(group).is_ok() {
        assert!(Instant::now() < until, "something of the group lives on");
        std::thread::yield_now();
    }
}

#[test]
fn a_child_outlives_the_thread_that_asked_for_it() {
    let mut agent = std::thread::spawn(|| impostor(r"head -c 7 >/dev/null; printf '\0\0\0\1\6'"))
        .join()
        .unwrap();
    assert_eq!(agent.call(&Request::Hello, PATIENCE).unwrap(), Reply::Quit);
}

#[test]
fn the_last_words_are_what_was_thrown_and_where_not_the_bottom_of_its_stack() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("agent.log");
    let said = |text: &str| {
        fs::write(&log, text).unwrap();
        last_words(&log)
    };
    assert_eq!(said(""), None);
    assert_eq!(said("a word\nthe last\n\n").as_deref(), Some("the last"));
    let trace = "before\njava.lang.Error: outer\n\tat a.B.c(B.java:1)\n\tat java.Thread.run(T:2)\n\
                 Caused by: inner\n\tat d.E.f(E.java:3)\n\t... 1 more\n";
    assert_eq!(
        said(trace).as_deref(),
        Some("java.lang.Error: outer at a.B.c(B.java:1) Caused by: inner at d.E.f(E.java:3)")
    );
}
