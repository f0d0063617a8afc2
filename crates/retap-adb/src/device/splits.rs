//! Apps in parts: which of them a phone takes, and how they get there.

use super::shell::PhoneShell;
use crate::failure::AdbFailure;
use retap_apk::ApkPart;
use std::io::Read;
use std::time::Duration;

/// The processors that splits are made for, as their names spell them.
const PROCESSORS: [&str; 7] =
    ["arm64_v8a", "armeabi_v7a", "armeabi", "x86_64", "x86", "mips64", "mips"];

/// Returns the parts that a phone takes. Those for other processors are left out; of densities and languages a phone uses
/// what it needs.
///
/// # Errors
/// Fails if a part has native code for other processors alone.
pub fn suitable<'a>(parts: &'a [ApkPart], abis: &str) -> Result<Vec<&'a ApkPart>, String> {
    let names: Vec<&str> = parts.iter().map(|part| part.split.as_deref().unwrap_or("")).collect();
    let kept = choose(&names, abis)?;
    Ok(parts.iter().zip(kept).filter(|(_, is_kept)| *is_kept).map(|(part, _)| part).collect())
}

/// Says of each split whether the phone takes it.
fn choose(names: &[&str], abis: &str) -> Result<Vec<bool>, String> {
    let known: Vec<String> = abis.split(',').map(|abi| abi.trim().replace('-', "_")).collect();
    let found: Vec<Option<(&str, &str)>> = names.iter().map(|name| processor(name)).collect();
    let best = |module: &str| {
        let offers = |abi: &&String| found.contains(&Some((module, abi.as_str())));
        known.iter().find(offers)
    };
    let keep = |split: &Option<(&str, &str)>| match split {
        None => Ok(true),
        Some((module, abi)) => match best(module) {
            Some(best) => Ok(best == abi),
            None => Err(format!(
                "the app has native code for other processors than this phone's ({abis})"
            )),
        },
    };
    found.iter().map(keep).collect()
}

/// Returns the module and the processor that a split belongs to: `camera.config.arm64_v8a`.
fn processor(name: &str) -> Option<(&str, &str)> {
    let (module, word) = match name.rsplit_once("config.") {
        Some((module, word)) => (module.trim_end_matches('.'), word),
        None => return None,
    };
    PROCESSORS.contains(&word).then_some((module, word))
}

/// Installs parts as one app and returns the phone's last answer.
pub fn install(
    shell: &PhoneShell,
    options: &str,
    parts: &[&ApkPart],
    limit: Duration,
) -> Result<String, AdbFailure> {
    let sizes: u64 = parts.iter().map(|part| part.size()).sum();
    let begun = run(shell, &format!("pm install-create {options} -S {sizes}"), limit)?;
    let Some(session) = session_number(&begun) else { return Ok(begun) };
    for (index, part) in parts.iter().enumerate() {
        let size = part.size();
        let command = format!("pm install-write -S {size} {session} {index}.apk -");
        let mut service = shell.open_exec(&command, limit)?;
        let mut content = part.bytes();
        let mut buffer = vec![0; 256 << 10];
        loop {
            let read = content
                .read(&mut buffer)
                .map_err(|source| AdbFailure::Cut { serial: shell.serial().into(), source })?;
            // A phone that refuses a part closes its side; its answer says why.
            if read == 0 || service.write(&buffer[..read]).is_err() {
                break;
            }
        }
        let answer = String::from_utf8_lossy(&service.read_all()?).into_owned();
        if !answer.contains("Success") {
            run(shell, &format!("pm install-abandon {session}"), limit)?;
            return Ok(answer);
        }
    }
    run(shell, &format!("pm install-commit {session}"), limit)
}

fn run(shell: &PhoneShell, command: &str, limit: Duration) -> Result<String, AdbFailure> {
    let answer = shell.exec(&format!("{command} 2>&1"), limit)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Reads `Success: created install session [1234]`.
fn session_number(answer: &str) -> Option<u32> {
    let line = answer.lines().find(|line| line.contains("Success"))?;
    line.split_once('[')?.1.split_once(']')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_parts_for_processors_the_phone_takes_its_best() {
        let names = ["", "config.arm64_v8a", "config.armeabi_v7a", "config.xxhdpi", "config.de"];
        let kept = choose(&names, "arm64-v8a,armeabi-v7a").unwrap();
        assert_eq!(kept, [true, true, false, true, true]);
        assert_eq!(choose(&names, "armeabi-v7a").unwrap(), [true, false, true, true, true]);
        assert!(choose(&names, "x86_64,x86").unwrap_err().contains("other processors"));
        let modules = ["", "camera", "camera.config.x86_64", "config.x86", "config.x86_64"];
        assert_eq!(choose(&modules, "x86_64,x86").unwrap(), [true, true, true, false, true]);
    }

    #[test]
    fn the_number_of_a_session_is_read() {
        assert_eq!(session_number("Success: created install session [17]\r\n"), Some(17));
        assert_eq!(session_number("Failure [no space]"), None);
    }
}
