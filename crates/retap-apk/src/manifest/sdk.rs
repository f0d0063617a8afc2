//! API levels by code name. An app built against a preview names its level instead of numbering it.

/// Android's own number for "newer than any release".
pub const PREVIEW_API_LEVEL: u32 = 10_000;

const CODE_NAMES: &[(&str, u32)] = &[
    ("Donut", 4),
    ("Eclair", 5),
    ("Froyo", 8),
    ("Gingerbread", 9),
    ("Honeycomb", 11),
    ("HoneycombMR1", 12),
    ("HoneycombMR2", 13),
    ("IceCreamSandwich", 14),
    ("IceCreamSandwichMR1", 15),
    ("JellyBean", 16),
    ("JellyBeanMR1", 17),
    ("JellyBeanMR2", 18),
    ("KeyLimePie", 19),
    ("KitKat", 19),
    ("L", 21),
    ("LMP", 21),
    ("MNC", 23),
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

/// Returns the level of a code name. An unknown one is a preview that is still to come.
pub fn level(code_name: &str) -> u32 {
    // A preview's name may carry a fingerprint: `S.1234abcd`.
    let name = code_name.split('.').next().unwrap_or_default();
    CODE_NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(PREVIEW_API_LEVEL, |(_, level)| *level)
}
