//! What an APK says of the app that a phone will run.

use retap_apk::Apk;
use retap_device::DeviceError;
use retap_model::app::AppIdentity;
use retap_model::{App, Units};
use std::collections::BTreeSet;
use std::path::Path;

/// An app that is on a phone, or about to be.
#[derive(Debug, Clone)]
pub struct PhoneApp {
    pub app: App,
    /// The activity behind the icon.
    pub launcher: String,
    /// Permissions that Android asks the user for.
    pub dangerous: Vec<String>,
}

impl PhoneApp {
    pub fn package(&self) -> &str {
        &self.app.identity.package
    }

    /// Reads an APK or a bundle of splits.
    pub fn open(file: &Path) -> Result<Self, DeviceError> {
        let apk = Apk::open(file).map_err(|error| DeviceError::App(error.to_string()))?;
        let launcher = apk.launcher().map_err(|error| DeviceError::App(error.to_string()))?;
        let manifest = &apk.manifest;
        let receivers = manifest.receivers.iter().filter(|receiver| receiver.enabled);
        let actions: BTreeSet<String> = receivers
            .flat_map(|receiver| &receiver.filters)
            .flat_map(|filter| filter.actions.iter().cloned())
            .collect();
        let version = manifest.version_name.clone();
        let app = App {
            identity: AppIdentity {
                package: manifest.package.clone(),
                version: version.unwrap_or_else(|| manifest.version_code.to_string()),
                sha256: apk.sha256.clone(),
            },
            activities: manifest.activities.iter().map(|it| it.component.name.clone()).collect(),
            broadcasts: actions.into_iter().collect(),
            // A phone does not tell which code ran.
            units: Units::default().into(),
            libraries: Default::default(),
        };
        let is_asked_for = |name: &&String| DANGEROUS.iter().any(|known| name.ends_with(known));
        let dangerous = manifest.permissions.iter().filter(is_asked_for).cloned().collect();
        Ok(Self { app, launcher: launcher.component, dangerous })
    }
}

/// The permissions of Android's that a user grants one by one, from Android 6 to 16.
const DANGEROUS: [&str; 42] = [
    ".ACCEPT_HANDOVER",
    ".ACCESS_BACKGROUND_LOCATION",
    ".ACCESS_COARSE_LOCATION",
    ".ACCESS_FINE_LOCATION",
    ".ACCESS_MEDIA_LOCATION",
    ".ACTIVITY_RECOGNITION",
    ".ANSWER_PHONE_CALLS",
    ".BLUETOOTH_ADVERTISE",
    ".BLUETOOTH_CONNECT",
    ".BLUETOOTH_SCAN",
    ".BODY_SENSORS",
    ".BODY_SENSORS_BACKGROUND",
    ".CALL_PHONE",
    ".CAMERA",
    ".GET_ACCOUNTS",
    ".NEARBY_WIFI_DEVICES",
    ".POST_NOTIFICATIONS",
    ".PROCESS_OUTGOING_CALLS",
    ".RANGING",
    ".READ_CALENDAR",
    ".READ_CALL_LOG",
    ".READ_CELL_BROADCASTS",
    ".READ_CONTACTS",
    ".READ_EXTERNAL_STORAGE",
    ".READ_MEDIA_AUDIO",
    ".READ_MEDIA_IMAGES",
    ".READ_MEDIA_VIDEO",
    ".READ_MEDIA_VISUAL_USER_SELECTED",
    ".READ_PHONE_NUMBERS",
    ".READ_PHONE_STATE",
    ".READ_SMS",
    ".RECEIVE_MMS",
    ".RECEIVE_SMS",
    ".RECEIVE_WAP_PUSH",
    ".RECORD_AUDIO",
    ".SEND_SMS",
    ".USE_SIP",
    ".UWB_RANGING",
    ".WRITE_CALENDAR",
    ".WRITE_CALL_LOG",
    ".WRITE_CONTACTS",
    ".WRITE_EXTERNAL_STORAGE",
];
