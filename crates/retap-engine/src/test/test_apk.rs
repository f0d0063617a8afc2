//! A test APK and the app that it tests, checked before anything is started.

use crate::Failure;
use retap_apk::{Apk, Instrumentation};
use retap_embedded::TestApk;
use std::path::{Path, PathBuf};

/// An app with its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestTarget {
    pub app: PathBuf,
    pub tests: TestApk,
    pub package: String,
    /// The component of the instrumentation: `PACKAGE/CLASS`.
    pub runner: String,
}

impl TestTarget {
    /// Opens both APKs. An APK alone must test itself, as the tests of a library do.
    pub fn open(app: &Path, test: Option<&Path>, runner: Option<&str>) -> Result<Self, Failure> {
        let app_apk = open(app)?;
        let test_apk = test.map(open).transpose()?;
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
        let instrumentation = choose(all, &package, runner)
            .map_err(|reason| Failure::input(format!("{name} cannot test {package}: {reason}")))?;
        check_signers(&app_apk, test_apk.as_ref())?;
        Ok(Self {
            app: app.to_owned(),
            tests: match test {
                Some(test) => TestApk::Beside(test.to_owned()),
                None => TestApk::Within,
            },
            runner: format!("{}/{}", tests.manifest.package, instrumentation.name),
            package,
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
