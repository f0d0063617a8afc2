//! What follows the phases: a suite of shortened sequences, the comparison with the old version, and the new version on data
//! of the old one.

use super::differences;
use super::session::UpdateSession;
use crate::verbs::fleet::{LabRequest, open_lab};
use retap_device::{DeviceError, Lab};
use retap_engine::connection::connect;
use retap_engine::update::{
    ComparisonSettings, SuiteInput, TargetSuite, UpgradeCheck, UpgradeSettings, VersionComparison,
    check_upgrade, compare, write_suite,
};
use retap_engine::{DeviceSettings, Failure};
use retap_model::app::AppIdentity;
use retap_model::{Event, RunPhase, Trace};
use retap_update::UpdateStrategy;

/// What the comparison may cost, in events on both devices for each event of the run.
const COMPARISON_SHARE: u64 = 8;

impl UpdateSession<'_> {
    pub(super) fn keep_suite(
        &self,
        lab: &mut Lab<'_>,
        strategy: &UpdateStrategy,
        traces: &[Trace],
    ) -> Result<TargetSuite, Failure> {
        let input = SuiteInput {
            info: &self.info,
            app: self.app,
            targets: strategy.targets(),
            progress: strategy.progress(),
            traces,
            shortens: !self.args.no_minimize,
            include: &self.args.device.include,
            exclude: &self.args.device.exclude,
        };
        let suite = write_suite(lab, &self.dir.join("suite"), input, self.console.context())?;
        lab.charge(RunPhase::Minimize);
        Ok(suite)
    }

    pub(super) fn compare(
        &mut self,
        lab: &mut Lab<'_>,
        strategy: &UpdateStrategy,
        traces: &[Trace],
        old_identity: &mut AppIdentity,
    ) -> Result<VersionComparison, Failure> {
        let nothing = |why: &str| VersionComparison {
            left_out: Some(why.into()),
            ..VersionComparison::default()
        };
        let Some(old) = self.args.old.as_deref().filter(|_| !self.args.no_compare) else {
            return Ok(nothing("--no-compare was given"));
        };
        // Both versions run on the same Android.
        let device = DeviceSettings { api: self.info.api, ..self.args.device.settings() };
        let connection = match connect(&device, Some(old), self.console.context()) {
            Ok(connection) => connection,
            Err(error) => return Ok(nothing(&format!("the old version does not run: {error}"))),
        };
        let wanted = LabRequest::new("update", &device, self.args.jobs, &self.args.fleet);
        let mut old_lab = open_lab(&connection, wanted, self.console)?;
        match old_lab.rig().app() {
            Ok(app) => *old_identity = app.identity.clone(),
            Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted.into()),
            Err(error) => return Ok(nothing(&format!("the old version does not run: {error}"))),
        }
        let sequences: Vec<Vec<Event>> =
            traces.iter().map(|trace| trace.events().cloned().collect()).collect();
        let settings = ComparisonSettings {
            world_seed: self.info.world_seed,
            knowledge: &self.plan.knowledge,
            targets: strategy.targets(),
            max_events: COMPARISON_SHARE * self.args.max_events,
            shortens: !self.args.no_minimize,
        };
        let found = compare(&mut old_lab, lab, &sequences, settings, self.console.context())?;
        let pictures = self.args.pictures;
        differences::keep(&self.dir, &self.info, &found, (&mut old_lab, lab), pictures)?;
        lab.charge(RunPhase::Verify);
        old_lab.charge(RunPhase::Verify);
        self.costs.add_all(old_lab.costs());
        Ok(found)
    }

    /// Tries the new version on data that the old one wrote.
    pub(super) fn check_upgrade(
        &mut self,
        suite: &TargetSuite,
        comparison: &VersionComparison,
    ) -> Result<UpgradeCheck, Failure> {
        let nothing = |why: String| UpgradeCheck { left_out: Some(why), ..UpgradeCheck::default() };
        let (Some(old), Some(new)) = (&self.args.old, &self.args.new) else {
            return Ok(nothing("there is no old version".into()));
        };
        if self.args.no_compare {
            return Ok(nothing("--no-compare was given".into()));
        }
        if comparison.sequences == 0 {
            return Ok(nothing("the old version was not run".into()));
        }
        // Both versions run on the same Android.
        let device = DeviceSettings { api: self.info.api, ..self.args.device.settings() };
        let connection = connect(&device, Some(new), self.console.context())?;
        let settings = UpgradeSettings {
            connect: connection.connect.as_ref(),
            old,
            new,
            package: &self.info.app.package,
            world_seed: self.info.world_seed,
        };
        let checked = check_upgrade(&suite.sequences, settings, self.console.context())?;
        self.costs.add(RunPhase::Verify, checked.cost);
        differences::keep_faults(&self.dir, &self.info, comparison.differences.len(), &checked)?;
        Ok(checked)
    }
}
