//! Turns the manifest's XML tree into data, with Android's defaults.

use std::collections::BTreeMap;

use crate::manifest::attribute_name::{self as attr, AttributeName};
use crate::manifest::attributes::AttributeReader;
use crate::manifest::error::ManifestError;
use crate::manifest::name;
use crate::manifest::{
    Activity, ActivityAlias, AppComponent, Application, Instrumentation, IntentData, IntentFilter,
    LaunchMode, Manifest, PlatformDependency, Provider,
};
use crate::resource::{Element, ResourceTable};

/// The first target API level at which a provider is private by default.
const PRIVATE_PROVIDERS: u32 = 17;
const SPLITS_REQUIRED: &str = "com.android.vending.splits.required";

/// Reads the `<manifest>` element.
pub fn manifest(root: &Element, table: Option<&ResourceTable>) -> Result<Manifest, ManifestError> {
    if &*root.name != "manifest" {
        return Err(ManifestError::NotAManifest(root.name.to_string()));
    }
    let values = AttributeReader { table };
    let package = values.text(root, attr::PACKAGE).filter(|package| !package.is_empty());
    let package = package.ok_or(ManifestError::NoPackage)?;
    if !name::is_package(&package) {
        return Err(ManifestError::BadPackage(name::shorten(&package)));
    }
    let reader = ManifestReader { values, package };
    let manifest = reader.manifest(root);
    match manifest.split.as_deref().filter(|split| !name::is_split(split)) {
        Some(split) => Err(ManifestError::BadSplit(name::shorten(split))),
        None => Ok(manifest),
    }
}

struct ManifestReader<'a> {
    values: AttributeReader<'a>,
    package: String,
}

