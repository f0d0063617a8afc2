//! `pm`: what is installed.

mod install;

use crate::phone::{InstalledApp, unknown};
use crate::shell::Invocation;
use std::io;

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let last = words.last().copied().unwrap_or_default().to_string();
    match words.as_slice() {
        ["list", "packages", rest @ ..] => list(invocation, &owned(rest)),
        ["list", "users", ..] => print(invocation, "Users:\n\tUserInfo{0:Owner:c13} running\n"),
        ["list", what, ..] => {
            let message = format!("Error: this phone lists packages and users, not '{what}'");
            invocation.complain(&message)
        }
        ["path", ..] => path(invocation, &last),
        ["clear", ..] => {
            let cleared = invocation.phone.state().clear(&last);
            match cleared {
                Ok(()) => print(invocation, "Success\n"),
                Err(_) => invocation.complain("Failed"),
            }
        }
        ["grant", .., package, permission] => {
            let (package, permission) = (package.to_string(), permission.to_string());
            grant(invocation, &package, &permission, true)
        }
        ["revoke", .., package, permission] => {
            let (package, permission) = (package.to_string(), permission.to_string());
            grant(invocation, &package, &permission, false)
        }
        [verb, ..] if verb.starts_with("install") => install::run(invocation),
        ["uninstall", ..] => {
            let gone = invocation.phone.state().uninstall(&last);
            match gone {
                true => print(invocation, "Success\n"),
                false => print(invocation, "Failure [DELETE_FAILED_INTERNAL_ERROR]\n").map(|_| 1),
            }
        }
        ["dump", package, ..] => {
            let text = super::dumpsys::package(&invocation.phone.state(), package);
            print(invocation, &text)
        }
        ["resolve-activity", ..] => resolve(invocation, &last),
        [] => invocation.complain("pm: name what to do, such as list packages"),
        [verb, ..] => {
            let message = format!("Unknown command: this phone has no `pm {verb}`");
            invocation.complain(&message)
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn print(invocation: &mut Invocation<'_, '_>, text: &str) -> io::Result<u8> {
    invocation.print(text)?;
    Ok(0)
}

/// The path that a client sees; the file is not in the tree that clients reach.
pub fn shown_path(package: &str) -> String {
    format!("/data/app/{package}-1/base.apk")
}

fn list(invocation: &mut Invocation<'_, '_>, rest: &[String]) -> io::Result<u8> {
    let has = |option: &str| rest.iter().any(|word| word == option);
    let filter = rest.iter().rfind(|word| !word.starts_with('-')).cloned().unwrap_or_default();
    let text: String = {
        let state = invocation.phone.state();
        let system = ["android", crate::phone::HOME].map(|name| (name.to_string(), String::new()));
        let system = system.into_iter().filter(|_| !has("-3") && !has("-d"));
        let apps = state.apps.keys().filter(|_| !has("-s") && !has("-d"));
        let apps = apps.map(|package| (package.clone(), shown_path(package)));
        let mut all: Vec<(String, String)> = system.chain(apps).collect();
        all.retain(|(package, _)| package.contains(&filter));
        all.sort();
        let line = |(package, path): &(String, String)| match has("-f") {
            true => format!("package:{path}={package}\n"),
            false => format!("package:{package}\n"),
        };
        all.iter().map(line).collect()
    };
    print(invocation, &text)
}

fn path(invocation: &mut Invocation<'_, '_>, package: &str) -> io::Result<u8> {
    let is_installed = invocation.phone.state().apps.contains_key(package);
    match is_installed {
        true => print(invocation, &format!("package:{}\n", shown_path(package))),
        false => Ok(1),
    }
}

/// Grants are remembered and shown. The device asks the user by itself, as the app's code makes it.
fn grant(
    invocation: &mut Invocation<'_, '_>,
    package: &str,
    permission: &str,
    grants: bool,
) -> io::Result<u8> {
    let result = match invocation.phone.state().apps.get_mut(package) {
        None => Err(unknown(package)),
        Some(app) if !requests(app, permission) => Err(format!(
            "java.lang.SecurityException: Package {package} has not requested permission {permission}"
        )),
        Some(app) if grants => {
            app.granted.insert(permission.to_string());
            Ok(0)
        }
        Some(app) => {
            app.granted.remove(permission);
            Ok(0)
        }
    };
    result.or_else(|error| invocation.complain(&error))
}

fn requests(app: &InstalledApp, permission: &str) -> bool {
    let Some(manifest) = &app.manifest else { return false };
    manifest.permissions.iter().any(|requested| requested == permission)
}

fn resolve(invocation: &mut Invocation<'_, '_>, package: &str) -> io::Result<u8> {
    let launcher = invocation.phone.state().apps.get(package).and_then(InstalledApp::launcher);
    match launcher {
        Some(launcher) => {
            let head = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true";
            print(invocation, &format!("{head}\n{package}/{launcher}\n"))
        }
        None => print(invocation, "No activity found\n").map(|_| 1),
    }
}
