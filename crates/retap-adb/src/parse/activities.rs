//! `dumpsys activity activities`: the activity that is resumed and those that are open, in the words of Android 5 to 16.

/// An activity by its package and its whole class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PhoneActivity {
    pub package: String,
    pub class: String,
}

impl PhoneActivity {
    /// Parses `package/class` or `package/.Class`.
    pub fn parse(text: &str) -> Option<Self> {
        let (package, class) = text.split_once('/')?;
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-'))
        };
        if !is_name(package) || !is_name(class) {
            return None;
        }
        let class = match class.starts_with('.') {
            true => format!("{package}{class}"),
            false => class.to_string(),
        };
        Some(Self { package: package.into(), class })
    }

    /// Finds the activity in what a record prints: `ActivityRecord{1f u0 a.b/.Main t12}`. One that is finishing is none.
    pub fn in_record(line: &str) -> Option<Self> {
        let record = line.split("ActivityRecord{").nth(1)?;
        let record = record.split('}').next()?;
        if record.ends_with(" f") {
            return None;
        }
        record.split_whitespace().find_map(Self::parse)
    }
}

/// What the activity manager says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenActivities {
    pub resumed: Option<PhoneActivity>,
    pub open: Vec<PhoneActivity>,
}

impl OpenActivities {
    /// The words before the resumed activity: Android 5 to 7, to 9, to 12, and later.
    const RESUMED: [&str; 4] =
        ["mResumedActivity", "topResumedActivity", "ResumedActivity", "mFocusedActivity"];

    pub fn parse(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("* Hist") {
                found.open.extend(PhoneActivity::in_record(line));
            } else if found.resumed.is_none()
                && Self::RESUMED.iter().any(|word| line.starts_with(word))
            {
                found.resumed = PhoneActivity::in_record(line);
            }
        }
        found
    }

    pub fn has(&self, package: &str) -> bool {
        let mut all = self.open.iter().chain(&self.resumed);
        all.any(|activity| activity.package == package)
    }
}
