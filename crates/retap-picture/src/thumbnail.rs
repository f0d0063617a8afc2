//! A screenshot in the size in which people and programs look at it.

use crate::picture::{Picture, PictureError};

/// A picture that was made smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    pub png: Vec<u8>,
    /// The size of the original, which the places of touches refer to.
    pub width: u32,
    pub height: u32,
}

/// Makes a PNG smaller until its shorter side has at most this many pixels. A smaller one is only written again.
pub fn shrink(png: &[u8], shorter_side: u32) -> Result<Thumbnail, PictureError> {
    let picture = Picture::read(png)?;
    let (width, height) = (picture.width, picture.height);
    let small = picture.shrink_to(shorter_side.max(1));
    Ok(Thumbnail { png: small.write()?, width, height })
}

impl Picture {
    /// Returns the picture with a shorter side of at most this many pixels. Each pixel is the mean of those it stands
    /// for, so that thin lines and small text stay visible.
    pub fn shrink_to(&self, shorter_side: u32) -> Picture {
        let shorter = self.width.min(self.height);
        if shorter <= shorter_side {
            return self.clone();
        }
        let scaled = |side: u32| {
            let scaled = u64::from(side) * u64::from(shorter_side) / u64::from(shorter);
            (scaled as u32).max(1)
        };
        let (width, height) = (scaled(self.width), scaled(self.height));
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for y in 0..height {
            let rows = covered(y, height, self.height);
            for x in 0..width {
                let columns = covered(x, width, self.width);
                rgb.extend(self.mean(rows.clone(), columns));
            }
        }
        Picture { width, height, rgb }
    }

    fn mean(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> [u8; 3] {
        let mut sums = [0u32; 3];
        let count = (rows.len() * columns.len()) as u32;
        let stride = self.width as usize * 3;
        for row in rows {
            let pixels =
                &self.rgb[row * stride + columns.start * 3..row * stride + columns.end * 3];
            for pixel in pixels.as_chunks::<3>().0 {
                for (sum, channel) in sums.iter_mut().zip(pixel) {
                    *sum += u32::from(*channel);
                }
            }
        }
        sums.map(|sum| ((sum + count / 2) / count) as u8)
    }
}

/// Returns the pixels of a side of length `from` that pixel `at` of a side of length `to` stands for.
fn covered(at: u32, to: u32, from: u32) -> std::ops::Range<usize> {
    let edge = |at: u32| (u64::from(at) * u64::from(from) / u64::from(to)) as usize;
    let start = edge(at);
    start..edge(at + 1).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    fn striped(width: u32, height: u32) -> Picture {
        let pixel = |n: u32| if n.is_multiple_of(2) { [0; 3] } else { [255; 3] };
        Picture { width, height, rgb: (0..width * height).flat_map(pixel).collect() }
    }

    #[test]
    fn a_thumbnail_keeps_the_proportion_and_tells_the_old_size() {
        let small = shrink(&striped(40, 80).write().unwrap(), 10).unwrap();
        assert_eq!((small.width, small.height), (40, 80));
        let picture = Picture::read(&small.png).unwrap();
        assert_eq!((picture.width, picture.height), (10, 20));
        // Stripes of black and white become grey, and none of them is lost.
        assert!(picture.rgb.iter().all(|channel| (126..=130).contains(channel)));
    }

    #[test]
    fn every_pixel_has_a_source_whatever_the_sizes() {
        for (width, height, side) in [(7, 3, 2), (1, 500, 1), (99, 100, 98), (5, 5, 9)] {
            let small = striped(width, height).shrink_to(side);
            assert_eq!(small.rgb.len(), (small.width * small.height * 3) as usize);
            assert!(small.width.min(small.height) <= side.max(1).max(1));
        }
    }

    #[test]
    fn damaged_pictures_are_refused() {
        let sample = striped(6, 9).write().unwrap();
        fuzz("picture", &[&sample], &["IHDR", "IDAT", "PLTE", "tRNS", "IEND"], |bytes| {
            shrink(bytes, 4).is_ok()
        });
    }
}
