//! The command lines of the agent's JVM, and the environment it gets.

use super::folders::ProcessPaths;
use super::recording;
use crate::setup::{AgentSetup, FrameworkFolders, Jdk, PackagingSetup};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file in retap's part of the agent's folder that receives the JVM's output.
pub const LOG: &str = "agent.log";

/// The list of classes from which the JVM makes an archive, and that archive.
pub const CLASS_LIST: &str = "classes.txt";
pub const CLASS_ARCHIVE: &str = "classes.jsa";

/// The password of the debug key, which is no secret: Android's own debug key has the same.
pub const DEBUG_PASSWORD: &str = "android";

const MAIN_CLASS: &str = "dev.retap.agent.Main";

const FLAGS: [&str; 26] = [
    // A device lives for minutes, so start-up and memory matter more than peak speed.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    // No method of the framework runs often in a device's life. Compiled after 15 calls instead of 200, on
    // the core that the app leaves idle, an event takes a fifth less of the app's thread (notes/speed.md).
    "-XX:Tier3InvocationThreshold=15",
    "-XX:Tier3MinInvocationThreshold=8",
    "-XX:Tier3CompileThreshold=150",
    "-XX:Tier0InvokeNotifyFreqLog=3",
    // The same for loops, and while many methods wait for the compiler, as after each new screen.
    "-XX:Tier3BackEdgeThreshold=5000",
    "-XX:Tier0BackedgeNotifyFreqLog=8",
    "-XX:Tier3LoadFeedback=50",
    "-Xshare:auto",
    // Translating a big app needs this much. The app itself is bounded by it too.
    "-Xmx1g",
    // Without this the JVM begins with a part of the machine's memory, most of which stays resident.
    "-Xms384m",
    // Memory that a collection frees is returned to the machine.
    "-XX:MinHeapFreeRatio=20",
    "-XX:MaxHeapFreeRatio=40",
    // Soft references live until memory is short, independent of the clock.
    "-XX:SoftRefLRUPolicyMSPerMB=1000000",
    // An app that uses too much memory meets these limits, and its own OutOfMemoryError, before it
    // meets the sandbox's.
    "-XX:MaxDirectMemorySize=256m",
    "-XX:MaxMetaspaceSize=768m",
    // Both features leave files in a folder that all users share.
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    // Translated dex code has no stack maps.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    // An exception thrown often must keep its stack, because the stack identifies a crash.
    "-XX:-OmitStackTraceInFastThrow",
    // The app must not see this machine's settings.
    "-Dfile.encoding=UTF-8",
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
];

/// Packages of `java.base` whose internals the framework uses.
const OPENED_PACKAGES: [&str; 8] = [
    "java.lang",
    "java.lang.invoke",
    "java.util",
    "java.util.concurrent",
    "java.io",
    "java.nio",
    "java.net",
    "jdk.internal.access",
];

/// Returns the command of a tool of the agent, which works without an app.
pub fn tool_command<'a>(
    setup: &AgentSetup,
    folder: &Path,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> io::Result<Command> {
    plain_command(&setup.jdk, &setup.class_path, folder, arguments)
}

/// Returns the command of a tool that makes or signs APKs.
pub fn packaging_command<'a>(
    setup: &PackagingSetup,
    folder: &Path,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> io::Result<Command> {
    plain_command(&setup.jdk, &setup.class_path, folder, arguments)
}

fn plain_command<'a>(
    jdk: &Jdk,
    jars: &[PathBuf],
    folder: &Path,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> io::Result<Command> {
    let mut command = java_command(jdk, folder)?;
    command.arg("-cp").arg(class_path(jars)?).arg(MAIN_CLASS).args(arguments).stdin(Stdio::null());
    Ok(command)
}

/// Returns the command that makes a key pair in a new keystore. `keytool` makes the certificate too.
#[expect(clippy::disallowed_methods, reason = "this module starts the JDK's programs")]
pub fn keytool_command(jdk: &Jdk, keystore: &Path, folder: &Path) -> io::Result<Command> {
    let log = File::create(folder.join(LOG))?;
    let mut command = Command::new(jdk.home.join("bin/keytool"));
    command
        .args(["-genkeypair", "-storetype", "PKCS12", "-keyalg", "RSA", "-keysize", "2048"])
        .args(["-validity", "10950", "-alias", "retap", "-dname", "CN=retap debug"])
        .args(["-storepass", DEBUG_PASSWORD, "-keystore"])
        .arg(keystore)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command)
}

