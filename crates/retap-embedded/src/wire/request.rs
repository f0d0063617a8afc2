//! The requests to the agent. An event is sent with the point of its target instead of its widget.

use super::VERSION;
use super::body_writer::BodyWriter;
use super::instrument::{TestContinue, TestStart};
use super::reply::KeptData;
use retap_model::event::{Connectivity, Extra, Intent, NotificationAction, PinchDirection};
use retap_model::{Display, Event, Orientation, Point, SystemEvent, WorldSeed};
use std::path::{Path, PathBuf};

/// The display's shorter side divided by this is the distance that the fingers of a pinch move.
const PINCH_DIVISOR: i32 = 4;

/// A request to the agent.
#[derive(Debug)]
pub enum AgentRequest<'a> {
    Hello,
    Install(InstallRequest<'a>),
    Reset(WorldSeed),
    /// `at` has the point of the target of each part of the event. Parts without a target ignore it.
    Perform {
        event: &'a Event,
        at: &'a [Point],
        display: Display,
    },
    Screenshot,
    /// Launches the app on the data that another version of it left.
    Update {
        world_seed: WorldSeed,
        data: &'a KeptData,
    },
    /// Asks for the app's data, for another version of it.
    KeepData,
    StartTests(&'a TestStart),
    ContinueTests(&'a TestContinue),
    /// Asks for the last screen that was kept, and what the test did until then.
    KeptScreen,
    /// Asks what the world has decided.
    Decisions,
    /// Reads what a provider of the app offers under an address.
    ReadContent(&'a str),
    /// Ends the agent, which first writes its recording if it has one.
    Quit,
}

/// The app to install and the device to install it on.
#[derive(Debug)]
pub struct InstallRequest<'a> {
    /// The base first, then its splits.
    pub apks: &'a [PathBuf],
    /// The folder for the files of the prepared app.
    pub prepared: &'a Path,
    pub android_jars: &'a Path,
    pub api: u32,
    pub display: Display,
    pub navigation_bar: bool,
    pub outside: &'a [String],
    /// The classes whose coverage counts, named as in class files.
    pub counted_classes: &'a [String],
    pub test_apks: Vec<&'a Path>,
}

impl AgentRequest<'_> {
    pub fn encode(&self) -> Vec<u8> {
        let mut body = BodyWriter::default();
        match self {
            AgentRequest::Hello => body.u8(1).u16(VERSION),
            AgentRequest::Install(install) => encode_install(body.u8(2), install),
            AgentRequest::Reset(world_seed) => body.u8(3).u64(*world_seed),
            AgentRequest::Perform { event, at, display } => {
                encode_parts(body.u8(4), event, at, *display)
            }
            AgentRequest::Screenshot => body.u8(5),
            AgentRequest::Quit => body.u8(6),
            AgentRequest::Update { world_seed, data } => {
                body.u8(7).u64(*world_seed).u64(data.uptime_ms).blob(&data.files)
            }
            AgentRequest::KeepData => body.u8(8),
            AgentRequest::StartTests(start) => start.encode(body.u8(9)),
            AgentRequest::ContinueTests(how) => how.encode(body.u8(10)),
            AgentRequest::KeptScreen => body.u8(11),
            AgentRequest::Decisions => body.u8(12),
            AgentRequest::ReadContent(uri) => body.u8(13).string(uri),
        };
        body.finish()
    }
}

fn encode_install<'w>(
    body: &'w mut BodyWriter,
    install: &InstallRequest<'_>,
) -> &'w mut BodyWriter {
    let Display { width, height, dpi } = install.display;
    body.strings(&names(install.apks))
        .string(&install.prepared.to_string_lossy())
        .string(&install.android_jars.to_string_lossy())
        .u16(install.api as u16)
        .i32(width as i32)
        .i32(height as i32)
        .u16(dpi as u16)
        .u8(install.navigation_bar.into())
        .strings(install.outside)
        .string(&install.counted_classes.join("\n"))
        .strings(&names(&install.test_apks))
}

