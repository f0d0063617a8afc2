//! Old and new code of a method side by side. Lines that are the same are shown near a change only.

use maud::{Markup, html};

use super::super::MethodListing;

/// Longer methods are compared line by line only near their start and end: the table of the comparison grows with the
/// product of both lengths.
const MAX_COMPARED: usize = 2_000;

/// Lines that are the same in both versions, shown before and after each change.
const CONTEXT: usize = 4;

pub fn side_by_side(listing: &MethodListing) -> Markup {
    let rows = align(&listing.old, &listing.new);
    let one_sided = listing.old.is_empty() || listing.new.is_empty();
    html! {
        table.code {
            @for part in folded(&rows) {
                @match part {
                    Part::Row(old, new) => {
                        tr {
                            @if !listing.old.is_empty() || !one_sided {
                                td class=[new.is_none().then_some("del")] { (text(old)) }
                            }
                            @if !listing.new.is_empty() || !one_sided {
                                td class=[old.is_none().then_some("add")] { (text(new)) }
                            }
                        }
                    }
                    Part::Same(count) => { tr.fold { td colspan="2" { (count) " lines are the same" } } }
                }
            }
        }
    }
}

fn text(line: Option<&String>) -> &str {
    line.map_or("", String::as_str)
}

/// A row of the table, or rows that are left out because nothing near them differs.
enum Part<'a> {
    Row(Option<&'a String>, Option<&'a String>),
    Same(usize),
}

fn folded<'a>(rows: &[Row<'a>]) -> Vec<Part<'a>> {
    let differs = |row: &Row| row.0.is_none() || row.1.is_none();
    let changes: Vec<usize> = (0..rows.len()).filter(|&it| differs(&rows[it])).collect();
    let is_near = |place: usize| {
        let next = changes.partition_point(|&it| it < place);
        let near = |it: Option<&usize>| it.is_some_and(|it| it.abs_diff(place) <= CONTEXT);
        near(changes.get(next)) || near(next.checked_sub(1).and_then(|it| changes.get(it)))
    };
    let mut parts = Vec::new();
    for (place, &(old, new)) in rows.iter().enumerate() {
        if is_near(place) {
            parts.push(Part::Row(old, new));
        } else if let Some(Part::Same(count)) = parts.last_mut() {
            *count += 1;
        } else {
            parts.push(Part::Same(1));
        }
    }
    parts
}

type Row<'a> = (Option<&'a String>, Option<&'a String>);

/// Aligns two lists of lines by a longest common subsequence.
fn align<'a>(old: &'a [String], new: &'a [String]) -> Vec<Row<'a>> {
    let common_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[common_start..], &new[common_start..]);
    let common_end =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, old_end) = old_rest.split_at(old_rest.len() - common_end);
    let (new_mid, new_end) = new_rest.split_at(new_rest.len() - common_end);
    let both = |(a, b): (&'a String, &'a String)| (Some(a), Some(b));
    let mut rows: Vec<Row> =
        old[..common_start].iter().zip(&new[..common_start]).map(both).collect();
    if old_mid.len().max(new_mid.len()) > MAX_COMPARED {
        rows.extend(old_mid.iter().map(|line| (Some(line), None)));
        rows.extend(new_mid.iter().map(|line| (None, Some(line))));
    } else {
        rows.extend(align_middle(old_mid, new_mid));
    }
    rows.extend(old_end.iter().zip(new_end).map(both));
    rows
}

fn align_middle<'a>(old: &'a [String], new: &'a [String]) -> Vec<Row<'a>> {
    let width = new.len() + 1;
    let mut lengths = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut rows) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            rows.push((Some(&old[i]), Some(&new[j])));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
        {
            rows.push((Some(&old[i]), None));
            i += 1;
        } else {
            rows.push((None, Some(&new[j])));
            j += 1;
        }
    }
    rows
}
