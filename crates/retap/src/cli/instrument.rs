//! The flags of `retap instrument`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The new APK runs on Android 5 and later like the old one: its resources and its own dex files are copied byte for byte,
and the classes that count lie in front of them with JaCoCo's probes. It is aligned, and signed with schemes 1 to 3. A
phone must forget an app that another key signed before it installs this one (adb uninstall PACKAGE).

Nothing is needed on the phone but adb. Each read hands over JaCoCo's execution data:
  adb shell content read --uri content://PACKAGE.retap.coverage/exec > coverage.exec        what ran so far
  adb shell content read --uri content://PACKAGE.retap.coverage/exec/take > coverage.exec   and start counting again

Examples:
  retap instrument app.apk -o counted.apk
  retap instrument app.apk -o counted.apk --include com.example.core   count these classes only
  retap instrument app.apk -o counted.apk --key my.p12 --key-password env:MY_PASSWORD
  retap instrument counted.apk --read coverage.exec                    how much of the app has run?")]
pub struct InstrumentArgs {
    /// The app: a single APK
    #[arg(value_name = "APK")]
    pub apk: PathBuf,
    /// Count the coverage of these packages or classes only; * matches any part of a name. Default: the app's own
    /// classes, without the libraries in it
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub include: Vec<String>,
    /// Do not count the coverage of these packages or classes
    #[arg(long, value_name = "NAME", help_heading = "Coverage")]
    pub exclude: Vec<String>,
    /// The new APK
    #[arg(
        short,
        long,
        value_name = "FILE",
        required_unless_present = "read",
        help_heading = "Output"
    )]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Show what execution data of this instrumented APK covers; make nothing (repeatable)
    #[arg(long, value_name = "EXEC", conflicts_with_all = ["output", "force", "key", "include", "exclude"], help_heading = "Output")]
    pub read: Vec<PathBuf>,
    /// A keystore (PKCS12 or JKS) with the key that signs. Default: a debug key that is made once and kept
    #[arg(long, value_name = "FILE", help_heading = "Signing")]
    pub key: Option<PathBuf>,
    /// The name of the key, if the keystore has several
    #[arg(long, value_name = "NAME", requires = "key", help_heading = "Signing")]
    pub key_alias: Option<String>,
    /// Where the password is: env:VARIABLE or file:PATH. Default: the password of Android's debug keys
    #[arg(long, value_name = "WHERE", requires = "key", help_heading = "Signing")]
    pub key_password: Option<String>,
}