fn names<P: AsRef<Path>>(files: &[P]) -> Vec<String> {
    files.iter().map(|file| file.as_ref().to_string_lossy().into_owned()).collect()
}

fn encode_parts<'w>(
    body: &'w mut BodyWriter,
    event: &Event,
    at: &[Point],
    display: Display,
) -> &'w mut BodyWriter {
    let parts = event.parts();
    if let Event::Hasty(hasty) = event {
        body.u8(14).i32(clamped(hasty.gap_ms())).u16(parts.len() as u16);
    }
    for (part, at) in parts.iter().zip(at) {
        encode_event(body, part, *at, display);
    }
    body
}

fn encode_event<'w>(
    body: &'w mut BodyWriter,
    event: &Event,
    at: Point,
    display: Display,
) -> &'w mut BodyWriter {
    match event {
        Event::Tap(_) => point(body.u8(1), at),
        Event::LongPress(_) => point(body.u8(2), at),
        Event::Drag { to, ms, .. } => point(point(body.u8(3), at), *to).i32(clamped(*ms)),
        Event::Pinch { direction, .. } => {
            let span = display.width.min(display.height) as i32 / PINCH_DIVISOR;
            point(body.u8(4), at).u8((*direction == PinchDirection::Open).into()).i32(span)
        }
        Event::Text { text, .. } => point(body.u8(5), at).string(text),
        Event::Key(key) => body.u8(6).string(key.name()),
        Event::Rotate(orientation) => body.u8(7).u8(is_landscape(*orientation).into()),
        Event::Intent(intent) => encode_intent(body.u8(8), intent),
        Event::System(SystemEvent::Broadcast(intent)) => encode_intent(body.u8(9), intent),
        Event::System(event) => {
            let (name, arguments) = system_event_words(event);
            body.u8(10).string(name).strings(&arguments)
        }
        Event::Wait(ms) => body.u8(11).i32(clamped(*ms)),
        Event::Launch => body.u8(12),
        Event::Close => body.u8(13),
        // Its parts are encoded one by one, and none of them is hasty itself.
        Event::Hasty(_) => body,
    }
}

fn point(body: &mut BodyWriter, point: Point) -> &mut BodyWriter {
    body.i32(point.x).i32(point.y)
}

/// Returns the largest number that the protocol can carry, if `ms` is larger.
fn clamped(ms: u32) -> i32 {
    i32::try_from(ms).unwrap_or(i32::MAX)
}

fn is_landscape(orientation: Orientation) -> bool {
    matches!(orientation, Orientation::Landscape | Orientation::ReverseLandscape)
}

fn encode_intent<'w>(body: &'w mut BodyWriter, intent: &Intent) -> &'w mut BodyWriter {
    let extras: Vec<String> =
        intent.extras.iter().map(|(key, extra)| format!("{key}={}", encode_extra(extra))).collect();
    body.string(&intent.action)
        .string(&intent.data)
        .string(&intent.mime_type)
        .strings(&intent.categories)
        .string(&intent.component)
        .strings(&extras)
}

/// Returns a value after the letter of its type. Numbers that fit are `int`, as apps expect.
fn encode_extra(extra: &Extra) -> String {
    match extra {
        Extra::Bool(value) => format!("b{value}"),
        Extra::Int(value) if i32::try_from(*value).is_ok() => format!("i{value}"),
        Extra::Int(value) => format!("l{value}"),
        Extra::Text(value) => format!("s{value}"),
    }
}

