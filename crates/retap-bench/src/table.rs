//! Text tables of numbers, and medians.

use std::fmt::Write;

/// Renders a table: the first column is aligned left, all others right.
pub fn render(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                0 => write!(text, "{cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.push('\n');
    };
    line(&mut head.iter().copied());
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    text
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let Some(above) = values.get(values.len() / 2) else { return 0.0 };
    // The median of an even number of values lies halfway between the two in the middle.
    let below = values.get((values.len() - 1) / 2).unwrap_or(above);
    (below + above) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["dd".to_string(), "7".into()], vec!["auto".into(), "123".into()]];
        assert_eq!(render(&["", "calls"], &rows), "      calls\ndd        7\nauto    123\n");
    }

    #[test]
    fn the_median_is_in_the_middle_and_that_of_nothing_is_zero() {
        assert_eq!(median([]), 0.0);
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([3.0, 1.0, 2.0, 4.0]), 2.5);
    }
}
