//! A picture in memory, read from a PNG and written as one.

use std::io::Cursor;

/// The largest side of a plausible screenshot.
const MAX_SIDE: u32 = 20_000;
/// The largest number of pixels: four times those of the largest phone.
const MAX_PIXELS: u64 = 32 << 20;
/// The bits of each channel that a written picture keeps. Six look the same and take a third less room.
const KEPT_BITS: u8 = 6;

/// Three bytes for each pixel, red, green and blue, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub(crate) rgb: Vec<u8>,
}

/// The reason why a file is not shown.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("no PNG: {0}")]
    Malformed(#[from] png::DecodingError),
    #[error("a picture of {width} by {height} pixels is no screenshot")]
    Implausible { width: u32, height: u32 },
    #[error("the picture cannot be written: {0}")]
    Unwritable(#[from] png::EncodingError),
}

impl Picture {
    /// Returns a picture of one colour.
    pub fn plain(width: u32, height: u32, colour: [u8; 3]) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, rgb: colour.repeat(pixels) }
    }

    /// Reads a PNG. Whatever is transparent becomes white.
    pub fn read(bytes: &[u8]) -> Result<Self, PictureError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = reader.info().size();
        let is_plausible = (1..=MAX_SIDE).contains(&width)
            && (1..=MAX_SIDE).contains(&height)
            && u64::from(width) * u64::from(height) <= MAX_PIXELS;
        let implausible = PictureError::Implausible { width, height };
        let size = reader.output_buffer_size().filter(|_| is_plausible).ok_or(implausible)?;
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer)?;
        buffer.truncate(frame.buffer_size());
        let rgb = match frame.color_type {
            png::ColorType::Rgb => buffer,
            png::ColorType::Rgba => buffer.as_chunks::<4>().0.iter().flat_map(on_white).collect(),
            png::ColorType::GrayscaleAlpha => {
                let pairs = buffer.as_chunks::<2>().0.iter();
                pairs.flat_map(|[grey, alpha]| on_white(&[*grey, *grey, *grey, *alpha])).collect()
            }
            // `normalize_to_color8` turns palettes into colours.
            _ => buffer.iter().flat_map(|grey| [*grey; 3]).collect(),
        };
        Ok(Self { width, height, rgb })
    }

    /// Writes a PNG with slightly coarser colours.
    pub fn write(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        let coarse: Vec<u8> = self.rgb.iter().map(|channel| coarsen(*channel)).collect();
        writer.write_image_data(&coarse)?;
        writer.finish()?;
        Ok(bytes)
    }
}

fn on_white([red, green, blue, alpha]: &[u8; 4]) -> [u8; 3] {
    let alpha = u32::from(*alpha);
    [red, green, blue].map(|c| ((u32::from(*c) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
}

/// Returns the nearest value that has only the kept bits, spread so that black stays black and white stays white.
fn coarsen(channel: u8) -> u8 {
    let most = (1u32 << KEPT_BITS) - 1;
    let kept = (u32::from(channel) * most + 127) / 255;
    ((kept * 255 + most / 2) / most) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_stay_what_they_are() {
        assert_eq!([0, 255].map(coarsen), [0, 255]);
        assert!((0..=255).all(|c: u8| coarsen(c).abs_diff(c) <= 2));
    }

    #[test]
    fn a_picture_reads_what_it_writes() {
        let picture = Picture { width: 2, height: 1, rgb: vec![255, 0, 0, 0, 0, 255] };
        assert_eq!(Picture::read(&picture.write().unwrap()).unwrap(), picture);
    }

    #[test]
    fn a_claim_of_a_huge_size_takes_no_memory() {
        let mut bytes = Picture { width: 1, height: 1, rgb: vec![0; 3] }.write().unwrap();
        // Width and height follow the signature and the name of the first chunk.
        bytes[16..20].copy_from_slice(&u32::MAX.to_be_bytes());
        assert!(Picture::read(&bytes).is_err());
        assert!(Picture::read(b"<svg onload=alert(1)>").is_err());
    }
}
