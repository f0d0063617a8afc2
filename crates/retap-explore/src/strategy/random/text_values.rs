//! Texts for a field that nothing is known about: ordinary values, and edge cases at which code breaks.

use crate::decision_rng::DecisionRng;
use retap_model::Widget;

const ORDINARY: [&str; 8] =
    ["hello", "Ada Lovelace", "42", "3.14", "ada@example.org", "2024-02-29", "Zürich", "a"];
const EDGE_CASES: [&str; 10] = [
    "",
    " ",
    "0",
    "-1",
    "2147483648",
    "1e309",
    "'; --",
    "<b>&amp;",
    "日本語 👩‍👩‍👧",
    "the quick brown fox jumps over the lazy dog, again and again, until the line is full",
];

/// Draws a text for a field. A field whose id or description hints at a format often gets a text in that format.
pub fn draw_text(field: &Widget, rng: &mut DecisionRng) -> String {
    let hint = format!("{} {}", field.short_id(), field.description).to_lowercase();
    let values_by_hint = [
        (["mail", "user"], "ada@example.org"),
        (["phone", "number"], "5550100"),
        (["url", "link"], "https://example.org/a?b=c"),
        (["date", "day"], "2024-02-29"),
    ];
    let hinted =
        values_by_hint.iter().find(|(words, _)| words.iter().any(|word| hint.contains(word)));
    match hinted {
        Some((_, value)) if rng.chance(0.4) => (*value).to_string(),
        _ => {
            let values = if rng.chance(0.6) { &ORDINARY[..] } else { &EDGE_CASES[..] };
            rng.pick(values).map_or_else(String::new, |value| (*value).to_string())
        }
    }
}
