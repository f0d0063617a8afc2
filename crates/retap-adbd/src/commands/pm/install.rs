//! `pm install`, and `install-create`, `install-write` and `install-commit` for apps in parts.

use super::{owned, print};
use crate::phone::InstallOptions;
use crate::shell::Invocation;
use std::io;

/// The longest APK that is taken.
const MAX_APK: u64 = 1 << 30;

/// What follows the verb.
#[derive(Debug, Default)]
struct InstallArguments {
    options: InstallOptions,
    size: Option<u64>,
    /// Sessions, names and paths, in this order.
    names: Vec<String>,
}

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = owned(&invocation.words());
    let arguments = parse(&words[1..]);
    match words[0].as_str() {
        "install" => install(invocation, &arguments),
        "install-create" => {
            let number = invocation.phone.state().sessions.begin(arguments.options);
            print(invocation, &format!("Success: created install session [{number}]\n"))
        }
        "install-write" => write(invocation, &arguments),
        "install-commit" => {
            let number = session(&arguments);
            let done = invocation.phone.state().commit(number);
            answer(invocation, done.map(drop).map_err(|failure| failure.to_string()))
        }
        "install-abandon" => {
            let ended = invocation.phone.state().sessions.end(session(&arguments));
            let ended = if ended { Ok(()) } else { Err("no such install session".into()) };
            answer(invocation, ended)
        }
        verb => {
            let message = format!("Unknown command: this phone has no `pm {verb}`");
            invocation.complain(&message)
        }
    }
}

fn parse(words: &[String]) -> InstallArguments {
    let mut found = InstallArguments::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let options = &mut found.options;
        match word.as_str() {
            "-S" => found.size = words.next().and_then(|size| size.parse().ok()),
            "-i" | "-p" | "--user" | "--abi" | "--install-location" | "--pkg"
            | "--originating-uri" | "--referrer" | "--install-reason" => drop(words.next()),
            "-R" => options.keeps_existing = true,
            "-d" => options.may_downgrade = true,
            "-g" => options.grants_permissions = true,
            option if option.len() > 1 && option.starts_with('-') => {}
            name => found.names.push(name.to_string()),
        }
    }
    found
}

fn session(arguments: &InstallArguments) -> u32 {
    arguments.names.first().and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn answer(invocation: &mut Invocation<'_, '_>, done: Result<(), String>) -> io::Result<u8> {
    match done {
        Ok(()) => print(invocation, "Success\n"),
        Err(failure) => print(invocation, &format!("Failure [{failure}]\n")).map(|_| 1),
    }
}

/// Reads an APK: as many bytes of the input as were named, or a file of the phone.
fn read_apk(
    invocation: &mut Invocation<'_, '_>,
    size: Option<u64>,
    file: Option<&String>,
) -> io::Result<Result<Vec<u8>, String>> {
    let file = file.filter(|name| *name != "-");
    Ok(match (size, file) {
        (Some(size), _) if size > MAX_APK => {
            Err("INSTALL_FAILED_INSUFFICIENT_STORAGE: the APK is too long".into())
        }
        (_, Some(name)) => {
            let content = invocation.phone.files().read(&invocation.path(name));
            content
                .map(|content| content.to_vec())
                .map_err(|error| format!("INSTALL_FAILED_INVALID_URI: {name}: {error}"))
        }
        (Some(size), None) => {
            let bytes = invocation.read_input(size)?;
            if (bytes.len() as u64) < size {
                Err(format!("INSTALL_PARSE_FAILED_NOT_APK: {} of {size} bytes came", bytes.len()))
            } else {
                Ok(bytes)
            }
        }
        (None, None) => Err("INSTALL_FAILED_INVALID_URI: no APK was named".into()),
    })
}

fn install(invocation: &mut Invocation<'_, '_>, arguments: &InstallArguments) -> io::Result<u8> {
    let bytes = read_apk(invocation, arguments.size, arguments.names.first())?;
    let installed = bytes.and_then(|bytes| {
        let mut state = invocation.phone.state();
        state.install_bytes(&bytes, arguments.options).map_err(|failure| failure.to_string())
    });
    answer(invocation, installed.map(drop))
}

fn write(invocation: &mut Invocation<'_, '_>, arguments: &InstallArguments) -> io::Result<u8> {
    let name = arguments.names.get(1).cloned().unwrap_or_default();
    let bytes = match read_apk(invocation, arguments.size, arguments.names.get(2))? {
        Ok(bytes) => bytes,
        Err(failure) => return answer(invocation, Err(failure)),
    };
    let length = bytes.len();
    let added = invocation.phone.state().sessions.add(session(arguments), &name, bytes);
    match added {
        Ok(()) => print(invocation, &format!("Success: streamed {length} bytes\n")),
        Err(failure) => answer(invocation, Err(failure)),
    }
}
