//! The JDK that runs the agent and Maven: 17 if there is one, because the agent is made for it, else the
//! oldest newer one.

use crate::setup::{HostEnvironment, SetupError};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest version that can run the agent.
const OLDEST: u32 = 17;

/// A JDK or a Java runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// `17` of `17.0.15`, `8` of `1.8.0_392`.
    pub feature: u32,
    /// The full version, as Java itself reports it.
    pub version: String,
}

impl Jdk {
    /// Finds the JDK that suits the agent best.
    pub fn find(environment: &HostEnvironment) -> Result<Self, SetupError> {
        let found = find_all(environment);
        let fitting = found.iter().filter(|jdk| jdk.feature >= OLDEST);
        // Of two equal ones the first wins: JAVA_HOME, then PATH, then the usual places. A compiler
        // matters more than the version.
        let best = fitting.min_by_key(|jdk| (!jdk.has_compiler(), jdk.feature));
        match best {
            Some(jdk) => Ok(jdk.clone()),
            None if found.is_empty() => Err(SetupError::NoJdk),
            None => {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                Err(SetupError::OldJdk { found: found.join(", ") })
            }
        }
    }

    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    pub fn has_compiler(&self) -> bool {
        self.home.join("bin/javac").is_file()
    }
}

impl std::fmt::Display for Jdk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} in {}", self.version, self.home.display())
    }
}

/// Returns every Java of this machine once.
fn find_all(environment: &HostEnvironment) -> Vec<Jdk> {
    let mut jdks: Vec<Jdk> = Vec::new();
    let programs = environment
        .java_home
        .iter()
        .map(|home| home.join("bin/java"))
        .chain(environment.path.iter().map(|folder| folder.join("java")))
        .chain(environment.jdk_folders.iter().flat_map(|folder| java_programs_in(folder)));
    for program in programs {
        if let Some(jdk) = identify(&program)
            && !jdks.iter().any(|known| known.home == jdk.home)
        {
            jdks.push(jdk);
        }
    }
    jdks
}

/// Returns the `java` of each JDK in a folder of JDKs, by name. On macOS a JDK is a bundle.
fn java_programs_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes
        .iter()
        .flat_map(|home| [home.clone(), home.join("Contents/Home")])
        .map(|home| home.join("bin/java"))
        .collect()
}

/// Returns the JDK of a `java` program.
fn identify(program: &Path) -> Option<Jdk> {
    let program = program.canonicalize().ok().filter(|program| program.is_file())?;
    let home = program.parent()?.parent()?;
    let (home, version) = match fs::read_to_string(home.join("release")) {
        Ok(release) => (home.to_owned(), version_of_release(&release)?),
        // The program is a wrapper, or its JDK has no such file, so it must be run.
        Err(_) => run_to_identify(&program)?,
    };
    Some(Jdk { home, feature: feature(&version)?, version })
}

fn version_of_release(release: &str) -> Option<String> {
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"').to_string())
}

/// Returns the home and the version that a `java` program reports.
#[expect(clippy::disallowed_methods, reason = "this module runs Java to identify it")]
fn run_to_identify(program: &Path) -> Option<(PathBuf, String)> {
    let output = Command::new(program)
        .args(["-XshowSettings:properties", "-version"])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let property = |name: &str| {
        let value = |line: &str| {
            line.trim().strip_prefix(name)?.trim().strip_prefix('=').map(str::to_owned)
        };
        text.lines().find_map(value).map(|value| value.trim().to_string())
    };
    Some((PathBuf::from(property("java.home")?), property("java.version")?))
}

/// Returns the feature number of a version.
fn feature(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::test_script::write_script;

    /// Makes the files by which a JDK is found.
    fn make_jdk(home: &Path, version: &str, compiler: bool) -> PathBuf {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        if compiler {
            fs::write(home.join("bin/javac"), "").unwrap();
        }
        home.canonicalize().unwrap()
    }

    #[test]
    fn version_17_is_preferred_wherever_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let newer = make_jdk(&dir.path().join("newer"), "25.0.1", true);
        let usual = dir.path().join("jvm");
        make_jdk(&usual.join("old"), "1.8.0_392", true);
        let fitting = make_jdk(&usual.join("seventeen"), "17.0.15", true);
        let environment = HostEnvironment {
            java_home: Some(newer.clone()),
            jdk_folders: vec![usual],
            ..HostEnvironment::default()
        };
        assert_eq!(Jdk::find(&environment).unwrap().home, fitting);
        let environment = HostEnvironment { jdk_folders: Vec::new(), ..environment };
        let jdk = Jdk::find(&environment).unwrap();
        assert_eq!((jdk.home, jdk.feature), (newer, 25));
    }

    #[test]
    fn java_home_is_preferred_to_an_equal_version_in_path() {
        let dir = tempfile::tempdir().unwrap();
        let first = make_jdk(&dir.path().join("a"), "17.0.1", true);
        let second = make_jdk(&dir.path().join("b"), "17.0.2", true);
        let environment = HostEnvironment {
            java_home: Some(first.clone()),
            path: vec![second.join("bin")],
            ..HostEnvironment::default()
        };
        assert_eq!(Jdk::find(&environment).unwrap().home, first);
    }

    #[test]
    fn a_runtime_without_a_compiler_is_the_last_choice() {
        let dir = tempfile::tempdir().unwrap();
        let runtime = make_jdk(&dir.path().join("jre"), "17.0.1", false);
        let complete = make_jdk(&dir.path().join("jdk"), "21.0.1", true);
        let environment = HostEnvironment {
            path: vec![runtime.join("bin"), complete.join("bin")],
            ..HostEnvironment::default()
        };
        assert_eq!(Jdk::find(&environment).unwrap().home, complete);
    }

    #[test]
    fn the_versions_found_are_named_if_none_suits() {
        let dir = tempfile::tempdir().unwrap();
        let old = make_jdk(dir.path(), "11.0.2", true);
        let environment = HostEnvironment { java_home: Some(old), ..HostEnvironment::default() };
        let error = Jdk::find(&environment).unwrap_err().to_string();
        assert!(error.contains("only 11.0.2 in"), "{error}");
        assert!(matches!(Jdk::find(&HostEnvironment::default()), Err(SetupError::NoJdk)));
    }

    #[test]
    fn a_java_without_a_release_file_is_run_to_identify_it() {
        let dir = tempfile::tempdir().unwrap();
        let script = "echo '    java.home = /somewhere/jdk' >&2\n\
                      echo '    java.version = 21.0.3' >&2\n\
                      echo '    java.version.date = 2024-04-16' >&2\n";
        write_script(&dir.path().join("java"), script);
        let environment =
            HostEnvironment { path: vec![dir.path().to_owned()], ..HostEnvironment::default() };
        let jdk = Jdk::find(&environment).unwrap();
        assert_eq!((jdk.home, jdk.feature), (PathBuf::from("/somewhere/jdk"), 21));
    }

    #[test]
    fn versions_are_read_in_both_styles() {
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("1.8.0_392"), Some(8));
        assert_eq!(feature("24-ea"), Some(24));
        assert_eq!(feature("x"), None);
    }
}
