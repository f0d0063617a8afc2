//! Installing: streamed where the phone can, through a file where it cannot.

use super::shell::PhoneShell;
use super::splits;
use crate::apk::PhoneApp;
use crate::failure::AdbFailure;
use crate::parse::install::parse_install;
use retap_apk::Apk;
use retap_device::DeviceError;
use retap_model::format::shell::quote;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);
/// From this level on `cmd package install` reads the APK from its input.
const STREAMED: u32 = 24;
const FILE: &str = "/data/local/tmp/retap.apk";
const PART: usize = 256 << 10;

const DOWNGRADE: &str = "INSTALL_FAILED_VERSION_DOWNGRADE";

/// What installing depends on.
#[derive(Debug, Clone, Copy)]
pub struct InstallPhone<'a> {
    pub shell: &'a PhoneShell,
    pub api: u32,
    pub abis: &'a str,
    /// True if the version that is there came from retap, so that nobody misses it.
    pub is_ours: bool,
}

/// Installs an app, over an earlier version if there is one.
pub fn install(phone: &InstallPhone<'_>, app: &PhoneApp, apk: &Path) -> Result<(), DeviceError> {
    let mut answer = send(phone, app, apk)?;
    if phone.is_ours && answer.contains(DOWNGRADE) {
        let removed = phone.shell.run_batch(&[&format!("pm uninstall {}", quote(app.package()))]);
        removed.map_err(|failure| failure.lost())?;
        answer = send(phone, app, apk)?;
    }
    parse_install(&answer, app.package(), phone.abis).map_err(DeviceError::App)
}

/// Sends the app and returns the phone's answer.
fn send(phone: &InstallPhone<'_>, app: &PhoneApp, apk: &Path) -> Result<String, DeviceError> {
    let InstallPhone { shell, api, abis, .. } = *phone;
    let opened = Apk::open(apk).map_err(|error| DeviceError::App(error.to_string()))?;
    let options = options(api);
    let answer = if opened.is_bundle() {
        let parts = splits::suitable(&opened.parts, abis).map_err(DeviceError::App)?;
        splits::install(shell, &options, &parts, LIMIT)
    } else {
        let failed =
            |error: std::io::Error| DeviceError::App(format!("{}: {error}", apk.display()));
        let content = std::fs::read(apk).map_err(failed)?;
        match api >= STREAMED {
            true => streamed(shell, &options, &content),
            false => pushed(shell, &options, &content),
        }
    };
    let answer = answer.map_err(|failure| failure.lost())?;
    if !answer.contains('\n') {
        // Every phone says at least a line; what ends before was cut.
        return Err(DeviceError::lost(format!(
            "it was cut off while {} was installed",
            app.package()
        )));
    }
    Ok(answer)
}

/// Returns the flags of a level: replace, allow apps for tests, grant permissions, allow apps for an old Android.
fn options(api: u32) -> String {
    let mut options = String::from("-r -t");
    if api >= 23 {
        options.push_str(" -g");
    }
    if api >= 34 {
        options.push_str(" --bypass-low-target-sdk-block");
    }
    options
}

fn streamed(shell: &PhoneShell, options: &str, content: &[u8]) -> Result<String, AdbFailure> {
    let command = format!("cmd package install {options} -S {}", content.len());
    let mut service = shell.open_exec(&command, LIMIT)?;
    for part in content.chunks(PART) {
        // A phone that refuses the app early closes its side; its answer says why.
        if service.write(part).is_err() {
            break;
        }
    }
    // The phone knows the length. The server takes the end of what is written for the end of the service.
    Ok(String::from_utf8_lossy(&service.read_all()?).into_owned())
}

fn pushed(shell: &PhoneShell, options: &str, content: &[u8]) -> Result<String, AdbFailure> {
    shell.push(FILE, content, LIMIT)?;
    let mut batch = shell.new_batch();
    batch.add(&format!("pm install {options} {FILE} 2>&1"));
    batch.add(&format!("rm -f {FILE}"));
    Ok(shell.run(&batch, 2, LIMIT)?.remove(0).text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_android_gets_the_flags_it_knows() {
        assert_eq!(options(21), "-r -t");
        assert_eq!(options(23), "-r -t -g");
        assert_eq!(options(33), "-r -t -g");
        assert_eq!(options(35), "-r -t -g --bypass-low-target-sdk-block");
    }
}
