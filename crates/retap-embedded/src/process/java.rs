//! The command line of the agent's JVM, and the narrow surroundings it gets.

use crate::setup::{Framework, Kit};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the JVM says before the agent takes over, in its folder.
pub const LOG: &str = "agent.log";

const MAIN: &str = "dev.retap.agent.Main";

const FLAGS: [&str; 18] = [
    // Start-up and memory count for more than peak speed: a device lives for minutes.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xshare:auto",
    // Room for translating a big app; what an app may use is bounded all the same.
    "-Xmx1g",
    // What a collection frees goes back to the machine.
    "-XX:MinHeapFreeRatio=20",
    "-XX:MaxHeapFreeRatio=40",
    // Caches live until memory is short, not until a clock says so.
    "-XX:SoftRefLRUPolicyMSPerMB=1000000",
    // An app that hoards meets these, and its own OutOfMemoryError, before it meets the cage's.
    "-XX:MaxDirectMemorySize=256m",
    "-XX:MaxMetaspaceSize=768m",
    // Both leave files in a folder that all users share.
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    // Translated dex code has no stack maps.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    // An exception thrown often must not lose its stack: crashes are known by it.
    "-XX:-OmitStackTraceInFastThrow",
    // Nothing of this machine shows through.
    "-Dfile.encoding=UTF-8",
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
];

/// Packages of `java.base` that the framework reaches into.
const OPENED: [&str; 8] = [
    "java.lang",
    "java.lang.invoke",
    "java.util",
    "java.util.concurrent",
    "java.io",
    "java.nio",
    "java.net",
    "jdk.internal.access",
];

/// For what the agent does without an app.
pub fn plain_command<'a>(
    kit: &Kit,
    folder: &Path,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> io::Result<Command> {
    let log = File::create(folder.join(LOG))?;
    let mut command = Command::new(kit.jdk.java());
    command
        .args(FLAGS)
        .arg("-cp")
        .arg(std::env::join_paths(&kit.class_path).map_err(io::Error::other)?)
        .arg(MAIN)
        .args(arguments)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        // An interrupted run writes its coverage too.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command)
}

/// Everything the process may see is named here: no variable, no open file and no folder of ours is
/// handed down but these. The socket becomes its standard input.
pub fn command(kit: &Kit, folder: &Path, socket: UnixStream) -> io::Result<Command> {
    let log = File::create(folder.join(LOG))?;
    let class_path = std::env::join_paths(&kit.class_path).map_err(io::Error::other)?;
    let mut command = Command::new(kit.jdk.java());
    command
        .args(FLAGS)
        .args(OPENED.map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")))
        // The agent's own jar also rewrites the JDK, so that the world seed decides what is chance.
        .args(
            kit.class_path
                .iter()
                .filter(|jar| jar.ends_with("retap-agent.jar"))
                .map(|jar| format!("-javaagent:{}", jar.display())),
        )
        .args(kit.framework.iter().flat_map(|Framework { level, runtime }| {
            [("framework", level), ("runtime", runtime)]
                .map(|(name, folder)| format!("-Dretap.{name}={}", folder.display()))
        }))
        .arg(format!("-Djava.io.tmpdir={}", folder.display()))
        .arg(format!("-Duser.home={}", folder.display()))
        .arg(format!("-XX:ErrorFile={}", folder.join("fatal.log").display()))
        .arg("-cp")
        .arg(class_path)
        .arg(MAIN)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("TMPDIR", folder)
        // One pool of memory instead of one for each thread, which would never be given back.
        .env("MALLOC_ARENA_MAX", "1")
        // As on a phone, where a file without a folder's name goes nowhere.
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command)
}
