//! The images of a page: each is embedded once however often it is shown, made smaller, and their total size is limited.
//!
//! Images are embedded in the order of requests, so the sections at the top of the page, which matter most, get theirs.
//! They are drawn in pixels of the original, so that the places of touches fit.

use data_encoding::BASE64;
use maud::{Markup, html};
use retap_picture::{Thumbnail, shrink};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Base64 takes a third more.
const MAX_TOTAL_BYTES: u64 = 8 << 20;
/// The largest file that is read.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// The shorter side of an embedded image, enough for small text at twice the density of a screen.
const SHORTER_SIDE: u32 = 400;

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
        self.show_with(path, caption, &html! {})
    }

    /// Shows the image of a file with a drawing over it, in pixels of the original.
    pub fn show_with(&mut self, path: &Path, caption: &str, drawing: &Markup) -> Option<Markup> {
        let image = self.get(path)?;
        let (width, height) = (image.width, image.height);
        let view = format!("0 0 {width} {height}");
        let id = image.element_id();
        Some(html! {
            svg.screenshot viewBox=(view) width=(width) height=(height) role="img" aria-label=(caption) {
                use href={ "#" (id) } {}
                (drawing)
            }
        })
    }

    /// Returns the number of the image of a file for the page's script, if the page holds it.
    pub fn number(&mut self, path: &Path) -> Option<usize> {
        self.get(path).map(|image| image.number)
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
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > MAX_FILE_BYTES || self.bytes >= MAX_TOTAL_BYTES {
            self.omitted += 1;
            return None;
        }
        let Thumbnail { png, width, height } = shrink(&bytes, SHORTER_SIDE).ok()?;
        if self.bytes + png.len() as u64 > MAX_TOTAL_BYTES {
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

#[cfg(test)]
mod tests {
    use super::*;
    use retap_picture::Picture;

    #[test]
    fn an_image_shown_twice_is_embedded_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = |n: usize| dir.path().join(format!("{n}.png"));
        std::fs::write(path(0), Picture::plain(4, 8, [9, 9, 9]).write().unwrap()).unwrap();
        std::fs::write(path(1), "<svg onload=alert(1)>").unwrap();
        let mut store = ImageStore::default();
        assert!(store.show(&path(0), "a").is_some());
        assert!(store.show(&path(0), "a").is_some());
        assert!(store.show(&path(1), "no picture").is_none());
        assert!(store.show(&path(2), "no such file").is_none());
        assert_eq!(store.render_definitions().into_string().matches("data:image/png").count(), 1);
    }

    #[test]
    fn images_beyond_the_limit_are_omitted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("0.png");
        std::fs::write(&path, Picture::plain(4, 8, [9, 9, 9]).write().unwrap()).unwrap();
        let mut store = ImageStore { bytes: MAX_TOTAL_BYTES, ..ImageStore::default() };
        assert!(store.show(&path, "a").is_none());
        assert_eq!(store.omitted, 1);
    }
}
