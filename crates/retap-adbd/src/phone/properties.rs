//! What `getprop` and `settings` say of the phone.

use super::PhoneState;
use std::collections::BTreeMap;

pub const PRODUCT: &str = "retap";
pub const DEFAULT_API: u32 = 35;
/// The property that decides the world of the next clean start.
pub const WORLD_SEED: &str = "debug.retap.world_seed";

/// Android's version name of an API level.
const RELEASES: [(u32, &str); 15] = [
    (21, "5.0"),
    (22, "5.1"),
    (23, "6.0"),
    (24, "7.0"),
    (25, "7.1"),
    (26, "8.0.0"),
    (27, "8.1.0"),
    (28, "9"),
    (29, "10"),
    (30, "11"),
    (31, "12"),
    (32, "12"),
    (33, "13"),
    (34, "14"),
    (35, "15"),
];

/// Returns the settings of a phone that nobody has changed.
pub fn stored() -> BTreeMap<(String, String), String> {
    let settings = [
        ("system", "accelerometer_rotation", "1"),
        ("system", "user_rotation", "0"),
        ("system", "screen_off_timeout", "2147483647"),
        ("system", "screen_brightness", "102"),
        ("system", "screen_brightness_mode", "0"),
        ("system", "font_scale", "1.0"),
        ("global", "window_animation_scale", "1.0"),
        ("global", "transition_animation_scale", "1.0"),
        ("global", "animator_duration_scale", "1.0"),
        ("global", "airplane_mode_on", "0"),
        ("global", "adb_enabled", "1"),
        ("global", "development_settings_enabled", "1"),
        ("secure", "default_input_method", "com.android.inputmethod.latin/.LatinIME"),
        ("secure", "android_id", "0123456789abcdef"),
    ];
    let owned = |(space, name, value): (&str, &str, &str)| {
        ((space.to_string(), name.to_string()), value.to_string())
    };
    settings.into_iter().map(owned).collect()
}

impl PhoneState {
    /// Returns all properties, those that a client has set included.
    pub fn all_properties(&self) -> BTreeMap<String, String> {
        let api = self.api();
        let release =
            RELEASES.iter().find(|(level, _)| *level == api).map_or("16", |(_, name)| name);
        let fixed = [
            ("ro.build.version.sdk", api.to_string()),
            ("ro.build.version.release", release.to_string()),
            ("ro.build.version.codename", "REL".into()),
            ("ro.build.version.incremental", "1".into()),
            ("ro.build.id", "RETAP".into()),
            ("ro.build.type", "userdebug".into()),
            ("ro.build.tags", "test-keys".into()),
            ("ro.build.characteristics", "default".into()),
            (
                "ro.build.fingerprint",
                format!("retap/retap/retap:{release}/RETAP/1:userdebug/test-keys"),
            ),
            ("ro.build.product", PRODUCT.into()),
            ("ro.product.brand", PRODUCT.into()),
            ("ro.product.device", PRODUCT.into()),
            ("ro.product.manufacturer", PRODUCT.into()),
            ("ro.product.model", PRODUCT.into()),
            ("ro.product.name", PRODUCT.into()),
            ("ro.product.cpu.abi", "x86_64".into()),
            ("ro.product.cpu.abilist", "x86_64".into()),
            ("ro.product.locale", "en-US".into()),
            ("persist.sys.locale", "en-US".into()),
            ("persist.sys.timezone", "UTC".into()),
            ("ro.sf.lcd_density", self.display().dpi.to_string()),
            ("ro.serialno", PRODUCT.into()),
            ("ro.debuggable", "1".into()),
            ("ro.secure", "1".into()),
            ("ro.hardware", PRODUCT.into()),
            ("ro.kernel.qemu", "0".into()),
            ("sys.boot_completed", "1".into()),
            ("dev.bootcomplete", "1".into()),
            ("init.svc.bootanim", "stopped".into()),
            ("ro.retap.device", "1".into()),
        ];
        let mut all: BTreeMap<String, String> =
            fixed.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        all.extend(self.properties.clone());
        all
    }
}
