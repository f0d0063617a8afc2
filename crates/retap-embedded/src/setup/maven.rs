//! The user's own Maven, so that its settings, mirrors and proxies are honoured.

use crate::setup::jdk::Jdk;
use crate::setup::{Machine, Notice, Notify, SetupError};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maven {
    pub program: PathBuf,
    jdk: Jdk,
    cache: PathBuf,
    repository: Option<String>,
}

/// One thing to have Maven do.
#[derive(Debug)]
pub struct Errand<'a> {
    /// For people: what cannot be had if it fails.
    pub what: &'a str,
    /// What it takes on the disk, both here and in Maven's own repository.
    pub megabytes: u64,
    pub folder: &'a Path,
    pub arguments: &'a [String],
}

impl Maven {
    pub fn find(machine: &Machine, what: &str) -> Result<Self, SetupError> {
        let folders = machine.path.iter().chain(&machine.maven_folders);
        let program = folders.map(|folder| folder.join("mvn")).find(|program| program.is_file());
        let program = program.ok_or_else(|| SetupError::NoMaven { what: what.to_string() })?;
        let jdk = Jdk::find(machine)?;
        if !jdk.has_compiler() {
            return Err(SetupError::NoCompiler { home: jdk.home });
        }
        let (cache, repository) = (machine.cache.clone(), machine.repository.clone());
        Ok(Self { program, jdk, cache, repository })
    }

    /// Runs with the user's settings; if those do not suffice and another repository was named, once
    /// more with that added.
    pub fn run(&self, errand: &Errand<'_>, notify: Notify<'_>) -> Result<(), SetupError> {
        // Minutes may pass, and who redirects the output sees no progress.
        notify(Notice::Remark(&format!("getting {} through Maven, this once", errand.what)));
        let first = self.attempt(errand, &[], notify);
        let (Err(SetupError::Maven { .. }), Some(repository)) = (&first, &self.repository) else {
            return first;
        };
        let settings = errand.folder.join("added-settings.xml");
        fs::write(&settings, settings_with(repository))
            .map_err(|source| SetupError::Cache { path: settings.clone(), source })?;
        // In place of the installation's settings, which are empty as a rule; the user's stay.
        let added = ["-gs".into(), settings.display().to_string()];
        let second = self.attempt(errand, &added, notify);
        let _ = fs::remove_file(&settings);
        second
    }

    fn attempt(
        &self,
        errand: &Errand<'_>,
        added: &[String],
        notify: Notify<'_>,
    ) -> Result<(), SetupError> {
        let failed = |source| SetupError::Run { program: self.program.clone(), source };
        // In our own process group: Ctrl-C is meant for it too.
        let mut child = Command::new(&self.program)
            .args(["--batch-mode", "--update-snapshots"])
            .args(added)
            .args(errand.arguments)
            .current_dir(errand.folder)
            .env("JAVA_HOME", &self.jdk.home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let errors = child.stderr.take().map(|stderr| {
            std::thread::spawn(move || Complaint::of(BufReader::new(stderr), &|_| {}))
        });
        let mut complaint = Complaint::default();
        if let Some(stdout) = child.stdout.take() {
            let show = |file: &str| {
                notify(Notice::Progress(&format!("getting {}: {file}", errand.what)));
            };
            complaint = Complaint::of(BufReader::new(stdout), &show);
        }
        let status = child.wait().map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let aside = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
        Err(self.explain(errand, status, &complaint.or(aside)))
    }

    fn explain(
        &self,
        errand: &Errand<'_>,
        status: ExitStatus,
        complaint: &Complaint,
    ) -> SetupError {
        const INTERRUPTED: [i32; 2] = [130, 143];
        if status.signal().is_some() || status.code().is_some_and(|c| INTERRUPTED.contains(&c)) {
            return SetupError::Interrupted;
        }
        let message = complaint.condensed();
        let what = errand.what.to_string();
        if message.contains("No space left on device") {
            let megabytes = errand.megabytes;
            return SetupError::DiskFull { what, megabytes, cache: self.cache.clone() };
        }
        SetupError::Maven { what, advice: advice(&message), message }
    }
}

/// What Maven had against it: its last lines, and of those the ones marked as errors.
#[derive(Debug, Default)]
struct Complaint {
    errors: Vec<String>,
    last: String,
}

impl Complaint {
    const MOST: usize = 40;

    fn of(output: impl BufRead, show_download: &dyn Fn(&str)) -> Self {
        let mut complaint = Self::default();
        for line in output.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if let Some(file) = downloading(line) {
                show_download(file);
            } else if let Some(error) = line.strip_prefix("[ERROR]") {
                if complaint.errors.len() < Self::MOST {
                    complaint.errors.push(error.trim().to_string());
                }
            } else if !line.is_empty() {
                complaint.last = line.to_string();
            }
        }
        complaint
    }

    fn or(self, other: Self) -> Self {
        if self.errors.is_empty() && !other.last.is_empty() { other } else { self }
    }

    /// The first sentences, without Maven's advice on itself.
    fn condensed(&self) -> String {
        const LONGEST: usize = 700;
        let noise = [
            "[Help",
            "To see the full",
            "Re-run Maven",
            "For more information",
            "After correcting",
        ];
        let lines: Vec<&str> = self
            .errors
            .iter()
            .map(|line| line.split(" -> [Help").next().unwrap_or(line).trim())
            .filter(|line| !line.is_empty() && !noise.iter().any(|noise| line.starts_with(noise)))
            .collect();
        let text = if lines.is_empty() { self.last.clone() } else { lines.join(" ") };
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }
}

/// The file of `Downloading from central: https://…/guava-33.jar`.
fn downloading(line: &str) -> Option<&str> {
    let line = line.strip_prefix("[INFO] ").unwrap_or(line);
    line.strip_prefix("Downloading from ")?.rsplit('/').next()
}

/// Settings that add one repository, for artifacts and plugins alike.
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

fn advice(message: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["androidx."]) && !says(&OUT_OF_REACH) {
        "The androidx artifacts are published in Google's Maven repository. Add it as a repository of an \
         active profile in Maven's settings.xml, or name its address in RETAP_MAVEN_REPOSITORY."
    } else if says(&OUT_OF_REACH) {
        "First use needs the network (or a mirror in Maven's settings.xml); afterwards none is needed."
    } else {
        "`mvn` itself, run by hand on any project, may tell more."
    }
}

const OUT_OF_REACH: [&str; 8] = [
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
