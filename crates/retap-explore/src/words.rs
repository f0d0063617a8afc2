//! What to type into a field that nothing is known of: ordinary values and the edges where code breaks.

use crate::dice::Dice;
use retap_model::Widget;

const ORDINARY: [&str; 8] =
    ["hello", "Ada Lovelace", "42", "3.14", "ada@example.org", "2024-02-29", "Zürich", "a"];
const EDGES: [&str; 10] = [
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

pub fn text_for(field: &Widget, dice: &mut Dice) -> String {
    let hint = format!("{} {}", field.short_id(), field.description).to_lowercase();
    let fitting = [
        (["mail", "user"], "ada@example.org"),
        (["phone", "number"], "5550100"),
        (["url", "link"], "https://example.org/a?b=c"),
        (["date", "day"], "2024-02-29"),
    ];
    let known = fitting.iter().find(|(words, _)| words.iter().any(|word| hint.contains(word)));
    match known {
        Some((_, value)) if dice.chance(0.4) => (*value).to_string(),
        _ => {
            let words = if dice.chance(0.6) { &ORDINARY[..] } else { &EDGES[..] };
            dice.pick(words).map_or_else(String::new, |word| (*word).to_string())
        }
    }
}