/// Returns the name and the arguments of a system event.
fn system_event_words(event: &SystemEvent) -> (&'static str, Vec<String>) {
    let switch = |on: bool| vec![if on { "on" } else { "off" }.to_string()];
    match event {
        SystemEvent::Broadcast(intent) => ("broadcast", vec![intent.action.clone()]),
        SystemEvent::Connectivity(connectivity) => {
            let kind = match connectivity {
                Connectivity::Off => "off",
                Connectivity::Wifi => "wifi",
                Connectivity::Mobile => "mobile",
            };
            ("connectivity", vec![kind.into()])
        }
        SystemEvent::Battery { level, charging } => {
            let mut arguments = vec![level.to_string()];
            arguments.extend(charging.then(|| "charging".to_string()));
            ("battery", arguments)
        }
        SystemEvent::Call { number } => ("call", vec![number.clone()]),
        SystemEvent::Sms { from, text } => ("sms", vec![from.clone(), text.clone()]),
        SystemEvent::Notification { n, action } => {
            let what = match action {
                NotificationAction::Open => "open",
                NotificationAction::Dismiss => "dismiss",
            };
            ("notification", vec![what.into(), n.to_string()])
        }
        SystemEvent::Locale(tag) => ("locale", vec![tag.clone()]),
        SystemEvent::Night(on) => ("night", switch(*on)),
        SystemEvent::ScreenOn(on) => ("screen", switch(*on)),
        SystemEvent::ProcessDeath => ("process_death", Vec::new()),
        SystemEvent::LowMemory => ("low_memory", Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::event::HastyEvents;
    use retap_model::{Key, Target};

    fn check(event: &Event, expected: &[&[u8]]) {
        let at = &[Point::new(3, -4), Point::new(5, 6)][..];
        let request = AgentRequest::Perform { event, at, display: Display::default() };
        assert_eq!(request.encode(), [&[4][..], &expected.concat()].concat(), "{event}");
    }

    #[test]
    fn events_are_encoded_as_the_protocol_says() {
        let on = Target::point(Point::new(3, -4));
        let twice = on.clone();
        const AT: &[u8] = &[0, 0, 0, 3, 255, 255, 255, 252];
        check(&Event::Tap(on.clone()), &[&[1], AT]);
        check(&Event::LongPress(on.clone()), &[&[2], AT]);
        check(
            &Event::Drag { from: on.clone(), to: Point::new(1, 2), ms: 200 },
            &[&[3], AT, &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 200]],
        );
        check(
            &Event::Pinch { on: on.clone(), direction: PinchDirection::Open },
            &[&[4], AT, &[1, 0, 0, 1, 14]],
        );
        check(&Event::Text { on, text: "é".into() }, &[&[5], AT, &[0, 0, 0, 2, 0xc3, 0xa9]]);
        check(&Event::Key(Key::back()), &[&[6, 0, 0, 0, 4], b"back"]);
        check(&Event::Rotate(Orientation::ReverseLandscape), &[&[7, 1]]);
        let taps = vec![Event::Tap(twice.clone()), Event::Tap(twice)];
        let hasty = Event::Hasty(HastyEvents::new(taps, 100).expect("two taps"));
        const THEN: &[u8] = &[1, 0, 0, 0, 5, 0, 0, 0, 6];
        check(&hasty, &[&[14, 0, 0, 0, 100, 0, 2, 1], AT, THEN]);
        check(&Event::Wait(u32::MAX), &[&[11, 127, 255, 255, 255]]);
        check(
            &Event::System(SystemEvent::Battery { level: 7, charging: true }),
            &[&[10, 0, 0, 0, 7], b"battery", &[0, 2, 0, 0, 0, 1], b"7", &[0, 0, 0, 8], b"charging"],
        );
    }

    #[test]
    fn extras_begin_with_the_letter_of_their_type() {
        assert_eq!(encode_extra(&Extra::Bool(true)), "btrue");
        assert_eq!(encode_extra(&Extra::Int(5)), "i5");
        assert_eq!(encode_extra(&Extra::Int(1 << 40)), "l1099511627776");
        assert_eq!(encode_extra(&Extra::Text("i5".into())), "si5");
    }
}
