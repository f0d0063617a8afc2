//! Removes the depth of a recursion from a stack.

use super::stack::Frame;

/// The longest cycle that is looked for.
const MAX_CYCLE: usize = 64;
/// A cycle must be met this often to count as one.
const MIN_ROUNDS: usize = 3;

/// Returns the cycle of a stack overflow, rotated so that its smallest frame comes first. The overflow may begin and end
/// anywhere in the cycle, and the printed stack is cut, so only the cycle itself is the same on every machine.
pub(super) fn find_cycle<'a>(frames: &[Frame<'a>]) -> Option<Vec<Frame<'a>>> {
    let starts = 0..frames.len().min(MAX_CYCLE);
    let cycles = starts.flat_map(|start| (1..=MAX_CYCLE).map(move |length| (start, length)));
    let (start, length) = cycles
        .into_iter()
        .find(|&(start, length)| rounds(&frames[start..], length) >= MIN_ROUNDS)?;
    let mut cycle = frames[start..start + length].to_vec();
    let smallest = (0..length).min_by_key(|&at| {
        let rotated = cycle[at..].iter().chain(&cycle[..at]);
        rotated.copied().collect::<Vec<_>>()
    })?;
    cycle.rotate_left(smallest);
    Some(cycle)
}

/// Keeps one round of every run of equal cycles that follow each other.
pub(super) fn collapse_repeats<'a>(frames: &[Frame<'a>]) -> Vec<Frame<'a>> {
    let mut kept = Vec::with_capacity(frames.len());
    let mut at = 0;
    while at < frames.len() {
        let rest = &frames[at..];
        let longest = MAX_CYCLE.min(rest.len() / 2);
        match (1..=longest).find(|&length| rounds(rest, length) >= 2) {
            Some(length) => at += length * (rounds(rest, length) - 1),
            None => {
                kept.push(frames[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Counts how often the first `length` frames follow each other from the start.
fn rounds(frames: &[Frame<'_>], length: usize) -> usize {
    if length == 0 || frames.len() < length {
        return 0;
    }
    frames.chunks_exact(length).take_while(|chunk| *chunk == &frames[..length]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<Frame<'_>> {
        text.split_whitespace().map(|method| Frame { method, place: "" }).collect()
    }

    fn names(frames: Vec<Frame<'_>>) -> String {
        frames.into_iter().map(|frame| frame.method).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_overflow_is_named_by_its_cycle_wherever_it_begins_and_ends() {
        for stack in ["leaf b a b a b a b", "a b a b a b a main", "b a b a b a"] {
            assert_eq!(names(find_cycle(&frames(stack)).unwrap()), "a b", "{stack}");
        }
        assert!(find_cycle(&frames("a b c d")).is_none());
    }

    #[test]
    fn the_depth_of_a_recursion_does_not_count() {
        for stack in ["x a b main", "x a b a b main", "x a b a b a b main"] {
            assert_eq!(names(collapse_repeats(&frames(stack))), "x a b main", "{stack}");
        }
        assert_eq!(names(collapse_repeats(&frames("a a a main"))), "a main");
    }
}
