//! Places on a screen whose size the recording does not tell.

use retap_model::{Display, Point};

/// Turns shares of the screen into points of a display.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    pub display: Display,
    pub landscape: bool,
}

impl Places {
    pub fn new(display: Display) -> Self {
        Self { display, landscape: false }
    }

    /// Returns the width and height as they are now.
    pub fn size(&self) -> (i32, i32) {
        let (width, height) = (self.display.width as i32, self.display.height as i32);
        if self.landscape { (height, width) } else { (width, height) }
    }

    /// Returns the point at these hundredths of the screen.
    pub fn share(&self, x: f64, y: f64) -> Point {
        let (width, height) = self.size();
        let at = |share: f64, size: i32| {
            let pixel = share.clamp(0.0, 100.0) / 100.0 * f64::from(size);
            (pixel as i32).clamp(0, size.saturating_sub(1).max(0))
        };
        Point::new(at(x, width), at(y, height))
    }
}
