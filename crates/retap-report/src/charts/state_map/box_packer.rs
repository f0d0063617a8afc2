//! A packer of boxes, by the shelf algorithm: boxes go from left to right in rows.

/// Places boxes from left to right. A box goes below the one before it if the row is high enough, and into a new row
/// if the row is full.
#[derive(Debug)]
pub struct BoxPacker {
    max_width: f64,
    gap: f64,
    row_y: f64,
    row_height: f64,
    /// The column of boxes that is being filled.
    column_x: f64,
    column_width: f64,
    column_height: f64,
}

impl BoxPacker {
    /// Creates a packer for rows of the given width, with a gap between boxes.
    pub fn new(max_width: f64, gap: f64) -> Self {
        Self::with_row_at(max_width, gap, 0.0)
    }

    fn with_row_at(max_width: f64, gap: f64, row_y: f64) -> Self {
        Self {
            max_width,
            gap,
            row_y,
            row_height: 0.0,
            column_x: 0.0,
            column_width: 0.0,
            column_height: 0.0,
        }
    }

    /// Places a box and returns the position of its upper left corner.
    pub fn place(&mut self, width: f64, height: f64) -> (f64, f64) {
        let has_column = self.column_height > 0.0;
        let below = self.column_height + self.gap;
        if has_column
            && below + height <= self.row_height
            && self.column_x + width <= self.max_width
        {
            self.column_width = self.column_width.max(width);
            self.column_height = below + height;
            return (self.column_x, self.row_y + below);
        }
        if has_column {
            self.column_x += self.column_width + self.gap;
        }
        if self.column_x > 0.0 && self.column_x + width > self.max_width {
            *self = Self::with_row_at(self.max_width, self.gap, self.bottom() + self.gap);
        }
        self.column_width = width;
        self.column_height = height;
        self.row_height = self.row_height.max(height);
        (self.column_x, self.row_y)
    }

    /// Returns the lower end of the last row.
    pub fn bottom(&self) -> f64 {
        self.row_y + self.row_height
    }
}
