//! From `--device` to something that can be connected to.

use crate::cli::{DeviceArgs, DeviceChoice};
use crate::failure::Failure;
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use std::path::{Path, PathBuf};

/// What the flags chose: how to connect, and the file that the app came from.
pub struct Chosen {
    pub connect: Box<dyn Connect>,
    pub apk: PathBuf,
}

pub fn choose(args: &DeviceArgs, apk: Option<&Path>) -> Result<Chosen, Failure> {
    match &args.device {
        DeviceChoice::Fake(file) => {
            if apk.is_some() {
                return Err(Failure::input(
                    "a fake device carries its app: give --device fake:FILE or an APK, not both",
                ));
            }
            readable(file)?;
            Ok(Chosen { connect: Box::new(FakeConnect::load(file)?), apk: file.clone() })
        }
        DeviceChoice::Embedded => {
            let apk = apk.ok_or_else(|| {
                Failure::input("which app? Name an APK, or a scripted one with --device fake:FILE")
            })?;
            readable(apk)?;
            Err(Failure::input("not yet"))
        }
    }
}

fn readable(file: &Path) -> Result<(), Failure> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Failure::input(format!("{} is not a file", file.display()))),
        Err(error) => Err(Failure::input(format!("{}: {error}", file.display()))),
    }
}
