//! Screenshots made smaller. A page that shows a hundred screens of a phone must not hold a hundred pictures of two
//! million pixels.
//!
//! Law: this crate does **not** know what a picture shows. It knows no files, no devices and no retap: bytes in, bytes
//! out. A picture of others may be damaged on purpose, so that its size is checked before memory is taken.

mod picture;
mod thumbnail;

pub use picture::{Picture, PictureError};
pub use thumbnail::{Thumbnail, shrink};
