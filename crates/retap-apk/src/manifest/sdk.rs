//! API levels by code name: apps built against a preview name their level instead of numbering it.

const CODE_NAMES: &[(&str, u32)] = &[
    ("M", 23),
    ("N", 24),
    ("NMR1", 25),
    ("O", 26),
    ("OMR1", 27),
    ("P", 28),
    ("Q", 29),
    ("R", 30),
    ("S", 31),
    ("Sv2", 32),
    ("Tiramisu", 33),
    ("UpsideDownCake", 34),
    ("VanillaIceCream", 35),
    ("Baklava", 36),
];

/// The level of a code name. One nobody has heard of is newer than everything.
pub fn level(code_name: &str) -> u32 {
    // Previews carry a fingerprint: `S.1234abcd`.
    let name = code_name.split('.').next().unwrap_or_default();
    CODE_NAMES.iter().find(|(known, _)| *known == name).map_or(u32::MAX, |(_, level)| *level)
}
