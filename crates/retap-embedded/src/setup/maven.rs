//! The user's own Maven, so that its settings, mirrors and proxies are respected.

mod output;

use crate::setup::jdk::Jdk;
use crate::setup::{HostEnvironment, Notice, Notify, SetupError};
use output::MavenOutput;
use std::fs;
use std::io::BufReader;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

/// Exit codes of a Maven that was interrupted: 128 and the number of the signal.
const INTERRUPTED_CODES: [i32; 2] = [130, 143];

/// The Maven of this machine and the JDK to run it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maven {
    pub program: PathBuf,
    jdk: Jdk,
    cache: PathBuf,
    repository: Option<String>,
}

/// A task for Maven.
#[derive(Debug)]
pub struct MavenTask<'a> {
    /// The thing that the task provides, for messages.
    pub what: &'a str,
    /// The disk space it needs, both in `folder` and in Maven's own repository.
    pub megabytes: u64,
    pub folder: &'a Path,
    pub arguments: &'a [String],
}

impl Maven {
    /// Finds Maven and a JDK with a compiler. `what` names the thing that needs Maven in messages.
    pub fn find(environment: &HostEnvironment, what: &str) -> Result<Self, SetupError> {
        let folders = environment.path.iter().chain(&environment.maven_folders);
        let program = folders.map(|folder| folder.join("mvn")).find(|program| program.is_file());
        let program = program.ok_or_else(|| SetupError::NoMaven { what: what.to_string() })?;
        let jdk = Jdk::find(environment)?;
        if !jdk.has_compiler() {
            return Err(SetupError::NoCompiler { home: jdk.home });
        }
        let (cache, repository) = (environment.cache.clone(), environment.repository.clone());
        Ok(Self { program, jdk, cache, repository })
    }

    /// Runs a task with the user's settings. If it fails and the environment names a repository, runs
    /// it once more with that repository added.
    pub fn run(&self, task: &MavenTask<'_>, notify: Notify<'_>) -> Result<(), SetupError> {
        // A remark, because this may take minutes and redirected output shows no progress.
        notify(Notice::Remark(&format!("getting {} through Maven (only once)", task.what)));
        let first = self.attempt(task, &[], notify);
        let (Err(SetupError::Maven { .. }), Some(repository)) = (&first, &self.repository) else {
            return first;
        };
        let settings = task.folder.join("added-settings.xml");
        fs::write(&settings, settings_with(repository))
            .map_err(|source| SetupError::Cache { path: settings.clone(), source })?;
        // This replaces the installation's settings, which are usually empty. The user's stay.
        let added = ["-gs".into(), settings.display().to_string()];
        let second = self.attempt(task, &added, notify);
        let _ = fs::remove_file(&settings);
        second
    }

    fn attempt(
        &self,
        task: &MavenTask<'_>,
        added: &[String],
        notify: Notify<'_>,
    ) -> Result<(), SetupError> {
        let cannot_run = |source| SetupError::Run { program: self.program.clone(), source };
        let mut child = self.start(task, added).map_err(cannot_run)?;
        let errors = child.stderr.take().map(read_in_thread);
        let show_download = |file: &str| {
            notify(Notice::Progress(&format!("getting {}: {file}", task.what)));
        };
        let stdout = child.stdout.take();
        let output = stdout.map(|stdout| MavenOutput::read(BufReader::new(stdout), &show_download));
        let status = child.wait().map_err(cannot_run)?;
        if status.success() {
            return Ok(());
        }
        let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
        Err(self.explain(task, status, &output.unwrap_or_default().or(errors)))
    }

    /// Starts Maven in retap's own process group, so that Ctrl-C ends it too.
    #[expect(clippy::disallowed_methods, reason = "this module runs Maven")]
    fn start(&self, task: &MavenTask<'_>, added: &[String]) -> std::io::Result<Child> {
        Command::new(&self.program)
            .args(["--batch-mode", "--update-snapshots"])
            .args(added)
            .args(task.arguments)
            .current_dir(task.folder)
            .env("JAVA_HOME", &self.jdk.home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    fn explain(
        &self,
        task: &MavenTask<'_>,
        status: ExitStatus,
        output: &MavenOutput,
    ) -> SetupError {
        let is_interrupt = |code| INTERRUPTED_CODES.contains(&code);
        if status.signal().is_some() || status.code().is_some_and(is_interrupt) {
            return SetupError::Interrupted;
        }
        let message = output.summary();
        let what = task.what.to_string();
        if message.contains("No space left on device") {
            let megabytes = task.megabytes;
            return SetupError::DiskFull { what, megabytes, cache: self.cache.clone() };
        }
        SetupError::Maven { what, advice: advice(&message), message }
    }
}

/// Reads Maven's errors in a thread of their own, because Maven blocks if either pipe is full.
#[expect(clippy::disallowed_methods, reason = "two pipes must be read at the same time")]
fn read_in_thread(stderr: ChildStderr) -> JoinHandle<MavenOutput> {
    std::thread::spawn(move || MavenOutput::read(BufReader::new(stderr), &|_| {}))
}

/// Returns Maven settings that add one repository for artifacts and plugins.
fn settings_with(repository: &str) -> String {
    let url = repository.replace('&', "&amp;").replace('<', "&lt;");
    let entry = format!("<id>retap-added</id><url>{url}</url>");
    format!(
        "<settings><profiles><profile><id>retap-added</id>\
         <repositories><repository>{entry}</repository></repositories>\
         <pluginRepositories><pluginRepository>{entry}</pluginRepository></pluginRepositories>\
         </profile></profiles>\
         <activeProfiles><activeProfile>retap-added</activeProfile></activeProfiles></settings>\n"
    )
}

/// Returns advice for an error message of Maven.
fn advice(message: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["androidx."]) && !says(&UNREACHABLE) {
        "The androidx artifacts are published in Google's Maven repository. Add it as a repository of an \
         active profile in Maven's settings.xml, or name its address in RETAP_MAVEN_REPOSITORY."
    } else if says(&UNREACHABLE) {
        "First use needs the network (or a mirror in Maven's settings.xml); afterwards none is needed."
    } else {
        "Running `mvn` by hand on any project may show more."
    }
}

/// Parts of messages that say that a repository cannot be reached.
const UNREACHABLE: [&str; 8] = [
    "Unknown host",
    "Name or service not known",
    "Temporary failure in name resolution",
    "Connection refused",
    "Connect to ",
    "timed out",
    "Network is unreachable",
    "offline mode",
];

#[cfg(test)]
mod tests;
