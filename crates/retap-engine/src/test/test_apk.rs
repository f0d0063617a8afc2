//! A test APK and the app that it tests, checked before anything is started.

use crate::Failure;
use retap_apk::{Apk, Instrumentation};
use retap_embedded::TestApk;
use std::path::{Path, PathBuf};

/// The files of an app and of its tests, as the user names them.
#[derive(Debug, Clone, Copy)]
pub struct TestFiles<'a> {
    pub app: &'a Path,
    /// An app without a test APK must test itself, as the tests of a library do.
    pub test: Option<&'a Path>,
    /// The app that the tests belong to, if they drive another one from outside.
    pub driver: Option<&'a Path>,
}

/// An app with its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestTarget {
    pub app: PathBuf,
    pub tests: TestApk,
    pub package: String,
    /// The component of the instrumentation: `PACKAGE/CLASS`.
    pub runner: String,
    /// Whether the tests drive the app from outside, so that it is launched for them.
    pub is_driven: bool,
}

impl TestTarget {
    /// Opens all APKs and checks that they fit.
    pub fn open(files: TestFiles<'_>, runner: Option<&str>) -> Result<Self, Failure> {
        let TestFiles { app, test, driver } = files;
        let app_apk = open(app)?;
        let test_apk = test.map(open).transpose()?;
        let driver_apk = driver.map(open).transpose()?;
        let package = app_apk.manifest.package.clone();
        let tests = test_apk.as_ref().unwrap_or(&app_apk);
        let name = test.unwrap_or(app).display();
        let all = &tests.manifest.instrumentations;
        if all.is_empty() {
            let advice = match test {
                Some(_) if !app_apk.manifest.instrumentations.is_empty() => {
                    "; it is the app's, give the app first and its test APK second"
                }
                Some(_) => "; a test APK is what Gradle's assembleAndroidTest builds",
                None => "; give the app's APK first and its test APK second",
            };
            return Err(Failure::input(format!(
                "{name} declares no instrumentation, so it has no tests to run{advice}"
            )));
        }
        let instrumented = driver_apk.as_ref().unwrap_or(&app_apk);
        let target = &instrumented.manifest.package;
        let instrumentation = choose(all, target, runner)
            .map_err(|reason| Failure::input(format!("{name} cannot test {target}: {reason}")))?;
        check_signers(instrumented, test_apk.as_ref())?;
        Ok(Self {
            app: app.to_owned(),
            tests: match test {
                Some(test) => {
                    TestApk::Beside { test: test.to_owned(), driver: driver.map(Path::to_owned) }
                }
                None => TestApk::Within,
            },
            runner: format!("{}/{}", tests.manifest.package, instrumentation.name),
            package,
            is_driven: driver.is_some(),
        })
    }
}

fn choose<'a>(
    all: &'a [Instrumentation],
    package: &str,
    runner: Option<&str>,
) -> Result<&'a Instrumentation, String> {
    let fitting: Vec<&Instrumentation> =
        all.iter().filter(|one| one.target_package == package).collect();
    if fitting.is_empty() {
        let targets: Vec<&str> = all.iter().map(|one| one.target_package.as_str()).collect();
        return Err(format!("its tests are for {}", targets.join(", ")));
    }
    let names = || fitting.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
    match runner {
        Some(wanted) => fitting
            .iter()
            .find(|one| one.name == wanted || one.name.ends_with(&format!(".{wanted}")))
            .copied()
            .ok_or_else(|| format!("it has no runner {wanted}, but {}", names())),
        None => fitting.first().copied().ok_or_else(names),
    }
}

/// A phone refuses tests that somebody else signed.
fn check_signers(app: &Apk, test: Option<&Apk>) -> Result<(), Failure> {
    let Some(test) = test else { return Ok(()) };
    match (app.signer(), test.signer()) {
        (Some(one), Some(other)) if one != other => Err(Failure::input(format!(
            "{} is signed by another key than {}: a phone does not let it test the app; sign both with one key",
            test.path.display(),
            app.path.display()
        ))),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Apk, Failure> {
    Apk::open(path).map_err(|error| Failure::input(error.to_string()))
}
