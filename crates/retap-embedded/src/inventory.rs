//! What an API level of the device consists of, as the agent lists it.

use crate::connect::Listener;
use crate::private_folder::PrivateFolder;
use crate::process::run_agent_tool;
use crate::setup::{HostEnvironment, set_up_agent};
use retap_device::DeviceError;
use std::ffi::OsStr;
use std::fs;

/// Returns the inventory of a level: lines of JSON, which `agent/…/host/Inventory.java` describes.
pub fn level_inventory(api: u32, listener: &Listener) -> Result<String, DeviceError> {
    let setup = set_up_agent(&HostEnvironment::from_process()?, api, &**listener)?;
    let failed = |error: std::io::Error| DeviceError::Setup(format!("the inventory: {error}"));
    let folder = PrivateFolder::create().map_err(failed)?;
    let file = folder.path().join("inventory.jsonl");
    let level = api.to_string();
    let arguments = [
        OsStr::new("--inventory"),
        level.as_ref(),
        setup.android_jars.as_os_str(),
        file.as_os_str(),
    ];
    run_agent_tool(&setup, arguments.into_iter())?;
    fs::read_to_string(&file).map_err(failed)
}
