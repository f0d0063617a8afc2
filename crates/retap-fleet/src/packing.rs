//! Compressed JSON: the form in which tasks and results travel.

use crate::error::FleetError;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Read;

/// Nothing is larger when it is unpacked, so that nobody can fill this machine's memory.
const MAX_UNPACKED: u64 = 1 << 30;

pub(crate) fn pack(value: &impl Serialize) -> Result<Vec<u8>, FleetError> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut packed, value).map_err(FleetError::malformed)?;
    packed.finish().map_err(FleetError::malformed)
}

pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FleetError> {
    let mut text = Vec::new();
    let mut unpacked = ZlibDecoder::new(bytes).take(MAX_UNPACKED);
    unpacked.read_to_end(&mut text).map_err(FleetError::malformed)?;
    serde_json::from_slice(&text).map_err(FleetError::malformed)
}
