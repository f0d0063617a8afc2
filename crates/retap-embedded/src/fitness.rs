//! Whether one app can run on the embedded device, and which parts of a phone it will miss there.

use crate::health::Finding;
use crate::package::refused;
use crate::setup::API_LEVELS;
use retap_apk::{Absence, Apk, Verdict, absences};
use retap_device::DeviceError;
use std::path::Path;

/// So many askers are named, the rest counted.
const NAMED: usize = 3;

/// Reads the app and starts nothing.
pub fn examine_app(apk: &Path) -> Result<Vec<Finding>, DeviceError> {
    let apk = Apk::open(apk).map_err(refused)?;
    let code = apk.code().map_err(refused)?.code;
    let package = &apk.manifest.package;
    let (first, warnings) = match Verdict::of(&apk, &code, API_LEVELS) {
        Verdict::Runs { api_level, warnings } => {
            (Finding::good("app", format!("{package} runs at API level {api_level}")), warnings)
        }
        Verdict::Refused { obstacles, warnings } => {
            let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
            let found = format!("{package} cannot run here: {}", reasons.join("; "));
            (Finding::bad("app", found, "it needs a phone or an emulator"), warnings)
        }
    };
    let warned = warnings.iter().map(|warning| Finding::good("warning", warning.to_string()));
    let missing = absences(&code, package);
    let missing = missing.iter().map(|absence| Finding::good("missing here", describe(absence)));
    Ok([first].into_iter().chain(warned).chain(missing).collect())
}

fn describe(absence: &Absence) -> String {
    let Absence { part, instead, classes, libraries } = absence;
    let mut askers: Vec<String> = classes.iter().take(NAMED).cloned().collect();
    if classes.len() > NAMED {
        askers.push(format!("{} more classes", classes.len() - NAMED));
    }
    askers.extend(libraries.iter().map(|library| format!("the library {library}")));
    format!("{part} ({instead}), used by {}", askers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn who_asks_for_a_missing_part_is_named_or_counted() {
        let mut absence = Absence {
            part: "camera",
            instead: "there is none",
            classes: ["a.A", "a.B"].map(String::from).into(),
            libraries: BTreeSet::from(["CameraX"]),
        };
        let few = "camera (there is none), used by a.A, a.B, the library CameraX";
        assert_eq!(describe(&absence), few);
        absence.classes.extend(["a.C", "a.D", "a.E"].map(String::from));
        let many =
            "camera (there is none), used by a.A, a.B, a.C, 2 more classes, the library CameraX";
        assert_eq!(describe(&absence), many);
    }
}
