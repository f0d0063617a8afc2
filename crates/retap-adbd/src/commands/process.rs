//! Commands about the shell itself, processes and time.

use super::find;
use crate::phone::{Phone, show_time, unknown};
use crate::shell::Invocation;
use retap_model::Event;
use std::io;

/// The services that `cmd` knows.
const SERVICES: [&str; 7] =
    ["activity", "connectivity", "input", "package", "settings", "uimode", "window"];

/// `cmd SERVICE …`: the services that have a command of their own.
pub fn cmd(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let Some((service, rest)) = invocation.arguments.split_first() else {
        return invocation.complain("cmd: No service specified; use -l to list all services.");
    };
    if service == "-l" {
        let names = SERVICES.map(|name| format!("  {name}\n")).concat();
        invocation.print(&format!("Currently running services:\n{names}"))?;
        return Ok(0);
    }
    let (name, rest) = match service.as_str() {
        "package" => ("pm", rest),
        "activity" => ("am", rest),
        "window" => ("wm", rest),
        "settings" => ("settings", rest),
        "input" => ("input", rest),
        "uimode" | "connectivity" => ("svc", invocation.arguments),
        other => {
            let message = format!("cmd: Can't find service: {other}");
            return invocation.complain(&message).map(|_| 20);
        }
    };
    run_as_command(invocation, name, rest)
}

fn run_as_command(
    invocation: &mut Invocation<'_, '_>,
    name: &str,
    arguments: &[String],
) -> io::Result<u8> {
    match find(name) {
        Some(command) => command(&mut Invocation {
            arguments,
            streams: invocation.streams,
            phone: invocation.phone,
            shell: invocation.shell,
        }),
        None => invocation.complain(&format!("{name}: inaccessible or not found")).map(|_| 127),
    }
}

/// `exec COMMAND …`, which here is the command alone.
pub fn exec(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    match invocation.arguments.split_first() {
        Some((name, rest)) => run_as_command(invocation, name, rest),
        None => Ok(0),
    }
}

/// `timeout SECONDS COMMAND …`: no command of this phone takes time of the client's.
pub fn timeout(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    match invocation.arguments {
        [seconds, name, rest @ ..] if seconds.parse::<f64>().is_ok() => {
            run_as_command(invocation, name, rest)
        }
        _ => invocation.complain("timeout: needs seconds and a command").map(|_| 125),
    }
}

pub fn export(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    for (name, value) in invocation.arguments.iter().filter_map(|word| word.split_once('=')) {
        invocation.shell.variables.insert(name.to_string(), value.to_string());
    }
    Ok(0)
}

pub fn env(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let show = |(name, value): (&String, &String)| format!("{name}={value}\n");
    let text: String = invocation.shell.variables.iter().map(show).collect();
    invocation.print(&text)?;
    Ok(0)
}

/// `sh -c LINE`, `sh FILE`, or lines from the input.
pub fn sh(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let line = match invocation.words().as_slice() {
        ["-c", line, ..] => line.to_string(),
        [file, ..] => match invocation.phone.files().read(&invocation.path(file)) {
            Ok(content) => String::from_utf8_lossy(&content).into_owned(),
            Err(error) => return invocation.complain(&format!("sh: {file}: {error}")),
        },
        [] => String::from_utf8_lossy(&invocation.read_input(1 << 20)?).into_owned(),
    };
    invocation.run_line(&line)
}

/// Lets the app's clock run. Without an app nothing waits.
pub fn sleep(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let text = invocation.arguments.first().map_or("", String::as_str);
    let seconds: f64 = match text.trim_end_matches('s').parse() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => seconds,
        _ => return invocation.complain(&format!("sleep: bad time {text:?}")),
    };
    let ms = (seconds * 1_000.0) as u32;
    if !invocation.shell.background.is_empty() {
        invocation.shell.background.pause(ms);
    } else if ms > 0 {
        invocation.phone.state().perform(&Event::Wait(ms));
    }
    Ok(0)
}

/// Names where a command of this phone would lie.
pub fn which(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let known = invocation.arguments.iter().filter(|name| find(name).is_some());
    let text: String = known.map(|name| format!("/system/bin/{name}\n")).collect();
    invocation.print(&text)?;
    Ok(u8::from(text.is_empty()))
}

pub fn date(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let now = invocation.phone.log.now_ms();
    let text = match invocation.arguments.first().map(String::as_str) {
        Some("+%s") => (now / 1_000).to_string(),
        Some("+%s%3N" | "+%s%N") => now.to_string(),
        Some("+%m-%d %H:%M:%S.%3N" | "+%m-%d %H:%M:%S.000") => show_time(now, false),
        _ => show_time(now, true),
    };
    invocation.print(&format!("{text}\n"))?;
    Ok(0)
}

pub fn id(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let text = match invocation.arguments.first().map(String::as_str) {
        Some("-u") => "2000\n",
        Some("-un") => "shell\n",
        _ => "uid=2000(shell) gid=2000(shell) groups=2000(shell)\n",
    };
    invocation.print(text)?;
    Ok(0)
}

/// Returns the processes of apps.
fn processes(phone: &Phone) -> Vec<(u32, String)> {
    let state = phone.state();
    let running = state.apps.values().filter_map(|app| Some((app.pid?, app.package().to_string())));
    running.collect()
}

pub fn ps(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let mut text =
        String::from("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n");
    let system = [(1, "init".to_string()), (1_000, "system_server".to_string())];
    for (pid, name) in system.into_iter().chain(processes(invocation.phone)) {
        let user = if pid > 1_000 { "u0_a100" } else { "system" };
        text.push_str(&format!(
            "{user:<12} {pid:>5}     1       0      0 0                   0 S {name}\n"
        ));
    }
    invocation.print(&text)?;
    Ok(0)
}

pub fn pidof(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let processes = processes(invocation.phone);
    let named = |name: &String| processes.iter().find(|(_, process)| process == name);
    let found: Vec<String> =
        invocation.arguments.iter().filter_map(named).map(|(pid, _)| pid.to_string()).collect();
    if found.is_empty() {
        return Ok(1);
    }
    invocation.print(&format!("{}\n", found.join(" ")))?;
    Ok(0)
}

/// The app's own files are in the device and not in this tree, so that nobody can run as it.
pub fn run_as(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let package = invocation.arguments.first().map_or("", String::as_str);
    let message = match invocation.phone.state().apps.contains_key(package) {
        true => format!(
            "run-as: the data of {package} are inside the device and cannot be reached over adb"
        ),
        false => format!("run-as: {}", unknown(package)),
    };
    invocation.complain(&message)
}
