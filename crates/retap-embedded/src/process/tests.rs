//! A shell script in the agent's place.

#![expect(clippy::disallowed_methods, reason = "these tests run programs")]

use super::*;
use rustix::process::Pid;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

const TIMEOUT: Duration = Duration::from_secs(20);

/// Starts a shell script in the agent's place, with the socket as its standard input and output.
fn fake_agent(script: &str) -> AgentProcess {
    let (socket, agents_socket) = UnixStream::pair().unwrap();
    let out = Stdio::from(OwnedFd::from(agents_socket.try_clone().unwrap()));
    let mut command = Command::new("sh");
    command.args(["-c", script]).process_group(0).stdin(Stdio::from(OwnedFd::from(agents_socket)));
    command.stdout(out);
    AgentProcess::from_child(&spawner::spawn(command).unwrap(), socket)
}

/// Returns the reason why a device was lost.
fn reason_of(result: Result<AgentReply, DeviceError>) -> String {
    match result {
        Err(DeviceError::Lost(loss)) => loss.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reply_is_read_whole() {
    let mut agent = fake_agent(
        r"head -c 4 >/dev/null; printf '\0\0\0\13'; head -c 8; sleep 0.1; printf '\1\0\1'",
    );
    let reply = agent.call(&AgentRequest::Hello, TIMEOUT).unwrap();
    assert_eq!(reply, AgentReply::Hello { version: 1 });
}

#[test]
fn an_agent_that_stands_still_is_lost() {
    let mut agent = fake_agent("sleep 60");
    agent.standstill = Duration::from_millis(100);
    let reason = reason_of(agent.call(&AgentRequest::Hello, TIMEOUT));
    assert_eq!(reason, "the agent stands still and does not answer");
}

#[test]
fn an_agent_that_ends_is_lost_with_its_exit_status() {
    let reason =
        reason_of(fake_agent("head -c 15 >/dev/null; exit 4").call(&AgentRequest::Hello, TIMEOUT));
    assert_eq!(reason, "the agent ended with status 4");
    let reason = reason_of(
        fake_agent("head -c 15 >/dev/null; kill -9 $$").call(&AgentRequest::Hello, TIMEOUT),
    );
    assert_eq!(reason, "the agent was killed by signal 9");
}

#[test]
fn an_agent_that_sends_nonsense_is_lost() {
    let reason = reason_of(
        fake_agent(r"printf '\377\377\377\377'; sleep 60").call(&AgentRequest::Hello, TIMEOUT),
    );
    assert!(reason.contains("announced 4294967295 bytes"), "{reason}");
    let reason = reason_of(
        fake_agent(r"head -c 4 >/dev/null; printf '\0\0\0\11'; head -c 8; printf '\310'; sleep 60")
            .call(&AgentRequest::Hello, TIMEOUT),
    );
    assert_eq!(reason, "the agent's reply is damaged: reply 200 is unknown");
}

#[test]
fn a_reply_to_another_request_is_refused() {
    let forged = r"head -c 15 >/dev/null; printf '\0\0\0\11\0\0\0\0\0\0\0\0\6'; sleep 60";
    let reason = reason_of(fake_agent(forged).call(&AgentRequest::Hello, TIMEOUT));
    assert!(reason.contains("another request"), "{reason}");
}

#[test]
fn processes_started_by_an_agent_end_with_it() {
    let mut agent = fake_agent(
        r"head -c 4 >/dev/null; sleep 600 & printf '\0\0\0\11'; head -c 8; printf '\6'; wait",
    );
    agent.call(&AgentRequest::Hello, TIMEOUT).unwrap();
    let group = Pid::from_raw(agent.id() as i32).unwrap();
    drop(agent);
    let deadline = Instant::now() + TIMEOUT;
    while rustix::process::test_kill_process_group(group).is_ok() {
        assert!(Instant::now() < deadline, "a process of the group lives on");
        std::thread::yield_now();
    }
}

#[test]
fn a_child_outlives_the_thread_that_asked_for_it() {
    let mut agent = std::thread::spawn(|| {
        fake_agent(r"head -c 4 >/dev/null; printf '\0\0\0\11'; head -c 8; printf '\6'")
    })
    .join()
    .unwrap();
    assert_eq!(agent.call(&AgentRequest::Hello, TIMEOUT).unwrap(), AgentReply::Quit);
}
