//! The few words in which the app says what to do next: `tap Yes`, `rotate landscape`, `death`.

use retap_model::event::Connectivity;
use retap_model::{Event, Key, Orientation, Selector, SystemEvent, Target};

pub(super) fn parse_instruction(text: &str) -> Option<Event> {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let named =
        || Target { on: Some(Selector { text: rest.into(), ..Selector::default() }), at: None };
    Some(match verb {
        "tap" => Event::Tap(named()),
        "hold" => Event::LongPress(named()),
        "back" => Event::Key(Key::back()),
        "home" => Event::Key(Key::home()),
        "key" => Event::Key(Key::new(rest).ok()?),
        "launch" => Event::Launch,
        "wait" => Event::Wait(rest.parse().ok()?),
        "death" => Event::System(SystemEvent::ProcessDeath),
        "locale" => Event::System(SystemEvent::Locale(rest.into())),
        "night" => Event::System(SystemEvent::Night(rest == "on")),
        "wifi" => Event::System(SystemEvent::Connectivity(Connectivity::Wifi)),
        "mobile" => Event::System(SystemEvent::Connectivity(Connectivity::Mobile)),
        "offline" => Event::System(SystemEvent::Connectivity(Connectivity::Off)),
        "sms" => {
            let (number, text) = rest.split_once(' ')?;
            Event::System(SystemEvent::Sms { from: number.into(), text: text.into() })
        }
        "rotate" => Event::Rotate(match rest {
            "landscape" => Orientation::Landscape,
            "portrait" => Orientation::Portrait,
            _ => return None,
        }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_events() {
        assert_eq!(parse_instruction("wait 500"), Some(Event::Wait(500)));
        assert_eq!(parse_instruction("back"), Some(Event::Key(Key::back())));
        assert_eq!(
            parse_instruction("rotate landscape"),
            Some(Event::Rotate(Orientation::Landscape))
        );
        assert_eq!(parse_instruction("rotate sideways"), None);
        assert_eq!(parse_instruction("dance"), None);
        let sms = SystemEvent::Sms { from: "5".into(), text: "a b".into() };
        assert_eq!(parse_instruction("sms 5 a b"), Some(Event::System(sms)));
        let Some(Event::Tap(target)) = parse_instruction("tap Ask on") else { panic!("no tap") };
        assert_eq!(target.on.map(|on| on.text), Some("Ask on".into()));
    }
}