impl ManifestReader<'_> {
    fn manifest(self, root: &Element) -> Manifest {
        let uses_sdk = root.children_named("uses-sdk").next();
        let sdk = |name| uses_sdk.and_then(|element| self.values.sdk(element, name));
        let min_sdk = sdk(attr::MIN_SDK_VERSION).unwrap_or(1);
        let target_sdk = sdk(attr::TARGET_SDK_VERSION).unwrap_or(min_sdk);
        let empty = Element { name: "application".into(), attributes: vec![], children: vec![] };
        let element = root.children_named("application").next().unwrap_or(&empty);
        let application = self.application(element);
        let version =
            |name| u64::from(self.values.integer(root, name).unwrap_or(0).cast_unsigned());
        Manifest {
            split: self.values.text(root, attr::SPLIT),
            split_required: self.values.boolean(root, attr::IS_SPLIT_REQUIRED).unwrap_or(false)
                || application.meta_data.get(SPLITS_REQUIRED).is_some_and(|value| value == "true"),
            version_name: self.values.text(root, attr::VERSION_NAME),
            version_code: version(attr::VERSION_CODE_MAJOR) << 32 | version(attr::VERSION_CODE),
            min_sdk,
            target_sdk,
            application,
            activities: read_each(element, "activity", |child| self.activity(child)),
            aliases: read_each(element, "activity-alias", |child| self.alias(child)),
            services: read_each(element, "service", |child| self.component(child, false)),
            receivers: read_each(element, "receiver", |child| self.component(child, false)),
            providers: read_each(element, "provider", |child| self.provider(child, target_sdk)),
            permissions: ["uses-permission", "uses-permission-sdk-23"]
                .iter()
                .flat_map(|kind| self.names(root, kind))
                .collect(),
            libraries: read_each(element, "uses-library", |child| self.dependency(child)),
            features: read_each(root, "uses-feature", |child| self.dependency(child)),
            instrumentations: read_each(root, "instrumentation", |child| {
                self.instrumentation(child)
            }),
            package: self.package,
        }
    }

    fn application(&self, element: &Element) -> Application {
        let values = &self.values;
        Application {
            class: self.class(element, attr::NAME),
            component_factory: self.class(element, attr::APP_COMPONENT_FACTORY),
            label: values.text(element, attr::LABEL),
            theme: values.reference(element, attr::THEME),
            debuggable: values.boolean(element, attr::DEBUGGABLE).unwrap_or(false),
            enabled: values.boolean(element, attr::ENABLED).unwrap_or(true),
            has_code: values.boolean(element, attr::HAS_CODE).unwrap_or(true),
            meta_data: self.meta_data(element),
        }
    }

    fn activity(&self, element: &Element) -> Option<Activity> {
        let values = &self.values;
        Some(Activity {
            component: self.component(element, false)?,
            label: values.text(element, attr::LABEL),
            theme: values.reference(element, attr::THEME),
            launch_mode: match values.integer(element, attr::LAUNCH_MODE) {
                Some(1) => LaunchMode::SingleTop,
                Some(2) => LaunchMode::SingleTask,
                Some(3) => LaunchMode::SingleInstance,
                Some(4) => LaunchMode::SingleInstancePerTask,
                _ => LaunchMode::Standard,
            },
            task_affinity: values.text(element, attr::TASK_AFFINITY),
            parent: self.class(element, attr::PARENT_ACTIVITY_NAME),
            no_history: values.boolean(element, attr::NO_HISTORY).unwrap_or(false),
        })
    }

    fn alias(&self, element: &Element) -> Option<ActivityAlias> {
        Some(ActivityAlias {
            component: self.component(element, false)?,
            target: self.class(element, attr::TARGET_ACTIVITY)?,
        })
    }

    fn instrumentation(&self, element: &Element) -> Option<Instrumentation> {
        Some(Instrumentation {
            name: self.class(element, attr::NAME)?,
            target_package: self.values.text(element, attr::TARGET_PACKAGE)?,
        })
    }

    fn provider(&self, element: &Element, target_sdk: u32) -> Option<Provider> {
        let authorities = self.values.text(element, attr::AUTHORITIES).unwrap_or_default();
        Some(Provider {
            component: self.component(element, target_sdk < PRIVATE_PROVIDERS)?,
            authorities: authorities.split(';').filter(|a| !a.is_empty()).map(Into::into).collect(),
        })
    }

    /// Returns `None` without a name: Android refuses such a component.
    fn component(&self, element: &Element, exported_by_default: bool) -> Option<AppComponent> {
        let values = &self.values;
        let filters = read_each(element, "intent-filter", |filter| Some(self.filter(filter)));
        Some(AppComponent {
            name: self.class(element, attr::NAME)?,
            enabled: values.boolean(element, attr::ENABLED).unwrap_or(true),
            exported: values
                .boolean(element, attr::EXPORTED)
                .unwrap_or(exported_by_default || !filters.is_empty()),
            permission: values.text(element, attr::PERMISSION),
            process: values.text(element, attr::PROCESS),
            meta_data: self.meta_data(element),
            filters,
        })
    }

    fn filter(&self, element: &Element) -> IntentFilter {
        IntentFilter {
            actions: self.names(element, "action"),
            categories: self.names(element, "category"),
            data: read_each(element, "data", |data| Some(self.data(data))),
            priority: self.values.integer(element, attr::PRIORITY).unwrap_or(0),
        }
    }

    fn data(&self, element: &Element) -> IntentData {
        let text = |name| self.values.text(element, name);
        IntentData {
            scheme: text(attr::SCHEME),
            host: text(attr::HOST),
            port: text(attr::PORT),
            path: text(attr::PATH),
            path_prefix: text(attr::PATH_PREFIX),
            path_pattern: text(attr::PATH_PATTERN),
            mime_type: text(attr::MIME_TYPE),
        }
    }

    fn dependency(&self, element: &Element) -> Option<PlatformDependency> {
        Some(PlatformDependency {
            name: self.values.text(element, attr::NAME)?,
            required: self.values.boolean(element, attr::REQUIRED).unwrap_or(true),
        })
    }

    fn meta_data(&self, element: &Element) -> BTreeMap<String, String> {
        let entry = |child: &Element| {
            let value = self.values.text(child, attr::VALUE);
            let value = value.or_else(|| self.values.reference(child, attr::RESOURCE));
            Some((self.values.text(child, attr::NAME)?, value.unwrap_or_default()))
        };
        element.children_named("meta-data").filter_map(entry).collect()
    }

    fn names(&self, element: &Element, kind: &str) -> Vec<String> {
        read_each(element, kind, |child| self.values.text(child, attr::NAME))
    }

    /// Returns a class's full name: `.Main` and `Main` lie in the app's package.
    fn class(&self, element: &Element, name: AttributeName) -> Option<String> {
        let class = self.values.text(element, name).filter(|class| !class.is_empty())?;
        Some(match class {
            class if class.starts_with('.') => format!("{}{class}", self.package),
            class if class.contains('.') => class,
            class => format!("{}.{class}", self.package),
        })
    }
}

/// Returns the results of `read` for every child of one kind.
fn read_each<T>(element: &Element, kind: &str, read: impl Fn(&Element) -> Option<T>) -> Vec<T> {
    element.children_named(kind).filter_map(read).collect()
}

#[cfg(test)]
mod tests;
