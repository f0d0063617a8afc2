//! `monkey`: random events from a seed, or those of a script.

use super::am::MAIN;
use crate::phone::PhoneState;
use crate::shell::Invocation;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use retap_model::event::Target;
use retap_model::format::monkey::read;
use retap_model::{Event, Key, Orientation, Outcome, Point};
use std::io;

const MAX_COUNT: u64 = 1_000_000;
const LAUNCHER: &str = "android.intent.category.LAUNCHER";

/// The kinds of events, their options and how often each comes of a hundred unless asked for otherwise. Android's shares,
/// with those of the trackball given to navigation, and those of flips and of other events to touches.
const KINDS: [(&str, u32); 8] = [
    ("touch", 29),
    ("motion", 10),
    ("pinchzoom", 2),
    ("nav", 40),
    ("majornav", 15),
    ("syskeys", 2),
    ("appswitch", 2),
    ("rotation", 0),
];

#[derive(Debug, Default)]
struct MonkeyOptions {
    package: Option<String>,
    seed: u64,
    count: u64,
    throttle_ms: u32,
    script: Option<String>,
    ignores_crashes: bool,
    verbose: u32,
    launches_only: bool,
    shares: Vec<(String, u32)>,
}

impl MonkeyOptions {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().ok_or_else(|| format!("** Error: {word} needs a value"));
            let number = |text: &str| {
                text.parse::<u64>().map_err(|_| format!("** Error: no number is {text:?}"))
            };
            match word {
                "-p" => options.package = Some(value()?.into()),
                "-s" => options.seed = number(value()?)?,
                "-f" => options.script = Some(value()?.into()),
                "-c" => options.launches_only = value()? == LAUNCHER,
                "--throttle" => options.throttle_ms = number(value()?)?.min(60_000) as u32,
                "--ignore-crashes" => options.ignores_crashes = true,
                "--ignore-timeouts"
                | "--ignore-security-exceptions"
                | "--monitor-native-crashes"
                | "--kill-process-after-error"
                | "--hprof"
                | "--dbg-no-events"
                | "--randomize-throttle" => {}
                "--pkg-whitelist-file" | "--pkg-blacklist-file" | "--port" => {
                    return Err(format!("** Error: this monkey does not know {word}"));
                }
                verbose if verbose.starts_with("-v") => options.verbose += verbose.len() as u32 - 1,
                share if share.starts_with("--pct-") => {
                    let name = share["--pct-".len()..].to_string();
                    options.shares.push((name, number(value()?)?.min(100) as u32));
                }
                option if option.starts_with('-') => {
                    return Err(format!("** Error: Unknown option: {option}"));
                }
                count => options.count = number(count)?.min(MAX_COUNT),
            }
        }
        Ok(options)
    }

    /// Returns the shares of all kinds: those that were asked for, and what is left for the others.
    fn weights(&self) -> Vec<u32> {
        let asked =
            |name: &str| self.shares.iter().rfind(|(its, _)| its == name).map(|(_, share)| *share);
        let taken: u32 = KINDS.iter().filter_map(|(name, _)| asked(name)).sum();
        let open: u32 =
            KINDS.iter().filter(|(name, _)| asked(name).is_none()).map(|(_, share)| share).sum();
        let rest = 100u32.saturating_sub(taken);
        KINDS
            .iter()
            .map(|(name, share)| asked(name).unwrap_or(share * rest / open.max(1)))
            .collect()
    }
}

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let options = match MonkeyOptions::parse(&invocation.words()) {
        Ok(options) => options,
        Err(error) => return invocation.complain(&error),
    };
    let package =
        options.package.clone().or_else(|| invocation.phone.state().apps.keys().next().cloned());
    let Some(package) = package.filter(|name| invocation.phone.state().apps.contains_key(name))
    else {
        return invocation.complain("** No activities found to run, monkey aborted.").map(|_| 252);
    };
    let events = match &options.script {
        Some(name) => match read_script(invocation, name)? {
            Some(events) => Some(events),
            None => return Ok(1),
        },
        None => None,
    };
    if options.verbose > 0 {
        invocation.print(&format!(
            ":Monkey: seed={} count={}\n:AllowPackage: {package}\n:IncludeCategory: {LAUNCHER}\n",
            options.seed, options.count
        ))?;
    }
    run_events(invocation, &options, &package, events.as_deref())
}

fn read_script(invocation: &mut Invocation<'_, '_>, name: &str) -> io::Result<Option<Vec<Event>>> {
    let content = invocation.phone.files().read(&invocation.path(name));
    let content = match content {
        Ok(content) => content,
        Err(error) => {
            invocation.complain(&format!("** Error: {name}: {error}"))?;
            return Ok(None);
        }
    };
    match read(content.as_slice(), name) {
        Ok(script) => {
            for remark in &script.remarks {
                invocation.complain(&format!("// {remark}"))?;
            }
            Ok(Some(script.events.into_iter().map(|event| event.event).collect()))
        }
        Err(error) => {
            invocation.complain(&format!("** Error: {error}"))?;
            Ok(None)
        }
    }
}

