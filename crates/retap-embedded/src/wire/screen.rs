//! Decodes a screen: windows back to front, each with its widgets in pre-order. The protocol gives
//! each widget's number of children, which becomes its depth in the model.

use super::{BodyReader, MalformedData};
use retap_model::{Flags, Orientation, Rect, Screen, Widget, Window, WindowKind};

/// The depth of the deepest widget. Android itself overflows its stack at a smaller depth.
const MAX_DEPTH: u16 = 1000;

/// Decodes a screen. No bytes at all mean that the app has ended and shows nothing.
pub fn decode(bytes: &[u8]) -> Result<Screen, MalformedData> {
    if bytes.is_empty() {
        return Ok(Screen::default());
    }
    let mut body = BodyReader::new(bytes);
    let activity = class_of(&body.string()?);
    let orientation = match body.u8()? {
        0 => Orientation::Portrait,
        1 => Orientation::Landscape,
        value => return Err(MalformedData::Unknown { what: "orientation", value: value.into() }),
    };
    let mut windows = Vec::new();
    for _ in 0..body.u16()? {
        windows.push(decode_window(&mut body)?);
    }
    body.finish()?;
    Ok(Screen { activity, orientation, windows })
}

/// Returns the class of a component: `pkg.Main` for both `pkg/.Main` and `pkg/pkg.Main`.
fn class_of(component: &str) -> String {
    match component.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}{class}"),
        Some((_, class)) => class.to_string(),
        None => component.to_string(),
    }
}

fn decode_window(body: &mut BodyReader<'_>) -> Result<Window, MalformedData> {
    Ok(Window {
        kind: decode_kind(body.u8()?)?,
        package: body.string()?,
        title: body.string()?,
        bounds: decode_rect(body)?,
        focused: body.u8()? != 0,
        widgets: decode_widgets(body)?,
    })
}

fn decode_kind(value: u8) -> Result<WindowKind, MalformedData> {
    Ok(match value {
        0 => WindowKind::Activity,
        1 => WindowKind::Dialog,
        2 => WindowKind::Menu,
        3 => WindowKind::Popup,
        4 => WindowKind::Keyboard,
        5 => WindowKind::Toast,
        6 => WindowKind::Outside,
        _ => return Err(MalformedData::Unknown { what: "window kind", value: value.into() }),
    })
}

fn decode_widgets(body: &mut BodyReader<'_>) -> Result<Vec<Widget>, MalformedData> {
    let mut widgets = Vec::new();
    // The number of widgets still to be read at each level of the current path.
    let mut remaining: Vec<u16> = vec![1];
    while let Some(count) = remaining.last_mut() {
        if *count == 0 {
            remaining.pop();
            continue;
        }
        *count -= 1;
        let depth = (remaining.len() - 1) as u16;
        if depth > MAX_DEPTH {
            return Err(MalformedData::Deep(MAX_DEPTH));
        }
        let (widget, children) = decode_widget(body, depth)?;
        widgets.push(widget);
        remaining.push(children);
    }
    Ok(widgets)
}

/// Returns a widget and the number of its children.
fn decode_widget(body: &mut BodyReader<'_>, depth: u16) -> Result<(Widget, u16), MalformedData> {
    let class = body.string()?;
    let id = body.string()?;
    let text = body.string()?;
    let description = body.string()?;
    // The hint is skipped: it says what to type, not what is there, and the model has no field for it.
    body.blob()?;
    let bounds = decode_rect(body)?;
    let flags = Flags::from_bits_truncate(body.u32()?);
    let children = body.u16()?;
    Ok((Widget { depth, class, id, text, description, bounds, flags }, children))
}

fn decode_rect(body: &mut BodyReader<'_>) -> Result<Rect, MalformedData> {
    Ok(Rect::new(body.i32()?, body.i32()?, body.i32()?, body.i32()?))
}
