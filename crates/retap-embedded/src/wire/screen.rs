//! A screen as it was sent: windows back to front, each with its widgets in pre-order. The protocol
//! gives each widget's number of children; the model wants its depth.

use super::body::{Malformed, Reader};
use retap_model::{Flags, Orientation, Rect, Screen, Widget, Window, WindowKind};

/// Android itself overflows its stack long before.
const DEEPEST: u16 = 1000;

/// No bytes at all mean that the app has ended and shows nothing.
pub fn decode(bytes: &[u8]) -> Result<Screen, Malformed> {
    if bytes.is_empty() {
        return Ok(Screen::default());
    }
    let mut body = Reader::new(bytes);
    let activity = class_of(&body.string()?);
    let orientation = match body.u8()? {
        0 => Orientation::Portrait,
        1 => Orientation::Landscape,
        value => return Err(Malformed::Unknown { what: "orientation", value: value.into() }),
    };
    let mut windows = Vec::new();
    for _ in 0..body.u16()? {
        windows.push(decode_window(&mut body)?);
    }
    body.finish()?;
    Ok(Screen { activity, orientation, windows })
}

/// `pkg/.Main` and `pkg/pkg.Main` are both `pkg.Main`.
fn class_of(component: &str) -> String {
    match component.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}{class}"),
        Some((_, class)) => class.to_string(),
        None => component.to_string(),
    }
}

fn decode_window(body: &mut Reader<'_>) -> Result<Window, Malformed> {
    Ok(Window {
        kind: decode_kind(body.u8()?)?,
        package: body.string()?,
        title: body.string()?,
        bounds: decode_rect(body)?,
        focused: body.u8()? != 0,
        widgets: decode_widgets(body)?,
    })
}

fn decode_kind(value: u8) -> Result<WindowKind, Malformed> {
    Ok(match value {
        0 => WindowKind::Activity,
        1 => WindowKind::Dialog,
        2 => WindowKind::Menu,
        3 => WindowKind::Popup,
        4 => WindowKind::Keyboard,
        5 => WindowKind::Toast,
        6 => WindowKind::Outside,
        _ => return Err(Malformed::Unknown { what: "window kind", value: value.into() }),
    })
}

fn decode_widgets(body: &mut Reader<'_>) -> Result<Vec<Widget>, Malformed> {
    let mut widgets = Vec::new();
    // For each level on the way down, how many widgets are still to come there.
    let mut to_come: Vec<u16> = vec![1];
    while let Some(here) = to_come.last_mut() {
        if *here == 0 {
            to_come.pop();
            continue;
        }
        *here -= 1;
        let depth = (to_come.len() - 1) as u16;
        if depth > DEEPEST {
            return Err(Malformed::Deep(DEEPEST));
        }
        let (widget, children) = decode_widget(body, depth)?;
        widgets.push(widget);
        to_come.push(children);
    }
    Ok(widgets)
}

fn decode_widget(body: &mut Reader<'_>, depth: u16) -> Result<(Widget, u16), Malformed> {
    let class = body.string()?;
    let id = body.string()?;
    let text = body.string()?;
    let description = body.string()?;
    // A hint says what to type, not what is there: the model has no place for it.
    body.blob()?;
    let bounds = decode_rect(body)?;
    let flags = Flags::from_bits_truncate(body.u32()?);
    let children = body.u16()?;
    Ok((Widget { depth, class, id, text, description, bounds, flags }, children))
}

fn decode_rect(body: &mut Reader<'_>) -> Result<Rect, Malformed> {
    Ok(Rect::new(body.i32()?, body.i32()?, body.i32()?, body.i32()?))
}
