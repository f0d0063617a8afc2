//! What apps offer to others by address.

use super::{InstalledApp, PhoneState};

impl PhoneState {
    /// Returns what a provider of an app that was launched offers under an address.
    pub fn read_content(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let path = uri.strip_prefix("content://").unwrap_or(uri);
        let authority = path.split('/').next().unwrap_or_default().to_string();
        let provides = |app: &&mut InstalledApp| app.provides(&authority);
        let app = self.apps.values_mut().find(provides);
        let app = app.ok_or_else(|| format!("no app here provides {authority:?}"))?;
        if app.last.is_none() {
            return Err(format!("{} does not run", app.package()));
        }
        app.device.read_content(uri).map_err(|error| error.to_string())
    }
}
