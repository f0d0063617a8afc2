//! `dumpsys`: the parts that tools read, in the words they look for.

mod views;
mod windows;

use super::pm::shown_path;
use crate::phone::{FrontActivity, PhoneState};
use crate::shell::Invocation;
use retap_model::event::SystemEvent;
use retap_model::format::rotation;
use retap_model::{Event, Orientation};
use std::fmt::Write;
use std::io;

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words: Vec<String> = invocation.arguments.to_vec();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = {
        let mut state = invocation.phone.state();
        match words.as_slice() {
            ["activity", "top", ..] => top(&state),
            ["activity", "activities" | "a" | "recents", ..] | ["activity"] => activities(&state),
            ["activity", "processes" | "p", ..] => processes(&state),
            ["activity", "services" | "s", ..] => "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n".into(),
            ["window", ..] => windows::dump(&state),
            ["display", ..] => display(&state),
            ["input", ..] => format!("INPUT MANAGER (dumpsys input)\n      SurfaceOrientation: {}\n", turns(&state)),
            ["input_method", ..] => "Current Input Method Manager state:\n  mInputShown=false\n".into(),
            ["package", package, ..] => package_or_all(&state, Some(package)),
            ["package"] => package_or_all(&state, None),
            ["battery", rest @ ..] => battery(&mut state, rest),
            ["power", ..] => power(&state),
            ["-l", ..] => "Currently running services:\n  activity\n  battery\n  display\n  input\n  input_method\n  package\n  power\n  window\n".into(),
            [] => String::new(),
            [other, ..] => format!("Can't find service: {other}\n"),
        }
    };
    invocation.print(&text)?;
    Ok(0)
}

fn turns(state: &PhoneState) -> usize {
    rotation::number(state.orientation())
}

fn record(front: &FrontActivity) -> String {
    format!("ActivityRecord{{1f{:05x} u0 {} t{}}}", front.pid, front.component(), front.pid)
}

fn activities(state: &PhoneState) -> String {
    let front = &state.front_activity();
    let behind: String = state
        .behind()
        .iter()
        .map(|activity| format!("    * Hist #0: {}\n      state=STOPPED\n", record(activity)))
        .collect();
    let (record, package, pid) = (record(front), &front.package, front.pid);
    format!(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n\
         Display #0 (activities from top to bottom):\n\
         \x20 * Task{{2a{pid:05x} #{pid} type=standard A=10100:{package} U=0 visible=true mode=fullscreen sz=1}}\n\
         \x20   topResumedActivity={record}\n\
         \x20   * Hist #0: {record}\n\
         \x20     packageName={package} processName={package}\n\
         \x20     app=ProcessRecord{{3b{pid:05x} {pid}:{package}/u0a100}}\n\
         \x20     state=RESUMED stopped=false\n\
         {behind}\
         \x20 mResumedActivity: {record}\n\
         \x20 mFocusedActivity: {record}\n\
         \x20 mFocusedApp={record}\n\
         \x20 ResumedActivity: {record}\n"
    )
}

fn top(state: &PhoneState) -> String {
    let front = state.front_activity();
    let views = views::dump(&state.screen(), &front.package);
    let (component, package, pid) = (front.component(), &front.package, front.pid);
    format!(
        "TASK {package} id={pid} userId=0\n  ACTIVITY {component} 1f{pid:05x} pid={pid}\n    Local Activity 1f{pid:05x} State:\n      mResumed=true mStopped=false mFinished=false\n    View Hierarchy:\n{views}"
    )
}

fn processes(state: &PhoneState) -> String {
    let mut text =
        String::from("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n");
    for app in state.apps.values() {
        if let Some(pid) = app.pid {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  *APP* UID 10100 ProcessRecord{{3b{pid:05x} {pid}:{}/u0a100}}",
                app.package()
            );
        }
    }
    text
}

fn size(state: &PhoneState) -> (u32, u32) {
    let display = state.display();
    match state.orientation() {
        Orientation::Portrait | Orientation::ReversePortrait => (display.width, display.height),
        Orientation::Landscape | Orientation::ReverseLandscape => (display.height, display.width),
    }
}

fn display(state: &PhoneState) -> String {
    let (width, height) = size(state);
    let display = state.display();
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:0', physicalPort=0, orientation={}, logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, deviceHeight={height}}}]\n  mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {} x {}, density {} dpi, rotation {}}}\n",
        turns(state),
        display.width,
        display.height,
        display.dpi,
        turns(state),
    )
}

