//! The vocabulary that all phases share: requirements and costs, and the selected traces as numbers.

pub(crate) mod bit_set;
pub(crate) mod cost;
pub(crate) mod gain_ratio;
pub(crate) mod indexed_traces;
pub(crate) mod labels;
pub(crate) mod requirement;
pub(crate) mod requirement_groups;
pub(crate) mod requirement_index;
pub(crate) mod verified_path;
