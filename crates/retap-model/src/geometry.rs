//! Points and rectangles in device pixels. The origin is the top left corner of the screen.

use serde::{Deserialize, Serialize};

/// A point, written as `[x,y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

impl Point {
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

impl From<[i32; 2]> for Point {
    fn from([x, y]: [i32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [i32; 2] {
    fn from(point: Point) -> Self {
        [point.x, point.y]
    }
}

/// A half-open rectangle, written as `[left,top,right,bottom]`: `right` and `bottom` are the first
/// pixels outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    pub fn width(&self) -> i32 {
        self.right.saturating_sub(self.left)
    }

    pub fn height(&self) -> i32 {
        self.bottom.saturating_sub(self.top)
    }

    pub fn is_empty(&self) -> bool {
        self.width() <= 0 || self.height() <= 0
    }

    pub fn center(&self) -> Point {
        let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
        Point::new(middle(self.left, self.right), middle(self.top, self.bottom))
    }

    pub fn contains(&self, point: Point) -> bool {
        (self.left..self.right).contains(&point.x) && (self.top..self.bottom).contains(&point.y)
    }

    pub fn intersection(&self, other: &Rect) -> Rect {
        Rect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub fn covers(&self, other: &Rect) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }
}

impl From<[i32; 4]> for Rect {
    fn from([left, top, right, bottom]: [i32; 4]) -> Self {
        Self { left, top, right, bottom }
    }
}

impl From<Rect> for [i32; 4] {
    fn from(rect: Rect) -> Self {
        [rect.left, rect.top, rect.right, rect.bottom]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_center_of_an_extreme_rectangle_does_not_overflow() {
        let rect = Rect::new(i32::MAX - 2, i32::MIN, i32::MAX, i32::MIN + 2);
        assert_eq!(rect.center(), Point::new(i32::MAX - 1, i32::MIN + 1));
    }

    #[test]
    fn the_right_and_bottom_edges_lie_outside() {
        let rect = Rect::new(0, 0, 10, 10);
        assert!(rect.contains(Point::new(9, 9)));
        assert!(!rect.contains(Point::new(10, 9)));
    }
}
