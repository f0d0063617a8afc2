//! Inputs: which events do what the model says, which values to type, and what else a window offers.

pub mod fill;
pub mod locate;
mod manual;
pub mod offers;
mod text_values;

pub use fill::EmptyTexts;
pub use manual::{ManualInputError, ManualInputs};
pub use text_values::TextMemory;
