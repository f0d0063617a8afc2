//! The bounds of widgets: one below another over the window's whole width. Lists share the
//! remaining height.

use retap_model::{Display, Orientation, Rect, WindowKind};

/// The height of a row that a finger can hit, in density-independent pixels.
const ROW_DP: u32 = 48;

pub(crate) fn whole(display: Display, orientation: Orientation) -> Rect {
    let (width, height) = (display.width as i32, display.height as i32);
    match orientation {
        Orientation::Portrait | Orientation::ReversePortrait => Rect::new(0, 0, width, height),
        Orientation::Landscape | Orientation::ReverseLandscape => Rect::new(0, 0, height, width),
    }
}

pub(crate) fn window(kind: WindowKind, whole: Rect) -> Rect {
    // Left, top, right, bottom in percent of the display.
    let [left, top, right, bottom] = match kind {
        WindowKind::Dialog => [10, 25, 90, 75],
        WindowKind::Menu => [45, 0, 100, 60],
        WindowKind::Popup => [20, 35, 80, 80],
        _ => [0, 0, 100, 100],
    };
    let across = |percent: i32| whole.width() * percent / 100;
    let down = |percent: i32| whole.height() * percent / 100;
    Rect::new(across(left), down(top), across(right), down(bottom))
}

/// Returns the height of one row if there is enough room.
pub(crate) fn row_height(display: Display) -> i32 {
    (display.dpi * ROW_DP / 160).max(1) as i32
}

/// Returns one rectangle for each widget; `true` stands for a list.
pub(crate) fn stack(window: Rect, row: i32, lists: &[bool]) -> Vec<Rect> {
    let list_count = lists.iter().filter(|list| **list).count() as i32;
    let plain_count = lists.len() as i32 - list_count;
    let plain_room = if list_count == 0 { window.height() } else { window.height() / 2 };
    let plain = row.min(plain_room / plain_count.max(1));
    let list = (window.height() - plain * plain_count) / list_count.max(1);
    let mut top = window.top;
    let place = |is_list: &bool| {
        let bottom = top + if *is_list { list } else { plain };
        let rect = Rect::new(window.left, top, window.right, bottom);
        top = bottom;
        rect
    };
    lists.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widgets_lie_inside_the_window_without_overlap() {
        let bounds = Rect::new(0, 0, 100, 1000);
        for lists in [vec![false; 3], vec![false, true, false], vec![true; 2], vec![false; 150]] {
            let rects = stack(bounds, 144, &lists);
            assert!(rects.iter().all(|rect| bounds.covers(rect) && !rect.is_empty()), "{rects:?}");
            assert!(rects.windows(2).all(|pair| pair[0].bottom == pair[1].top), "{rects:?}");
        }
    }

    #[test]
    fn a_landscape_display_is_wide() {
        let display = Display::default();
        assert_eq!(whole(display, Orientation::Landscape), Rect::new(0, 0, 1920, 1080));
    }
}
