//! The answer of `pm install`: success, or Android's code as a sentence that says what to do.

/// Reads the answer. The error is a sentence.
pub fn parse_install(text: &str, package: &str, abis: &str) -> Result<(), String> {
    if text.lines().any(|line| line.trim().starts_with("Success")) {
        return Ok(());
    }
    let failure = text.split_once("Failure [").map(|(_, rest)| rest);
    let failure = failure.map(|rest| rest.rsplit_once(']').map_or(rest, |(inside, _)| inside));
    let Some(failure) = failure else {
        let said: Vec<&str> = text.split_whitespace().take(40).collect();
        return Err(match said.is_empty() {
            true => format!("the phone did not say whether it installed {package}"),
            false => format!("the phone did not install {package}: {}", said.join(" ")),
        });
    };
    let (code, reason) = failure.split_once(':').unwrap_or((failure, ""));
    let (code, reason) = (code.trim(), reason.trim());
    let sentence = sentence(code, package, abis);
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    Err(match sentence {
        Some(sentence) => format!("{sentence} ({code}{reason})"),
        None => format!("the phone refuses {package} ({code}{reason})"),
    })
}

fn sentence(code: &str, package: &str, abis: &str) -> Option<String> {
    Some(match code {
        "INSTALL_FAILED_INSUFFICIENT_STORAGE" | "INSTALL_FAILED_MEDIA_UNAVAILABLE" => {
            format!("the phone has no space for {package}: remove something from it")
        }
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE" | "INSTALL_FAILED_SHARED_USER_INCOMPATIBLE" => {
            format!(
                "{package} is installed from a build with another signature: `adb uninstall {package}` removes it with its data"
            )
        }
        "INSTALL_FAILED_VERSION_DOWNGRADE" => {
            format!("a newer version of {package} is installed: `adb uninstall {package}` removes it with its data")
        }
        "INSTALL_FAILED_ALREADY_EXISTS" => format!("{package} is installed already"),
        "INSTALL_FAILED_NO_MATCHING_ABIS" | "INSTALL_FAILED_CPU_ABI_INCOMPATIBLE" => {
            format!("{package} has native code for other processors than this phone's ({abis})")
        }
        "INSTALL_FAILED_OLDER_SDK" => format!("{package} needs a newer Android than this phone has"),
        "INSTALL_FAILED_DEPRECATED_SDK_VERSION" => {
            format!("{package} was made for an Android that this phone no longer runs")
        }
        "INSTALL_FAILED_TEST_ONLY" => format!("{package} is for tests only, which this phone refuses"),
        "INSTALL_FAILED_USER_RESTRICTED" => {
            "the phone does not allow installing over USB: allow it in the developer options, or on its screen".into()
        }
        "INSTALL_FAILED_VERIFICATION_FAILURE" | "INSTALL_FAILED_VERIFICATION_TIMEOUT" => {
            "the phone's verifier refuses the app: turn off \"Verify apps over USB\" in the developer options".into()
        }
        "INSTALL_FAILED_MISSING_SPLIT" => {
            format!("{package} is one part of several: give the whole bundle")
        }
        "INSTALL_FAILED_MISSING_SHARED_LIBRARY" => {
            format!("the phone lacks a library that {package} needs")
        }
        "INSTALL_FAILED_CONFLICTING_PROVIDER" => {
            format!("another app on the phone provides what {package} wants to provide")
        }
        code if code.starts_with("INSTALL_PARSE_FAILED_NO_CERTIFICATES")
            || code.starts_with("INSTALL_PARSE_FAILED_UNEXPECTED") =>
        {
            format!("the phone cannot verify the signature of {package}")
        }
        code if code.starts_with("INSTALL_PARSE_FAILED") || code == "INSTALL_FAILED_INVALID_APK" => {
            format!("the phone cannot read the APK of {package}")
        }
        "INSTALL_FAILED_ABORTED" | "INSTALL_CANCELED_BY_USER" => {
            "somebody or something on the phone cancelled the installation".into()
        }
        _ => return None,
    })
}
