//! The JDK that runs the agent and Maven: 17 if there is one, for the agent is made for it, else the
//! nearest newer.

use crate::setup::{Machine, SetupError};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const OLDEST: u32 = 17;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// `17` of `17.0.15`, `8` of `1.8.0_392`.
    pub feature: u32,
    /// In full, as it calls itself.
    pub version: String,
}

impl Jdk {
    pub fn find(machine: &Machine) -> Result<Self, SetupError> {
        let found = all(machine);
        let fitting = found.iter().filter(|jdk| jdk.feature >= OLDEST);
        // Of two equals the first: JAVA_HOME before PATH before the usual places. One that can
        // compile is worth more than its rank.
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

/// Every Java there is, each once.
fn all(machine: &Machine) -> Vec<Jdk> {
    let mut jdks: Vec<Jdk> = Vec::new();
    let programs = machine
        .java_home
        .iter()
        .map(|home| home.join("bin/java"))
        .chain(machine.path.iter().map(|folder| folder.join("java")))
        .chain(machine.jdk_folders.iter().flat_map(|folder| inside(folder)));
    for program in programs {
        if let Some(jdk) = of_program(&program)
            && !jdks.iter().any(|known| known.home == jdk.home)
        {
            jdks.push(jdk);
        }
    }
    jdks
}

/// The `java` of each JDK in a folder of JDKs, by name. On macOS a JDK is a bundle.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes
        .iter()
        .flat_map(|home| [home.clone(), home.join("Contents/Home")])
        .map(|home| home.join("bin/java"))
        .collect()
}

fn of_program(program: &Path) -> Option<Jdk> {
    let program = program.canonicalize().ok().filter(|program| program.is_file())?;
    let home = program.parent()?.parent()?;
    let (home, version) = match fs::read_to_string(home.join("release")) {
        Ok(release) => (home.to_owned(), version_of_release(&release)?),
        // A wrapper, or a build without that file: only running it tells.
        Err(_) => ask(&program)?,
    };
    Some(Jdk { home, feature: feature(&version)?, version })
}

fn version_of_release(release: &str) -> Option<String> {
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"').to_string())
}

fn ask(program: &Path) -> Option<(PathBuf, String)> {
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

fn feature(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::script::write_script;

    /// A JDK as far as finding it goes.
    fn make(home: &Path, version: &str, compiler: bool) -> PathBuf {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        if compiler {
            fs::write(home.join("bin/javac"), "").unwrap();
        }
        home.canonicalize().unwrap()
    }

    #[test]
    fn seventeen_wherever_it_is_comes_before_newer_ones() {
        let dir = tempfile::tempdir().unwrap();
        let newer = make(&dir.path().join("newer"), "25.0.1", true);
        let usual = dir.path().join("jvm");
        make(&usual.join("old"), "1.8.0_392", true);
        let fitting = make(&usual.join("seventeen"), "17.0.15", true);
        let machine = Machine {
            java_home: Some(newer.clone()),
            jdk_folders: vec![usual],
            ..Machine::default()
        };
        assert_eq!(Jdk::find(&machine).unwrap().home, fitting);
        let machine = Machine { jdk_folders: Vec::new(), ..machine };
        let jdk = Jdk::find(&machine).unwrap();
        assert_eq!((jdk.home, jdk.feature), (newer, 25));
    }

    #[test]
    fn java_home_comes_before_an_equal_in_path() {
        let dir = tempfile::tempdir().unwrap();
        let first = make(&dir.path().join("a"), "17.0.1", true);
        let second = make(&dir.path().join("b"), "17.0.2", true);
        let machine = Machine {
            java_home: Some(first.clone()),
            path: vec![second.join("bin")],
            ..Machine::default()
        };
        assert_eq!(Jdk::find(&machine).unwrap().home, first);
    }

    #[test]
    fn a_runtime_without_a_compiler_is_the_last_choice() {
        let dir = tempfile::tempdir().unwrap();
        let runtime = make(&dir.path().join("jre"), "17.0.1", false);
        let complete = make(&dir.path().join("jdk"), "21.0.1", true);
        let machine =
            Machine { path: vec![runtime.join("bin"), complete.join("bin")], ..Machine::default() };
        assert_eq!(Jdk::find(&machine).unwrap().home, complete);
    }

    #[test]
    fn what_was_found_is_named_when_none_fits() {
        let dir = tempfile::tempdir().unwrap();
        let old = make(dir.path(), "11.0.2", true);
        let machine = Machine { java_home: Some(old), ..Machine::default() };
        let error = Jdk::find(&machine).unwrap_err().to_string();
        assert!(error.contains("only 11.0.2 in"), "{error}");
        assert!(matches!(Jdk::find(&Machine::default()), Err(SetupError::NoJdk)));
    }

    #[test]
    fn a_java_without_a_release_file_is_asked() {
        let dir = tempfile::tempdir().unwrap();
        let script = "echo '    java.home = /somewhere/jdk' >&2\n\
                      echo '    java.version = 21.0.3' >&2\n\
                      echo '    java.version.date = 2024-04-16' >&2\n";
        write_script(&dir.path().join("java"), script);
        let machine = Machine { path: vec![dir.path().to_owned()], ..Machine::default() };
        let jdk = Jdk::find(&machine).unwrap();
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