fn run_events(
    invocation: &mut Invocation<'_, '_>,
    options: &MonkeyOptions,
    package: &str,
    script: Option<&[Event]>,
) -> io::Result<u8> {
    let launched = invocation.phone.state().launch(package);
    if let Err(error) = launched {
        return invocation.complain(&format!("** Error: {error}"));
    }
    if options.verbose > 0 {
        invocation.print(&format!(
            ":Switch: #Intent;action={MAIN};category={LAUNCHER};component={package};end\n"
        ))?;
    }
    let weights = options.weights();
    // `monkey -p PACKAGE -c LAUNCHER 1` is how tools launch an app: the launch is the event.
    let count = match script {
        Some(events) => events.len() as u64,
        None if options.launches_only && options.count <= 1 => 0,
        None => options.count,
    };
    let mut injected = 0;
    while injected < count && !(invocation.streams.ended)() {
        let mut state = invocation.phone.state();
        let event = match script {
            Some(events) => events[injected as usize].clone(),
            None => random_event(&state, &weights, options.seed, injected),
        };
        injected += 1;
        if *state_outcome(&state, package) == Outcome::Exited
            || matches!(state_outcome(&state, package), Outcome::Left { .. })
        {
            // The monkey stays in its package.
            drop(state.launch(package));
        }
        state.perform_on(package, &event);
        if options.throttle_ms > 0 {
            state.perform_on(package, &Event::Wait(options.throttle_ms));
        }
        let outcome = state_outcome(&state, package).clone();
        drop(state);
        if options.verbose > 1 {
            invocation.print(&format!(":Sending {event}\n"))?;
        }
        if let Some(report) = bad_end(package, &outcome) {
            invocation.print(&report)?;
            if !options.ignores_crashes {
                invocation.print(&format!(
                    "** Monkey aborted due to error.\nEvents injected: {injected}\n** System appears to have crashed at event {injected} of {count} using seed {}\n",
                    options.seed
                ))?;
                return Ok(1);
            }
            drop(invocation.phone.state().launch(package));
        }
    }
    invocation.print(&format!("Events injected: {}\n", injected.max(1)))?;
    if options.verbose > 0 {
        invocation.print("// Monkey finished\n")?;
    }
    Ok(0)
}

fn state_outcome<'s>(state: &'s PhoneState, package: &str) -> &'s Outcome {
    state.apps.get(package).map_or(&Outcome::Exited, |app| app.outcome())
}

/// Returns what the monkey says of a crash or a hang.
fn bad_end(package: &str, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Crashed(crash) => {
            let stack: String = crash.stack.lines().map(|line| format!("// {line}\n")).collect();
            let first = crash.stack.lines().next().unwrap_or_default();
            let short = crash.innermost_class();
            Some(format!(
                "// CRASH: {package} (pid 0)\n// Short Msg: {short}\n// Long Msg: {first}\n{stack}"
            ))
        }
        Outcome::NotResponding { stack } => {
            Some(format!("// NOT RESPONDING: {package} (pid 0)\n{stack}\n"))
        }
        _ => None,
    }
}

/// Draws an event from the seed and its number, so that the same numbers give the same events.
fn random_event(state: &PhoneState, weights: &[u32], seed: u64, number: u64) -> Event {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let screen = state.screen();
    let bounds = screen.windows.first().map(|window| window.bounds).unwrap_or_default();
    let place = |rng: &mut ChaCha8Rng| {
        let x = rng.random_range(0..bounds.width().max(1));
        Point::new(bounds.left + x, bounds.top + rng.random_range(0..bounds.height().max(1)))
    };
    let total: u32 = weights.iter().sum();
    let mut drawn = rng.random_range(0..total.max(1));
    let kind = KINDS.iter().zip(weights).find(|(_, weight)| {
        let found = drawn < **weight;
        drawn = drawn.wrapping_sub(**weight);
        found
    });
    let keys: &[&str] = match kind.map_or("touch", |((name, _), _)| name) {
        "motion" => {
            let from = Target::point(place(&mut rng));
            return Event::Drag { from, to: place(&mut rng), ms: 200 };
        }
        "pinchzoom" => {
            let direction = retap_model::event::PinchDirection::Open;
            return Event::Pinch { on: Target::point(place(&mut rng)), direction };
        }
        "rotation" => {
            let landscape = screen.orientation == Orientation::Portrait;
            return Event::Rotate(if landscape {
                Orientation::Landscape
            } else {
                Orientation::Portrait
            });
        }
        "nav" => &["dpad_up", "dpad_down", "dpad_left", "dpad_right"],
        "majornav" => &["menu", "dpad_center"],
        "syskeys" => &["home", "back", "volume_up", "volume_down"],
        "appswitch" => return Event::Launch,
        _ => return Event::Tap(Target::point(place(&mut rng))),
    };
    let name = keys[rng.next_u32() as usize % keys.len()];
    Key::new(name).map_or(Event::Launch, Event::Key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_were_asked_for_are_given_and_the_rest_is_divided() {
        let options =
            MonkeyOptions::parse(&["-p", "a", "-s", "7", "-v", "-v", "--pct-touch", "100", "50"])
                .unwrap();
        assert_eq!((options.seed, options.count, options.verbose), (7, 50, 2));
        assert_eq!(options.weights(), [100, 0, 0, 0, 0, 0, 0, 0]);
        let plain = MonkeyOptions::parse(&["10"]).unwrap().weights();
        assert_eq!(plain.iter().sum::<u32>(), 100);
        for wrong in [vec!["-s"], vec!["--fly"], vec!["many"]] {
            assert!(MonkeyOptions::parse(&wrong).is_err(), "{wrong:?}");
        }
    }
}
