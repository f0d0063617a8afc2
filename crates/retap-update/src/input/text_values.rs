//! Texts for fields: none, one used before, one used here before, a literal of the code, random letters, or another
//! random character; each as likely as the others. Half of the time a literal that the window's code compares with comes first, if
//! the field has not had it: a form often goes on with that one alone.

use crate::model::{RunWindow, RunWindowId};
use retap_explore::DecisionRng;
use retap_model::{Event, Widget};
use std::collections::{BTreeMap, BTreeSet};

/// A literal longer than this is no input.
const MAX_LITERAL: usize = 40;
const OTHERS: [char; 12] = ['0', '7', '-', '.', '@', '/', '\'', '%', '&', '#', ' ', 'é'];

/// The texts of the code and those that were typed.
#[derive(Debug, Clone, Default)]
pub struct TextMemory {
    literals: BTreeMap<RunWindowId, Vec<String>>,
    /// Texts that the code compares with.
    compared: BTreeSet<String>,
    used: BTreeSet<String>,
    used_in: BTreeMap<String, BTreeSet<String>>,
}

impl TextMemory {
    pub fn new(windows: impl Iterator<Item = (RunWindowId, RunWindow)>) -> Self {
        let mut memory = Self::default();
        let windows: Vec<(RunWindowId, RunWindow)> = windows.collect();
        for (id, window) in &windows {
            // The code of a dialog is that of its activity.
            let owner = window.owner.and_then(|owner| windows.iter().find(|(id, _)| *id == owner));
            let of_owner = owner.map(|(_, owner)| owner.literals.as_slice()).unwrap_or_default();
            let literals = window.literals.iter().chain(of_owner).filter(|text| {
                (1..=MAX_LITERAL).contains(&text.chars().count())
                    && !text.chars().any(char::is_control)
            });
            memory.literals.insert(*id, literals.cloned().collect());
        }
        memory
    }

    /// Knows which literals the code compares with.
    pub fn with_compared(self, compared: &[String]) -> Self {
        Self { compared: compared.iter().cloned().collect(), ..self }
    }

    /// Remembers a text that was typed.
    pub fn record(&mut self, event: &Event) {
        let Event::Text { on, text } = event else { return };
        self.used.insert(text.clone());
        let field = on.on.as_ref().map(|selector| selector.id.clone()).unwrap_or_default();
        self.used_in.entry(field).or_default().insert(text.clone());
    }

    /// Draws a text for a field of a window.
    pub fn draw(&self, field: &Widget, window: RunWindowId, rng: &mut DecisionRng) -> String {
        let pick =
            |texts: Vec<&String>, rng: &mut DecisionRng| rng.pick(&texts).map(|it| (*it).clone());
        let used_here = self.used_in.get(field.short_id());
        let is_fresh = |text: &&String| {
            self.compared.contains(*text) && used_here.is_none_or(|used| !used.contains(*text))
        };
        let literals = self.literals.get(&window).into_iter().flatten();
        let compared: Vec<&String> = literals.clone().filter(is_fresh).collect();
        if !compared.is_empty() && rng.chance(0.5) {
            return pick(compared, rng).unwrap_or_default();
        }
        let drawn = match rng.below(6) {
            0 => Some(String::new()),
            1 => pick(self.used.iter().collect(), rng),
            2 => pick(used_here.into_iter().flatten().collect(), rng),
            3 => pick(literals.collect(), rng),
            4 => None,
            _ => rng.pick(&OTHERS).map(char::to_string),
        };
        drawn.unwrap_or_else(|| random_letters(rng))
    }
}

fn random_letters(rng: &mut DecisionRng) -> String {
    let length = 3 + rng.below(8);
    (0..length).map(|_| char::from(b'a' + rng.below(26) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Selector, Target};
    use retap_static::AppWindowKind;

    fn typed(memory: &TextMemory, field: &Widget, seeds: std::ops::Range<u64>) -> Vec<String> {
        seeds.map(|seed| memory.draw(field, 1, &mut DecisionRng::new(seed, 0))).collect()
    }

    #[test]
    fn a_field_soon_gets_the_text_that_the_code_compares_with_and_then_others() {
        let window = |owner, literals: &[&str]| RunWindow {
            name: "a.Main".into(),
            kind: AppWindowKind::Activity,
            owner,
            is_added: false,
            labels: BTreeSet::new(),
            literals: literals.iter().map(|it| it.to_string()).collect(),
            terms: BTreeMap::new(),
        };
        let labels: Vec<String> = (0..30).map(|number| format!("label {number}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).chain(["SPRING"]).collect();
        let windows = [(0, window(None, &labels)), (1, window(Some(0), &[]))];
        let mut memory = TextMemory::new(windows.into_iter()).with_compared(&["SPRING".into()]);
        let field = Widget { id: "a:id/code".into(), ..Widget::default() };
        let texts = typed(&memory, &field, 0..20);
        let hits = texts.iter().filter(|text| *text == "SPRING").count();
        assert!((5..=15).contains(&hits), "about half of the time: {texts:?}");
        let on =
            Target { on: Some(Selector { id: "code".into(), ..Selector::default() }), at: None };
        memory.record(&Event::Text { on, text: "SPRING".into() });
        let texts = typed(&memory, &field, 0..20);
        let hits = texts.iter().filter(|text| *text == "SPRING").count();
        assert!(hits < 15, "the field has had it: {texts:?}");
        assert!(texts.iter().collect::<BTreeSet<_>>().len() > 5, "{texts:?}");
    }
}
