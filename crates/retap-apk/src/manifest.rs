//! The declarations of `AndroidManifest.xml` as plain data, with names and references resolved.

mod attribute_name;
mod attributes;
mod edit;
mod error;
mod launcher;
mod name;
mod read;
mod sdk;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::resource::{Element, ResourceTable};

pub use edit::NewProvider;
pub use error::ManifestError;
pub use launcher::Launcher;
pub use sdk::PREVIEW_API_LEVEL;

/// An app's manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Manifest {
    pub package: String,
    /// The name of the split, in all parts of a bundle but the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// The base cannot be installed without its splits.
    pub split_required: bool,
    pub version_name: Option<String>,
    pub version_code: u64,
    pub min_sdk: u32,
    pub target_sdk: u32,
    pub application: Application,
    pub activities: Vec<Activity>,
    pub aliases: Vec<ActivityAlias>,
    pub services: Vec<AppComponent>,
    pub receivers: Vec<AppComponent>,
    pub providers: Vec<Provider>,
    /// The permissions the app requests.
    pub permissions: Vec<String>,
    pub libraries: Vec<PlatformDependency>,
    pub features: Vec<PlatformDependency>,
    /// What makes the APK a test APK.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instrumentations: Vec<Instrumentation>,
}

/// An `<instrumentation>` element: a class that runs tests in the process of an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instrumentation {
    /// The fully qualified class name.
    pub name: String,
    /// The package of the app that it tests.
    pub target_package: String,
}

/// The `<application>` element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Application {
    /// The `Application` subclass.
    pub class: Option<String>,
    pub component_factory: Option<String>,
    pub label: Option<String>,
    /// `@style/…`, or the bare id if the table does not know it.
    pub theme: Option<String>,
    pub debuggable: bool,
    pub enabled: bool,
    pub has_code: bool,
    pub meta_data: BTreeMap<String, String>,
}

/// The attributes that activities, services, receivers and providers share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppComponent {
    /// The fully qualified class name.
    pub name: String,
    pub enabled: bool,
    /// As declared, or else Android's default.
    pub exported: bool,
    pub permission: Option<String>,
    pub process: Option<String>,
    pub filters: Vec<IntentFilter>,
    pub meta_data: BTreeMap<String, String>,
}

/// An `<activity>` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Activity {
    #[serde(flatten)]
    pub component: AppComponent,
    pub label: Option<String>,
    pub theme: Option<String>,
    pub launch_mode: LaunchMode,
    pub task_affinity: Option<String>,
    /// The activity that "up" leads to.
    pub parent: Option<String>,
    pub no_history: bool,
}

/// A second name for an activity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActivityAlias {
    #[serde(flatten)]
    pub component: AppComponent,
    pub target: String,
}

/// A `<provider>` element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provider {
    #[serde(flatten)]
    pub component: AppComponent,
    pub authorities: Vec<String>,
}

/// The way Android places a new instance of an activity in a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LaunchMode {
    #[default]
    Standard,
    SingleTop,
    SingleTask,
    SingleInstance,
    SingleInstancePerTask,
}

/// An `<intent-filter>` element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IntentFilter {
    pub actions: Vec<String>,
    pub categories: Vec<String>,
    pub data: Vec<IntentData>,
    pub priority: i32,
}

/// One `<data>` element. Android combines those of a filter; here they stay separate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IntentData {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// A shared library or device feature the app uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlatformDependency {
    pub name: String,
    pub required: bool,
}

impl Manifest {
    /// Reads the binary manifest and looks references up in `table`.
    pub fn parse(file: &[u8], table: Option<&ResourceTable>) -> Result<Self, ManifestError> {
        read::manifest(&Element::parse(file)?, table)
    }
}
