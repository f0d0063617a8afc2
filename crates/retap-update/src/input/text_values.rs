//! Texts for fields: none, one used before, one used here before, a literal of the code, random letters, or another
//! random character; each as likely as the others.

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
        let drawn = match rng.below(6) {
            0 => Some(String::new()),
            1 => pick(self.used.iter().collect(), rng),
            2 => pick(self.used_in.get(field.short_id()).into_iter().flatten().collect(), rng),
            3 => pick(self.literals.get(&window).into_iter().flatten().collect(), rng),
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
