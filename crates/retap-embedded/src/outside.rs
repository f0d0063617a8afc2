//! Changes to the phone's other apps, as a person writes them. The agent reads them too. They are checked
//! here, so that a mistake is found before anything is started.

const EXPECTED: &str = "expected none, -PACKAGE or PACKAGE=ACTIONS;SCHEMES;TYPES (comma lists, an empty list \
     takes anything), such as org.maps=android.intent.action.VIEW;geo;";

/// Checks a change and returns it unchanged: `none` (no other apps at all), `-com.android.camera2`
/// (without that app), or `org.maps=android.intent.action.VIEW;geo;` (with that app). Each change applies
/// to the result of the earlier ones.
pub fn parse_outside_change(text: &str) -> Result<String, String> {
    let is_valid = match (text.strip_prefix('-'), text.split_once('=')) {
        (Some(package), _) => is_package(package),
        (None, Some((package, intents))) => is_package(package) && are_intent_lists(intents),
        (None, None) => text == "none",
    };
    if is_valid { Ok(text.to_owned()) } else { Err(EXPECTED.into()) }
}

fn is_package(name: &str) -> bool {
    name.contains('.')
        && name.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
}

/// Returns true for up to three comma lists. The list of actions must not be empty, because an app that
/// takes every action would take the tested app's own intents too.
fn are_intent_lists(lists: &str) -> bool {
    let lists: Vec<&str> = lists.split(';').collect();
    lists.len() <= 3
        && !lists[0].is_empty()
        && !lists.iter().any(|list| list.contains(char::is_whitespace) || list.contains(",,"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_removes_all_apps_removes_one_or_adds_one() {
        for right in [
            "none",
            "-com.android.camera2",
            "org.maps=android.intent.action.VIEW;geo;",
            "org.maps=android.intent.action.VIEW,android.intent.action.EDIT;;text/*",
            "org.any=android.intent.action.SEND",
        ] {
            assert_eq!(parse_outside_change(right).as_deref(), Ok(right));
        }
        for wrong in
            ["", "all", "-", "-camera", "maps=", "org.maps=", "org.maps=a;b;c;d", "org.maps=a b"]
        {
            assert!(parse_outside_change(wrong).unwrap_err().contains("-PACKAGE"), "{wrong}");
        }
    }
}