fn power(state: &PhoneState) -> String {
    let (wakefulness, display) = if state.is_awake { ("Awake", "ON") } else { ("Asleep", "OFF") };
    format!(
        "POWER MANAGER (dumpsys power)\n  mWakefulness={wakefulness}\n  mHoldingDisplaySuspendBlocker={}\nDisplay Power: state={display}\n",
        state.is_awake
    )
}

fn package_or_all(state: &PhoneState, wanted: Option<&str>) -> String {
    let names: Vec<&String> = state.apps.keys().collect();
    let shown = names.into_iter().filter(|name| wanted.is_none_or(|wanted| wanted == *name));
    let text: String = shown.map(|name| package(state, name)).collect();
    match (text.is_empty(), wanted) {
        (true, Some(wanted)) => format!("Unable to find package: {wanted}\n"),
        _ => text,
    }
}

/// Describes one app.
pub fn package(state: &PhoneState, name: &str) -> String {
    let Some(app) = state.apps.get(name) else {
        return format!("Unable to find package: {name}\n");
    };
    let mut text = String::from("Activity Resolver Table:\n  Non-Data Actions:\n");
    if let Some(launcher) = app.launcher() {
        let class = launcher.strip_prefix(name).filter(|rest| rest.starts_with('.'));
        let component = format!("{name}/{}", class.unwrap_or(&launcher));
        text.push_str(&format!(
            "      android.intent.action.MAIN:\n        5d00001 {component} filter 5d00002\n          Action: \"android.intent.action.MAIN\"\n          Category: \"android.intent.category.LAUNCHER\"\n"
        ));
    }
    let identity = &app.app.identity;
    let manifest = app.manifest.as_ref();
    let code = manifest.map_or(0, |manifest| manifest.version_code);
    let (least, target) = manifest.map_or((1, 1), |it| (it.min_sdk, it.target_sdk));
    let folder = shown_path(name).replace("/base.apk", "");
    text.push_str(&format!(
        "\nPackages:\n  Package [{name}] (6e00001):\n    userId=10100\n    pkg=Package{{6e00002 {name}}}\n    codePath={folder}\n    resourcePath={folder}\n    versionCode={code} minSdk={least} targetSdk={target}\n    versionName={}\n    dataDir=/data/user/0/{name}\n    pkgFlags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n",
        identity.version
    ));
    if let Some(manifest) = manifest {
        text.push_str("    requested permissions:\n");
        for permission in &manifest.permissions {
            text.push_str(&format!("      {permission}\n"));
        }
        text.push_str(
            "    User 0: installed=true hidden=false stopped=false\n      runtime permissions:\n",
        );
        for permission in &manifest.permissions {
            let granted = app.granted.contains(permission);
            text.push_str(&format!("        {permission}: granted={granted}\n"));
        }
    }
    text
}

/// Shows the battery, or changes it as `set level N`, `set ac 1`, `unplug` and `reset` ask.
fn battery(state: &mut PhoneState, rest: &[&str]) -> String {
    let key = |name: &str| ("battery".to_string(), name.to_string());
    let read = |state: &PhoneState, name: &str, otherwise: u8| {
        state.stored.get(&key(name)).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    };
    match rest {
        ["set", "level", level] => drop(state.stored.insert(key("level"), level.to_string())),
        ["set", "ac" | "usb" | "status" | "wireless", value] => {
            let charging = !matches!(*value, "0" | "3" | "4");
            state.stored.insert(key("charging"), u8::from(charging).to_string());
        }
        ["unplug", ..] => drop(state.stored.insert(key("charging"), "0".into())),
        ["reset", ..] => {
            state.stored.remove(&key("level"));
            state.stored.remove(&key("charging"));
        }
        _ => {
            let (level, charging) = (read(state, "level", 100), read(state, "charging", 1));
            return format!(
                "Current Battery Service state:\n  AC powered: {}\n  USB powered: false\n  level: {level}\n  scale: 100\n  status: {}\n  present: true\n",
                charging == 1,
                if charging == 1 { 2 } else { 3 }
            );
        }
    }
    let (level, charging) = (read(state, "level", 100), read(state, "charging", 1) == 1);
    state.perform(&Event::System(SystemEvent::Battery { level: level.min(100), charging }));
    String::new()
}