/// Returns the command of a tool of the agent that works as an agent does, in everything but the app.
pub fn trial_command<'a>(
    setup: &AgentSetup,
    folder: &Path,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> io::Result<Command> {
    let mut command = started_command(setup, &ProcessPaths::same(folder))?;
    command.args(arguments).stdin(Stdio::null());
    Ok(command)
}

/// Returns the command that makes the JVM's archive of the listed classes in `folder`.
pub fn archive_command(setup: &AgentSetup, folder: &Path) -> io::Result<Command> {
    let mut command = java_command(&setup.jdk, folder)?;
    command
        .arg("-Xshare:dump")
        .arg(format!("-XX:SharedClassListFile={CLASS_LIST}"))
        .arg(format!("-XX:SharedArchiveFile={CLASS_ARCHIVE}"))
        .arg("-cp")
        .arg(class_path(&setup.class_path)?)
        .current_dir(folder)
        .stdin(Stdio::null());
    Ok(command)
}

/// Returns the command of an agent. The process inherits no variable, no open file and no folder
/// other than those named here. The socket becomes its standard input.
pub fn agent_command(
    setup: &AgentSetup,
    paths: &ProcessPaths<'_>,
    socket: UnixStream,
) -> io::Result<Command> {
    let mut command = started_command(setup, paths)?;
    command.stdin(Stdio::from(OwnedFd::from(socket)));
    Ok(command)
}

/// Returns the command of an agent up to its arguments.
fn started_command(setup: &AgentSetup, paths: &ProcessPaths<'_>) -> io::Result<Command> {
    let ProcessPaths { settings, work, phone } = *paths;
    let mut command = java_command(&setup.jdk, settings)?;
    if setup.records_samples {
        command.args(recording::flags(settings, work)?);
    }
    command
        .args(OPENED_PACKAGES.map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")))
        // The agent's own jar also rewrites the JDK, so that the world seed decides everything random.
        .args(
            setup
                .class_path
                .iter()
                .filter(|jar| jar.ends_with("retap-agent.jar"))
                .map(|jar| format!("-javaagent:{}", jar.display())),
        )
        .args(setup.framework.iter().flat_map(|FrameworkFolders { level, runtime }| {
            [("framework", level), ("runtime", runtime)]
                .map(|(name, folder)| format!("-Dretap.{name}={}", folder.display()))
        }))
        // Without this file, or if it does not fit, the JVM reads and parses all classes.
        .args(setup.class_archive.iter().flat_map(|file| {
            let name = format!("-XX:SharedArchiveFile={}", file.display());
            [name, "-XX:ArchiveRelocationMode=0".to_string()]
        }))
        .arg(format!("-Dretap.classes.anew={}", setup.reloads_classes))
        .arg(format!("-Djava.io.tmpdir={}", phone.display()))
        .arg(format!("-Duser.home={}", phone.display()))
        .arg(format!("-XX:ErrorFile={}", work.join("fatal.log").display()))
        .arg("-cp")
        .arg(class_path(&setup.class_path)?)
        .arg(MAIN_CLASS)
        .env("TMPDIR", phone)
        // Memory pools per thread would never be returned to the machine, so there is only one.
        .env("MALLOC_ARENA_MAX", "1")
        // On a phone the working folder is `/` too, where nothing can be written.
        .current_dir("/");
    Ok(command)
}

/// Returns the part that all commands share. The output goes to the log in `folder`.
#[expect(clippy::disallowed_methods, reason = "this module starts Java")]
fn java_command(jdk: &Jdk, folder: &Path) -> io::Result<Command> {
    let log = File::create(folder.join(LOG))?;
    let mut command = Command::new(jdk.java());
    command
        .args(FLAGS)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        // Ctrl-C does not reach it, so that an interrupted run writes its coverage too.
        .process_group(0)
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command)
}

fn class_path(jars: &[PathBuf]) -> io::Result<OsString> {
    std::env::join_paths(jars).map_err(io::Error::other)
}
