//! What is said when something is wrong, and what `retap doctor` sees.

use crate::phone::{ServedPhone, is_here, root};
use crate::scripted_server::{self, ServerScript};
use retap_adb::{AdbConnect, AdbEnvironment, AdbOptions, check_adb};
use retap_device::{Connect, DeviceError};

fn refused(connect: &AdbConnect) -> String {
    match connect.connect() {
        Err(DeviceError::Setup(reason) | DeviceError::App(reason)) => reason,
        Err(DeviceError::Lost(loss)) => loss.reason,
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

fn said(script: ServerScript, serials: &[&str]) -> String {
    let environment = scripted_server::start(script);
    let serials = serials.iter().map(|it| it.to_string()).collect();
    let options = AdbOptions::new(environment, serials);
    refused(&AdbConnect::new(root().join("fixtures/conform.apk"), options))
}

#[test]
fn each_state_of_a_phone_is_said_with_what_to_do() {
    let of = |devices, words: &[&str]| {
        let said = said(ServerScript { devices, ..ServerScript::default() }, &[]);
        println!("{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    of("", &["no phone or emulator is there", "USB debugging", "adb connect"]);
    of(
        "R5CT unauthorized usb:1-1 transport_id:1\n",
        &["R5CT is unauthorized", "on the phone's screen"],
    );
    of("R5CT offline usb:1-1 transport_id:1\n", &["R5CT is offline", "adb reconnect offline"]);
    of(
        "R5CT device model:Pixel_8\nemulator-5554 device\nT9 unauthorized\n",
        &["several devices", "-s SERIAL", "R5CT (ready), emulator-5554 (ready), T9 (unauthorized)"],
    );
    of(
        "R5CT no permissions (missing udev rules?); see [http://…]\n",
        &["R5CT is not accessible", "udev"],
    );
    of("R5CT recovery\n", &["R5CT is in state recovery", "start the phone normally"]);
}

#[test]
fn a_phone_that_is_refused_after_it_was_listed_is_named_with_the_servers_words() {
    let refusal = Some("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set");
    let script = ServerScript { devices: "R5CT device\n", refusal, ..ServerScript::default() };
    let said = said(script, &["R5CT"]);
    println!("{said}");
    assert!(said.contains("device unauthorized"), "{said}");
}

#[test]
fn each_reason_not_to_install_is_said_with_what_to_do() {
    let of = |install, words: &[&str]| {
        let script = ServerScript { devices: "R5CT device\n", install, ..ServerScript::default() };
        let said = said(script, &[]);
        println!("{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    of(
        "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location]\n",
        &[
            "no space for dev.retap.fixture.conform",
            "remove something",
            "INSTALL_FAILED_INSUFFICIENT_STORAGE",
        ],
    );
    of(
        "Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]\n",
        &["other processors than this phone's (arm64-v8a,armeabi-v7a)", "res=-113"],
    );
    of(
        "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package dev.retap.fixture.conform signatures do not match]\n",
        &[
            "another signature",
            "adb uninstall dev.retap.fixture.conform",
            "signatures do not match",
        ],
    );
    of(
        "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n",
        &["developer options"],
    );
    of("Failure [INSTALL_FAILED_SOMETHING_NEW]\n", &["refuses", "INSTALL_FAILED_SOMETHING_NEW"]);
    of("Error: java.lang.NullPointerException\n", &["did not install", "NullPointerException"]);
}
