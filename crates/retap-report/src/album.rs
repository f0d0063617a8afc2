//! The pictures of a page, each inside it once however often it is shown, and all together bounded.
//! Whoever asks first is served first: the page shows what matters most at its top.

use data_encoding::BASE64;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const MOST_BYTES: u64 = 12 << 20;
const MOST_BYTES_EACH: u64 = 1 << 20;
/// Larger than any display; a size beyond it is a damaged file's.
const LONGEST_SIDE: u32 = 20_000;

#[derive(Debug, Default)]
pub struct Album {
    pictures: BTreeMap<PathBuf, Option<Picture>>,
    bytes: u64,
    /// Pictures that there was no room for.
    pub left_out: usize,
}

#[derive(Debug, Clone)]
struct Picture {
    number: usize,
    width: u32,
    height: u32,
    png: Vec<u8>,
}

impl Album {
    /// The picture in this file; nothing where there is none, or no room for it.
    pub fn show(&mut self, path: &Path, caption: &str) -> Option<Markup> {
        let picture = self.take(path)?;
        let (width, height) = (picture.width, picture.height);
        let view = format!("0 0 {width} {height}");
        let name = picture.name();
        Some(html! {
            svg.picture viewBox=(view) width=(width) height=(height) role="img" aria-label=(caption) {
                use href={ "#" (name) } {}
            }
        })
    }

    /// The picture as a part of a drawing.
    pub fn place(
        &mut self,
        path: &Path,
        (x, y, width, height): (f64, f64, f64, f64),
    ) -> Option<Markup> {
        let picture = self.take(path)?;
        let view = format!("0 0 {} {}", picture.width, picture.height);
        let name = picture.name();
        Some(html! {
            svg x=(x) y=(y) width=(width) height=(height) viewBox=(view) preserveAspectRatio="xMidYMin slice" {
                use href={ "#" (name) } {}
            }
        })
    }

    /// The pictures themselves; to be put on the page that shows them.
    pub fn render(&self) -> Markup {
        let mut pictures: Vec<&Picture> = self.pictures.values().flatten().collect();
        pictures.sort_by_key(|picture| picture.number);
        html! {
            svg.album width="0" height="0" aria-hidden="true" {
                defs {
                    @for picture in pictures {
                        image id=(picture.name()) width=(picture.width) height=(picture.height)
                            href={ "data:image/png;base64," (BASE64.encode(&picture.png)) } {}
                    }
                }
            }
        }
    }

    fn take(&mut self, path: &Path) -> Option<&Picture> {
        if !self.pictures.contains_key(path) {
            let picture = self.read(path);
            self.pictures.insert(path.to_path_buf(), picture);
        }
        self.pictures.get(path)?.as_ref()
    }

    fn read(&mut self, path: &Path) -> Option<Picture> {
        let file = File::open(path).ok()?;
        let room = MOST_BYTES_EACH.min(MOST_BYTES - self.bytes);
        let mut png = Vec::new();
        file.take(MOST_BYTES_EACH + 1).read_to_end(&mut png).ok()?;
        let (width, height) = png_size(&png)?;
        if png.len() as u64 > room {
            self.left_out += 1;
            return None;
        }
        self.bytes += png.len() as u64;
        Some(Picture { number: self.pictures.len(), width, height, png })
    }
}

impl Picture {
    fn name(&self) -> String {
        format!("p{}", self.number)
    }
}

/// Width and height as a PNG's first chunk says; nothing for any other file.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(rest.get(at..at + 4)?.try_into().ok()?));
    let (width, height) = (number(0)?, number(4)?);
    let sensible = |side| (1..=LONGEST_SIDE).contains(&side);
    (sensible(width) && sensible(height)).then_some((width, height))
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
        assert_eq!(png_size(&png(1080, 1920, 0)), Some((1080, 1920)));
        for wrong in [&b""[..], b"\x89PNG\r\n\x1a\n", b"<svg onload=alert(1)>", &png(0, 5, 0)] {
            assert_eq!(png_size(wrong), None);
        }
    }

    #[test]
    fn a_picture_shown_twice_is_kept_once_and_too_many_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = |n: usize| dir.path().join(format!("{n}.png"));
        let count = (MOST_BYTES / MOST_BYTES_EACH) as usize + 3;
        for n in 0..count {
            std::fs::write(path(n), png(4, 8, MOST_BYTES_EACH as usize)).unwrap();
        }
        let mut album = Album::default();
        assert!(album.show(&path(0), "a").is_some());
        assert!(album.show(&path(0), "a").is_some());
        let shown = (0..count).filter(|n| album.show(&path(*n), "a").is_some()).count();
        assert_eq!((shown, album.left_out), (count - 3, 3));
        assert!(album.show(&path(count), "no such file").is_none());
    }
}
