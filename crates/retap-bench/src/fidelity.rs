//! `retap bench fidelity`: what of the embedded device is real, what a stand-in and what missing, at each API level, and
//! whether it does what a phone does, by the checks of the `checks` fixture.

mod inventory;
mod page;

use inventory::LevelInventory;
use retap_device::Connect;
use retap_device::phone_checks::{PhoneCheck, run_phone_checks};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, level_inventory};
use retap_engine::{Context, Failure};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct FidelityBench {
    /// The app that checks its phone.
    pub apk: PathBuf,
    pub levels: Vec<u32>,
    /// The page to write.
    pub output: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
pub struct FidelityResults {
    verb: &'static str,
    levels: Vec<LevelFidelity>,
}

/// One API level.
#[derive(Debug, Serialize)]
struct LevelFidelity {
    api: u32,
    #[serde(flatten)]
    inventory: LevelInventory,
    checks: Vec<FidelityCheck>,
}

/// One check of what a phone does.
#[derive(Debug, Serialize)]
struct FidelityCheck {
    group: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

impl From<PhoneCheck> for FidelityCheck {
    fn from(check: PhoneCheck) -> Self {
        Self { group: check.group, name: check.name, difference: check.difference }
    }
}

impl LevelFidelity {
    fn held(&self) -> usize {
        self.checks.iter().filter(|check| check.difference.is_none()).count()
    }
}

impl FidelityResults {
    /// Renders a line for each level.
    pub fn render(&self) -> String {
        let line = |level: &LevelFidelity| {
            let counts = &level.inventory.counts;
            format!(
                "API {}: {} of {} checks hold; {} stand-ins for Java methods, {} natives that nobody plays\n",
                level.api,
                level.held(),
                level.checks.len(),
                counts.java_stand_ins,
                counts.natives_unplayed,
            )
        };
        self.levels.iter().map(line).collect()
    }
}

/// Measures every level and writes the page.
pub fn run(bench: &FidelityBench, context: Context<'_>) -> Result<FidelityResults, Failure> {
    let mut levels = Vec::new();
    for &api in &bench.levels {
        let listener = context.reporter.device_listener();
        let lines = level_inventory(api, &listener)?;
        let options = EmbeddedOptions { api: Some(api), ..EmbeddedOptions::default() };
        let mut device = EmbeddedConnect::new(bench.apk.clone(), options, listener).connect()?.0;
        let checks = run_phone_checks(&mut *device, 1)?;
        levels.push(LevelFidelity {
            api,
            inventory: LevelInventory::read(&lines)?,
            checks: checks.into_iter().map(FidelityCheck::from).collect(),
        });
    }
    let results = FidelityResults { verb: "bench fidelity", levels };
    if let Some(output) = &bench.output {
        let written = fs::write(output, page::render(&results.levels));
        written.map_err(|error| Failure::input(format!("{}: {error}", output.display())))?;
    }
    Ok(results)
}
