//! The manifest's attributes. Android identifies them by id. The name serves manifests that were
//! made without a resource map.

/// An attribute's id and name.
#[derive(Debug, Clone, Copy)]
pub struct AttributeName {
    /// 0 for the few attributes outside the `android` namespace.
    pub id: u32,
    pub text: &'static str,
}

const fn android(id: u32, text: &'static str) -> AttributeName {
    AttributeName { id: 0x0101_0000 | id, text }
}

const fn plain(text: &'static str) -> AttributeName {
    AttributeName { id: 0, text }
}

pub const PACKAGE: AttributeName = plain("package");
pub const SPLIT: AttributeName = plain("split");

pub const THEME: AttributeName = android(0x000, "theme");
pub const LABEL: AttributeName = android(0x001, "label");
pub const NAME: AttributeName = android(0x003, "name");
pub const PERMISSION: AttributeName = android(0x006, "permission");
pub const HAS_CODE: AttributeName = android(0x00c, "hasCode");
pub const ENABLED: AttributeName = android(0x00e, "enabled");
pub const DEBUGGABLE: AttributeName = android(0x00f, "debuggable");
pub const EXPORTED: AttributeName = android(0x010, "exported");
pub const PROCESS: AttributeName = android(0x011, "process");
pub const TASK_AFFINITY: AttributeName = android(0x012, "taskAffinity");
pub const AUTHORITIES: AttributeName = android(0x018, "authorities");
pub const PRIORITY: AttributeName = android(0x01c, "priority");
pub const LAUNCH_MODE: AttributeName = android(0x01d, "launchMode");
pub const TARGET_PACKAGE: AttributeName = android(0x021, "targetPackage");
pub const VALUE: AttributeName = android(0x024, "value");
pub const RESOURCE: AttributeName = android(0x025, "resource");
pub const MIME_TYPE: AttributeName = android(0x026, "mimeType");
pub const SCHEME: AttributeName = android(0x027, "scheme");
pub const HOST: AttributeName = android(0x028, "host");
pub const PORT: AttributeName = android(0x029, "port");
pub const PATH: AttributeName = android(0x02a, "path");
pub const PATH_PREFIX: AttributeName = android(0x02b, "pathPrefix");
pub const PATH_PATTERN: AttributeName = android(0x02c, "pathPattern");
pub const TARGET_ACTIVITY: AttributeName = android(0x202, "targetActivity");
pub const MIN_SDK_VERSION: AttributeName = android(0x20c, "minSdkVersion");
pub const VERSION_CODE: AttributeName = android(0x21b, "versionCode");
pub const VERSION_NAME: AttributeName = android(0x21c, "versionName");
pub const NO_HISTORY: AttributeName = android(0x22d, "noHistory");
pub const TARGET_SDK_VERSION: AttributeName = android(0x270, "targetSdkVersion");
pub const REQUIRED: AttributeName = android(0x28e, "required");
pub const PARENT_ACTIVITY_NAME: AttributeName = android(0x3a7, "parentActivityName");
pub const VERSION_CODE_MAJOR: AttributeName = android(0x576, "versionCodeMajor");
pub const APP_COMPONENT_FACTORY: AttributeName = android(0x57a, "appComponentFactory");
pub const IS_SPLIT_REQUIRED: AttributeName = android(0x591, "isSplitRequired");
