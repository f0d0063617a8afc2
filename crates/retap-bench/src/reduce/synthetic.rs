//! A generated fake app, larger than any written by hand: 120 screens and a thousand branches, some of them behind a
//! counter that no screen shows.

use retap_engine::Failure;
use retap_explore::DecisionRng;
use retap_model::format::run::{RunError, write_whole};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const SCREENS: usize = 120;
const BUTTONS: usize = 6;
/// Most buttons lead to one of this many nearby screens, as in real apps.
const NEAR: usize = 12;

/// Writes the app for this seed into the folder and returns its file.
pub fn write(folder: &Path, seed: u64) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder).map_err(RunError::io(folder))?;
    let file = folder.join(format!("{}.fake", super::SYNTHETIC));
    // Writing to a string cannot fail.
    let mut text = String::new();
    let _ = source(&mut text, seed);
    write_whole(&file, text.as_bytes())?;
    Ok(file)
}

fn source(text: &mut String, seed: u64) -> std::fmt::Result {
    writeln!(text, "app com.example.synthetic 1.0\nstart s0 covers boot\nvar hidden = 0")?;
    for screen in 0..SCREENS {
        writeln!(text, "screen s{screen} activity Activity{screen}")?;
        for button in 0..BUTTONS {
            writeln!(text, "  button b{button} \"Button {button}\"")?;
        }
    }
    for number in 0..SCREENS * BUTTONS {
        let dice = &mut DecisionRng::new(seed, number as u64);
        let (screen, button) = (number / BUTTONS, number % BUTTONS);
        let on = format!("on s{screen} tap b{button}");
        let near = (screen + dice.below(NEAR)).saturating_sub(NEAR / 3) % SCREENS;
        let goal = if dice.chance(0.05) { dice.below(SCREENS) } else { near };
        let counts = if dice.chance(0.1) { " set hidden = hidden + 1" } else { "" };
        if dice.chance(0.1) {
            let (least, other) = (dice.below(4) + 1, dice.below(SCREENS));
            writeln!(text, "{on} if hidden < {least} -> s{other} covers hidden{number}")?;
        }
        writeln!(text, "{on} -> s{goal}{counts} covers a{number} b{}", number / 3)?;
    }
    Ok(())
}
