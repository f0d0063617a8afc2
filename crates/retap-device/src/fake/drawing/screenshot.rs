//! The screen as a PNG. Every widget is a rectangle with a border, filled according to its kind:
//! enough to recognise a screen in a report.

use retap_model::{Flags, Rect, Screen, Widget};

const PAPER: u8 = 0;
const INK: u8 = 1;
const FIELD: u8 = 2;
const CONTROL: u8 = 3;
const CHECKED: u8 = 4;
const PALETTE: [[u8; 3]; 5] =
    [[250, 250, 250], [66, 66, 66], [227, 242, 253], [207, 216, 220], [129, 199, 132]];

pub(crate) fn encode_png(screen: &Screen) -> Result<Vec<u8>, png::EncodingError> {
    let Some(whole) = screen.windows.first().map(|window| window.bounds) else {
        return encode(&[PAPER], 1, 1);
    };
    let size = whole_size(screen, whole);
    let mut canvas = Canvas { width: size.0, height: size.1, pixels: vec![PAPER; size.0 * size.1] };
    for widget in screen.windows.iter().flat_map(|window| &window.widgets) {
        canvas.draw(widget);
    }
    encode(&canvas.pixels, canvas.width, canvas.height)
}

/// Returns the size of the picture. It includes windows that reach beyond the first one.
fn whole_size(screen: &Screen, first: Rect) -> (usize, usize) {
    let right = screen.windows.iter().map(|w| w.bounds.right).fold(first.right, i32::max);
    let bottom = screen.windows.iter().map(|w| w.bounds.bottom).fold(first.bottom, i32::max);
    (right.max(1) as usize, bottom.max(1) as usize)
}

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn draw(&mut self, widget: &Widget) {
        let fill = if widget.has(Flags::CHECKED) {
            CHECKED
        } else if widget.has(Flags::EDITABLE) {
            FIELD
        } else if widget.has(Flags::CLICKABLE) {
            CONTROL
        } else {
            PAPER
        };
        let Rect { left, top, right, bottom } = widget.bounds;
        self.fill(widget.bounds, INK);
        self.fill(Rect::new(left + 2, top + 2, right - 2, bottom - 2), fill);
    }

    fn fill(&mut self, rect: Rect, color: u8) {
        let clip = |at: i32, end: usize| (at.max(0) as usize).min(end);
        let (left, right) = (clip(rect.left, self.width), clip(rect.right, self.width));
        for y in clip(rect.top, self.height)..clip(rect.bottom, self.height) {
            let row = y * self.width;
            if left < right {
                self.pixels[row + left..row + right].fill(color);
            }
        }
    }
}

fn encode(pixels: &[u8], width: usize, height: usize) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(PALETTE.concat());
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}
