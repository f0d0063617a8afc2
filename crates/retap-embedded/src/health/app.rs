//! Checks whether one app can run on the embedded device, and which features of a phone it will miss.

use super::HealthCheck;
use crate::app_package::device_error;
use crate::compatibility::{Compatibility, MissingFeature, Obstacle, find_missing_features};
use crate::setup::API_LEVELS;
use retap_apk::Apk;
use retap_device::DeviceError;
use std::path::Path;

/// The number of classes that are named. The rest are counted.
const MAX_NAMED: usize = 3;

/// Reads the app and starts nothing.
pub fn check_app(apk: &Path) -> Result<Vec<HealthCheck>, DeviceError> {
    let apk = Apk::open(apk).map_err(device_error)?;
    let code = apk.code().map_err(device_error)?.code;
    let package = &apk.manifest.package;
    let tests = apk.manifest.instrumentations.iter().map(|one| {
        let found =
            format!("{} tests {}: retap test APP.apk TEST.apk", one.name, one.target_package);
        HealthCheck::passed("tests", found)
    });
    let tests: Vec<HealthCheck> = tests.collect();
    let (first, warnings) = match Compatibility::check(&apk, &code, API_LEVELS) {
        Compatibility::Runs { api_level, warnings } => (
            HealthCheck::passed("app", format!("{package} runs at API level {api_level}")),
            warnings,
        ),
        // A test APK is not launched, so that it needs no launcher.
        Compatibility::Refused { obstacles, warnings }
            if !tests.is_empty() && obstacles == [Obstacle::NoLauncher] =>
        {
            (HealthCheck::passed("app", format!("{package} is a test APK")), warnings)
        }
        Compatibility::Refused { obstacles, warnings } => {
            let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
            let found = format!("{package} cannot run here: {}", reasons.join("; "));
            (HealthCheck::failed("app", found, "it needs a phone or an emulator"), warnings)
        }
    };
    let warned = warnings.iter().map(|warning| HealthCheck::passed("warning", warning.to_string()));
    let missing = find_missing_features(&code, package);
    let missing =
        missing.iter().map(|feature| HealthCheck::passed("missing here", describe(feature)));
    Ok([first].into_iter().chain(tests).chain(warned).chain(missing).collect())
}

fn describe(missing: &MissingFeature) -> String {
    let MissingFeature { feature, instead, classes, libraries } = missing;
    let mut users: Vec<String> = classes.iter().take(MAX_NAMED).cloned().collect();
    if classes.len() > MAX_NAMED {
        users.push(format!("{} more classes", classes.len() - MAX_NAMED));
    }
    users.extend(libraries.iter().map(|library| format!("the library {library}")));
    format!("{feature} ({instead}), used by {}", users.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn users_of_a_missing_feature_are_named_or_counted() {
        let mut missing = MissingFeature {
            feature: "camera",
            instead: "there is none",
            classes: ["a.A", "a.B"].map(String::from).into(),
            libraries: BTreeSet::from(["CameraX"]),
        };
        let few = "camera (there is none), used by a.A, a.B, the library CameraX";
        assert_eq!(describe(&missing), few);
        missing.classes.extend(["a.C", "a.D", "a.E"].map(String::from));
        let many =
            "camera (there is none), used by a.A, a.B, a.C, 2 more classes, the library CameraX";
        assert_eq!(describe(&missing), many);
    }
}
