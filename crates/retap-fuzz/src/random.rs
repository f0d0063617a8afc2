//! Random numbers that are the same on every machine.

/// The generator SplitMix64.
#[derive(Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// Begins with a text, so that each reader meets inputs of its own.
    pub fn new(text: &str) -> Self {
        let mix = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self { state: text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) }
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`, or zero if that is zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit as u64).max(1)) as usize
    }
}
