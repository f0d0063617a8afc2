//! The images of a page: each is embedded once however often it is shown, and their total size is limited.
//!
//! Images are embedded in the order of requests, so the sections at the top of the page, which matter most, get theirs.

use data_encoding::BASE64;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const MAX_TOTAL_BYTES: u64 = 12 << 20;
const MAX_IMAGE_BYTES: u64 = 1 << 20;
/// The largest plausible width or height. No display is larger, so the file must be damaged.
const MAX_SIDE: u32 = 20_000;

/// The PNG images that a page embeds.
#[derive(Debug, Default)]
pub struct ImageStore {
    images: BTreeMap<PathBuf, Option<EmbeddedImage>>,
    bytes: u64,
    /// The number of images that exceeded the size limit.
    pub omitted: usize,
}

/// The position and size of an image in a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImageArea {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Debug, Clone)]
struct EmbeddedImage {
    number: usize,
    width: u32,
    height: u32,
    png: Vec<u8>,
}

impl ImageStore {
    /// Shows the image of a file. Returns none if there is no image or no room for it.
    pub fn show(&mut self, path: &Path, caption: &str) -> Option<Markup> {
        let image = self.get(path)?;
        let (width, height) = (image.width, image.height);
        let view = format!("0 0 {width} {height}");
        let id = image.element_id();
        Some(html! {
            svg.screenshot viewBox=(view) width=(width) height=(height) role="img" aria-label=(caption) {
                use href={ "#" (id) } {}
            }
        })
    }

    /// Shows the image of a file as a part of an SVG drawing.
    pub fn show_at(&mut self, path: &Path, area: &ImageArea) -> Option<Markup> {
        let ImageArea { x, y, width, height } = area;
        let image = self.get(path)?;
        let view = format!("0 0 {} {}", image.width, image.height);
        let id = image.element_id();
        Some(html! {
            svg x=(x) y=(y) width=(width) height=(height) viewBox=(view) preserveAspectRatio="xMidYMin slice" {
                use href={ "#" (id) } {}
            }
        })
    }

    /// Renders the embedded images. The page that shows them must contain this once.
    pub fn render_definitions(&self) -> Markup {
        let mut images: Vec<&EmbeddedImage> = self.images.values().flatten().collect();
        images.sort_by_key(|image| image.number);
        html! {
            svg.images width="0" height="0" aria-hidden="true" {
                defs {
                    @for image in images {
                        image id=(image.element_id()) width=(image.width) height=(image.height)
                            href={ "data:image/png;base64," (BASE64.encode(&image.png)) } {}
                    }
                }
            }
        }
    }

    fn get(&mut self, path: &Path) -> Option<&EmbeddedImage> {
        if !self.images.contains_key(path) {
            let image = self.read(path);
            self.images.insert(path.to_path_buf(), image);
        }
        self.images.get(path)?.as_ref()
    }

    fn read(&mut self, path: &Path) -> Option<EmbeddedImage> {
        let file = File::open(path).ok()?;
        let room = MAX_IMAGE_BYTES.min(MAX_TOTAL_BYTES - self.bytes);
        let mut png = Vec::new();
        file.take(MAX_IMAGE_BYTES + 1).read_to_end(&mut png).ok()?;
        let (width, height) = read_png_size(&png)?;
        if png.len() as u64 > room {
            self.omitted += 1;
            return None;
        }
        self.bytes += png.len() as u64;
        Some(EmbeddedImage { number: self.images.len(), width, height, png })
    }
}

impl EmbeddedImage {
    fn element_id(&self) -> String {
        format!("p{}", self.number)
    }
}

/// Reads the width and height from the first chunk of a PNG. Returns none for any other file.
fn read_png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(rest.get(at..at + 4)?.try_into().ok()?));
    let (width, height) = (number(0)?, number(4)?);
    let is_plausible = |side| (1..=MAX_SIDE).contains(&side);
    (is_plausible(width) && is_plausible(height)).then_some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, length: usize) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.resize(length.max(bytes.len()), 0);
        bytes
    }

    #[test]
    fn only_a_whole_png_has_a_size() {
        assert_eq!(read_png_size(&png(1080, 1920, 0)), Some((1080, 1920)));
        for wrong in [&b""[..], b"\x89PNG\r\n\x1a\n", b"<svg onload=alert(1)>", &png(0, 5, 0)] {
            assert_eq!(read_png_size(wrong), None);
        }
    }

    #[test]
    fn an_image_shown_twice_is_embedded_once_and_images_beyond_the_limit_are_omitted() {
        let dir = tempfile::tempdir().unwrap();
        let path = |n: usize| dir.path().join(format!("{n}.png"));
        let count = (MAX_TOTAL_BYTES / MAX_IMAGE_BYTES) as usize + 3;
        for n in 0..count {
            std::fs::write(path(n), png(4, 8, MAX_IMAGE_BYTES as usize)).unwrap();
        }
        let mut store = ImageStore::default();
        assert!(store.show(&path(0), "a").is_some());
        assert!(store.show(&path(0), "a").is_some());
        let shown = (0..count).filter(|n| store.show(&path(*n), "a").is_some()).count();
        assert_eq!((shown, store.omitted), (count - 3, 3));
        assert!(store.show(&path(count), "no such file").is_none());
    }
}
