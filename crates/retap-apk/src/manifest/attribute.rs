//! The manifest's attributes. Android knows them by id; the name is for manifests that were
//! made without a resource map.

#[derive(Debug, Clone, Copy)]
pub struct Name {
    /// 0 for the few attributes outside the `android` namespace.
    pub id: u32,
    pub text: &'static str,
}

const fn android(id: u32, text: &'static str) -> Name {
    Name { id: 0x0101_0000 | id, text }
}

const fn plain(text: &'static str) -> Name {
    Name { id: 0, text }
}

pub const PACKAGE: Name = plain("package");
pub const SPLIT: Name = plain("split");

pub const THEME: Name = android(0x000, "theme");
pub const LABEL: Name = android(0x001, "label");
pub const NAME: Name = android(0x003, "name");
pub const PERMISSION: Name = android(0x006, "permission");
pub const HAS_CODE: Name = android(0x00c, "hasCode");
pub const ENABLED: Name = android(0x00e, "enabled");
pub const DEBUGGABLE: Name = android(0x00f, "debuggable");
pub const EXPORTED: Name = android(0x010, "exported");
pub const PROCESS: Name = android(0x011, "process");
pub const TASK_AFFINITY: Name = android(0x012, "taskAffinity");
pub const AUTHORITIES: Name = android(0x018, "authorities");
pub const PRIORITY: Name = android(0x01c, "priority");
pub const LAUNCH_MODE: Name = android(0x01d, "launchMode");
pub const VALUE: Name = android(0x024, "value");
pub const RESOURCE: Name = android(0x025, "resource");
pub const MIME_TYPE: Name = android(0x026, "mimeType");
pub const SCHEME: Name = android(0x027, "scheme");
pub const HOST: Name = android(0x028, "host");
pub const PORT: Name = android(0x029, "port");
pub const PATH: Name = android(0x02a, "path");
pub const PATH_PREFIX: Name = android(0x02b, "pathPrefix");
pub const PATH_PATTERN: Name = android(0x02c, "pathPattern");
pub const TARGET_ACTIVITY: Name = android(0x202, "targetActivity");
pub const MIN_SDK_VERSION: Name = android(0x20c, "minSdkVersion");
pub const VERSION_CODE: Name = android(0x21b, "versionCode");
pub const VERSION_NAME: Name = android(0x21c, "versionName");
pub const NO_HISTORY: Name = android(0x22d, "noHistory");
pub const TARGET_SDK_VERSION: Name = android(0x270, "targetSdkVersion");
pub const REQUIRED: Name = android(0x28e, "required");
pub const PARENT_ACTIVITY_NAME: Name = android(0x3a7, "parentActivityName");
pub const VERSION_CODE_MAJOR: Name = android(0x576, "versionCodeMajor");
pub const APP_COMPONENT_FACTORY: Name = android(0x57a, "appComponentFactory");
pub const IS_SPLIT_REQUIRED: Name = android(0x591, "isSplitRequired");
