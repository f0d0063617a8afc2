//! `am`: starting, stopping and telling apps.

use super::intent::{self, IntentArguments};
use crate::phone::PhoneState;
use crate::shell::Invocation;
use retap_model::event::{Event, Intent, SystemEvent};
use std::io;

pub const MAIN: &str = "android.intent.action.MAIN";

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let Some((verb, rest)) = words.split_first() else {
        return invocation.complain("am: name what to do, such as start or force-stop");
    };
    let package = rest.iter().find(|word| word.contains('.')).map(|word| word.to_string());
    match (*verb, package) {
        ("start" | "start-activity", _) => with_intent(invocation, start),
        ("broadcast", _) => with_intent(invocation, broadcast),
        ("force-stop", Some(package)) => {
            invocation.phone.state().stop(&package);
            Ok(0)
        }
        ("kill", Some(package)) => {
            if let Some(app) = invocation.phone.state().apps.get_mut(&package) {
                app.kill_in_background();
            }
            Ok(0)
        }
        ("kill-all", _) => {
            let mut state = invocation.phone.state();
            for app in state.apps.values_mut() {
                app.kill_in_background();
            }
            Ok(0)
        }
        ("send-trim-memory", Some(package)) => {
            let event = Event::System(SystemEvent::LowMemory);
            let done = invocation.phone.state().perform_on(&package, &event);
            match done {
                true => Ok(0),
                false => invocation.complain(&format!("Error: {package} does not run")),
            }
        }
        ("get-current-user", _) => {
            invocation.print("0\n")?;
            Ok(0)
        }
        (verb, _) => {
            let message = format!("Error: this phone has no `am {verb}` with these arguments");
            invocation.complain(&message)
        }
    }
}

type WithIntent = fn(&mut Invocation<'_, '_>, &IntentArguments) -> io::Result<u8>;

fn with_intent(invocation: &mut Invocation<'_, '_>, act: WithIntent) -> io::Result<u8> {
    let parsed = intent::parse(&invocation.words()[1..]);
    match parsed {
        Ok(arguments) => act(invocation, &arguments),
        Err(error) => invocation.complain(&format!("Error: {error}")),
    }
}

fn start(invocation: &mut Invocation<'_, '_>, arguments: &IntentArguments) -> io::Result<u8> {
    invocation.print(&format!("Starting: {}\n", arguments.show()))?;
    let before = invocation.phone.log.now_ms();
    let started = start_activity(&mut invocation.phone.state(), arguments);
    if let Err(error) = started {
        return invocation.complain(&error);
    }
    if arguments.waits {
        let passed = invocation.phone.log.now_ms() - before;
        let component = invocation.phone.state().front_activity().component();
        invocation.print(&format!(
            "Status: ok\nLaunchState: COLD\nActivity: {component}\nTotalTime: {passed}\nWaitTime: {passed}\nComplete\n"
        ))?;
    }
    Ok(0)
}

/// Starts what an intent asks for. The error is what `am` prints.
fn start_activity(state: &mut PhoneState, arguments: &IntentArguments) -> Result<(), String> {
    let intent = &arguments.intent;
    let front = state.front_app().map(|app| app.package().to_string());
    let named = arguments.named_package().map(str::to_string);
    let unresolved =
        || format!("Error: Activity not started, unable to resolve {}", arguments.show());
    let package = named.clone().or(front).ok_or_else(unresolved)?;
    let Some(app) = state.apps.get(&package) else {
        return Err(match intent.component.as_str() {
            "" => unresolved(),
            component => {
                format!("Error type 3\nError: Activity class {{{component}}} does not exist.")
            }
        });
    };
    let class = intent.component.split_once('/').map(|(_, class)| class.to_string());
    let launcher = app.launcher();
    let is_known = class
        .as_ref()
        .is_none_or(|class| Some(class) == launcher.as_ref() || app.app.activities.contains(class));
    if !is_known {
        return Err(format!(
            "Error type 3\nError: Activity class {{{}}} does not exist.",
            intent.component
        ));
    }
    if arguments.stops_first {
        state.stop(&package);
    }
    if is_launch(intent, launcher.as_deref()) && (class.is_some() || named.is_some()) {
        state.launch(&package)?;
        state.apply_rotation();
        return Ok(());
    }
    if !state.runs(&package) {
        state.launch(&package)?;
        state.apply_rotation();
    }
    state.perform_on(&package, &Event::Intent(intent.clone()));
    Ok(())
}

/// Returns true if the intent does what the app's icon does.
fn is_launch(intent: &Intent, launcher: Option<&str>) -> bool {
    let class = intent.component.split_once('/').map(|(_, class)| class);
    let is_main = intent.action.is_empty() || intent.action == MAIN;
    let is_icon = class.is_none() && intent.action == MAIN
        || class.is_some() && class == launcher
        || class.is_none() && intent.action.is_empty() && intent.data.is_empty();
    is_main && is_icon && intent.data.is_empty() && intent.extras.is_empty()
}

fn broadcast(invocation: &mut Invocation<'_, '_>, arguments: &IntentArguments) -> io::Result<u8> {
    invocation.print(&format!("Broadcasting: {}\n", arguments.show()))?;
    let event = Event::System(SystemEvent::Broadcast(arguments.intent.clone()));
    {
        let mut state = invocation.phone.state();
        match arguments.named_package() {
            Some(package) => state.perform_on(package, &event),
            None => state.perform(&event),
        };
    }
    invocation.print("Broadcast completed: result=0\n")?;
    Ok(0)
}
