//! Tools that look at the app and act on it.

use super::{Tool, arguments, schema_of};
use crate::answer::{ToolAnswer, describe};
use crate::toolbox::Toolbox;
use retap_drive::{DriveSession, ListedWidget, Swipe};
use retap_engine::Failure;
use retap_model::{Event, Key, Orientation};
use retap_picture::shrink;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The shorter side of a picture unless another one is asked for: enough to read the screen, small in a conversation.
const PICTURE_SIDE: u32 = 400;

pub const LAUNCH: Tool = Tool {
    name: "launch",
    description: "Install an APK on a clean device and launch it. Answers with the first screen. Ends the session before.",
    read_only: false,
    schema: schema_of::<LaunchArguments>,
    call: launch,
};

pub const SCREEN: Tool = Tool {
    name: "screen",
    description: "The screen as a numbered list of widgets; optionally a picture of it.",
    read_only: true,
    schema: schema_of::<ScreenArguments>,
    call: screen,
};

pub const TAP: Tool = Tool {
    name: "tap",
    description: "Tap or long-press a widget by its number on the screen. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<TapArguments>,
    call: tap,
};

pub const TYPE: Tool = Tool {
    name: "type",
    description: "Replace the text of a field, by its number on the screen. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<TypeArguments>,
    call: type_text,
};

pub const SWIPE: Tool = Tool {
    name: "swipe",
    description: "Swipe a finger over a widget, by its number: up scrolls a list down. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<SwipeArguments>,
    call: swipe,
};

pub const PRESS: Tool = Tool {
    name: "press",
    description: "Press a key: back, home, menu, enter, dpad_up and other names of Android. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<PressArguments>,
    call: press,
};

pub const ROTATE: Tool = Tool {
    name: "rotate",
    description: "Turn the display. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<RotateArguments>,
    call: rotate,
};

pub const EVENT: Tool = Tool {
    name: "event",
    description: "Any other event, as traces write it: {\"wait\":500}, {\"system\":\"process_death\"}, {\"system\":\"low_memory\"}, \
{\"system\":{\"connectivity\":\"off\"}}, {\"system\":{\"locale\":\"de-DE\"}}, {\"system\":{\"night\":true}}, {\"intent\":{\"action\":…}}, \
\"launch\", \"close\", {\"tap\":{\"at\":[x,y]}}. Answers with the next screen.",
    read_only: false,
    schema: schema_of::<EventArguments>,
    call: event,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LaunchArguments {
    /// The path of the APK. May be left out if exactly one was named when the server was started.
    #[serde(default)]
    apk: Option<String>,
}

fn launch(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let LaunchArguments { apk } = arguments(value)?;
    let access = &toolbox.settings.access;
    let apk = match apk {
        Some(name) => Some(access.check(&name)?),
        None if toolbox.settings.device.is_fake() => None,
        None => Some(
            access
                .only_app()
                .map(Into::into)
                .ok_or_else(|| Failure::input(format!("name the APK. {}", access.describe())))?,
        ),
    };
    toolbox.launch(apk.as_deref())?;
    let (app, run, answer) = toolbox.ask(|session| {
        let identity = &session.app().identity;
        let app = format!("{} {}", identity.package, identity.version);
        Ok((app, session.run().display().to_string(), session.here()))
    })?;
    let remarks: String = toolbox.remarks().iter().map(|remark| format!("{remark}\n")).collect();
    Ok(ToolAnswer::text(&format!(
        "Launched {app}. The run is recorded in {run}.\n{remarks}{}",
        describe(&answer)
    )))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScreenArguments {
    /// Also return a picture.
    #[serde(default)]
    picture: bool,
    /// The shorter side of the picture in pixels; 400 by default.
    #[serde(default)]
    side: Option<u32>,
}

fn screen(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let ScreenArguments { picture, side } = arguments(value)?;
    let answer = toolbox.ask(|session| Ok(session.here()))?;
    let text = describe(&answer);
    if !picture {
        return Ok(ToolAnswer::text(&text));
    }
    let picture = toolbox.ask(|session| session.picture())?;
    let side = side.unwrap_or(PICTURE_SIDE).clamp(100, 1440);
    let small = picture.and_then(|png| shrink(&png, side).ok()).map(|small| small.png);
    let note = match (&small, answer.gone) {
        (Some(_), _) => "",
        (None, true) => "There is no picture, because the app is gone.\n",
        (None, false) => "This device draws no pictures.\n",
    };
    Ok(ToolAnswer::text(&format!("{note}{text}")).with_picture(small))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TapArguments {
    /// The number of the widget on the screen.
    widget: usize,
    /// Hold it instead.
    #[serde(default)]
    long: bool,
}

fn tap(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let TapArguments { widget, long } = arguments(value)?;
    act(toolbox, move |session| {
        let target = listed(session, widget)?.target();
        Ok(if long { Event::LongPress(target) } else { Event::Tap(target) })
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TypeArguments {
    /// The number of the field on the screen.
    widget: usize,
    /// The text that the field has afterwards.
    text: String,
}

fn type_text(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let TypeArguments { widget, text } = arguments(value)?;
    act(toolbox, move |session| {
        let on = listed(session, widget)?.target();
        Ok(Event::Text { on, text })
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SwipeArguments {
    /// The number of the widget on the screen.
    widget: usize,
    /// Where the finger goes: up, down, left or right.
    direction: String,
}

fn swipe(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let SwipeArguments { widget, direction } = arguments(value)?;
    let direction: Swipe = direction.parse().map_err(Failure::input)?;
    act(toolbox, move |session| Ok(listed(session, widget)?.swipe(direction)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PressArguments {
    key: String,
}

fn press(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let PressArguments { key } = arguments(value)?;
    let key = Key::new(&key).map_err(Failure::input)?;
    act(toolbox, move |_| Ok(Event::Key(key)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RotateArguments {
    /// portrait or landscape.
    to: String,
}

fn rotate(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let RotateArguments { to } = arguments(value)?;
    let orientation: Orientation =
        serde_json::from_value(Value::String(to.clone())).map_err(|_| {
            Failure::input(format!(
                "expected portrait, landscape, reverse_portrait or reverse_landscape, found {to:?}"
            ))
        })?;
    act(toolbox, move |_| Ok(Event::Rotate(orientation)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventArguments {
    /// An event as a trace writes it.
    event: Value,
}

fn event(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let EventArguments { event } = arguments(value)?;
    let event: Event = serde_json::from_value(event).map_err(|error| {
        Failure::input(format!(
            "no event: {error}; for example {{\"key\":\"back\"}} or {{\"wait\":500}}"
        ))
    })?;
    act(toolbox, move |_| Ok(event))
}

/// Performs the event that `choose` makes of the screen.
fn act(
    toolbox: &mut Toolbox,
    choose: impl FnOnce(&DriveSession<'_, '_>) -> Result<Event, Failure> + Send + 'static,
) -> Result<ToolAnswer, Failure> {
    let answer = toolbox.ask(move |session| {
        let event = choose(session)?;
        session.perform(event)
    })?;
    Ok(ToolAnswer::text(&describe(&answer)))
}

/// Returns the widget with this number on the screen as it is now.
fn listed(session: &DriveSession<'_, '_>, number: usize) -> Result<ListedWidget, Failure> {
    let screen = session.screen();
    let found = screen.find(number).cloned();
    found.ok_or_else(|| {
        let last = screen.widgets.iter().filter_map(|widget| widget.number).max().unwrap_or(0);
        Failure::input(format!(
            "no widget has the number {number}: the screen has 1 to {last}, see `screen`"
        ))
    })
}
