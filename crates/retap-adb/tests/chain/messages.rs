//! What is said when something is wrong, and what `retap doctor` sees.

use crate::phone::{ServedPhone, is_here, root};
use retap_adb::{AdbConnect, AdbEnvironment, AdbOptions, check_adb};
use retap_device::{Connect, DeviceError};

fn refused(connect: &AdbConnect) -> String {
    match connect.connect() {
        Err(DeviceError::Setup(reason) | DeviceError::App(reason)) => reason,
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it connected"),
    }
}

#[test]
fn without_adb_the_message_says_how_to_get_it() {
    let mut environment = AdbEnvironment::at_port(1);
    environment.program = "no-such-adb".into();
    let options = AdbOptions::new(environment.clone(), Vec::new());
    let said = refused(&AdbConnect::new(root().join("fixtures/conform.apk"), options));
    assert!(said.contains("apt install adb") && said.contains("no-such-adb"), "{said}");
    let checks = check_adb(&environment);
    assert!(!checks[0].ok && checks[0].found.contains("install adb"), "{checks:?}");
}

#[test]
fn a_server_without_phones_an_unknown_serial_and_an_unreadable_app_are_named() {
    if !is_here() {
        return;
    }
    let phone = ServedPhone::of_fake("conform.fake", None);
    let options = |serials: &[&str]| {
        AdbOptions::new(phone.environment(), serials.iter().map(|it| it.to_string()).collect())
    };
    let apk = root().join("fixtures/conform.apk");
    let none = refused(&AdbConnect::new(apk.clone(), options(&[])));
    assert!(none.contains("no phone or emulator is there"), "{none}");
    let checks = check_adb(&phone.environment());
    assert!(checks[0].ok && !checks[1].ok, "{checks:?}");
    phone.adb(&["connect", &phone.serial]);
    let other = refused(&AdbConnect::new(apk, options(&["other"])));
    assert!(other.contains("no device other") && other.contains(&phone.serial), "{other}");
    let no_app = refused(&AdbConnect::new(root().join("README.md"), options(&[])));
    assert!(no_app.contains("README.md"), "{no_app}");
    let checks = check_adb(&phone.environment());
    assert!(checks[1].ok && checks[1].what.contains(&phone.serial), "{checks:?}");
}

#[test]
fn a_phone_has_one_user_at_a_time() {
    if !is_here() {
        return;
    }
    let phone = ServedPhone::of_fake("conform.fake", Some(22));
    let connect = phone.connect("conform.apk");
    let (device, app) = connect.connect().unwrap();
    assert_eq!(app.identity.package, "dev.retap.fixture.conform");
    assert_eq!(device.describe().api, Some(22), "an old phone takes the APK as a file");
    drop(device);
    connect.connect().unwrap();
}
