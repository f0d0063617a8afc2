//! Changes to the other apps of the phone, as a person writes them. The agent reads them too; they are
//! checked here so that a slip is found before anything is started.

const EXPECTED: &str = "expected none, -PACKAGE or PACKAGE=ACTIONS;SCHEMES;TYPES (comma lists, an empty list \
     takes anything), such as org.maps=android.intent.action.VIEW;geo;";

/// Passes a change on as it is: `none` (no other app at all), `-com.android.camera2` (without it), or
/// `org.maps=android.intent.action.VIEW;geo;` (with it). Later ones change what earlier ones left.
pub fn outside_change(text: &str) -> Result<String, String> {
    let fits = match (text.strip_prefix('-'), text.split_once('=')) {
        (Some(package), _) => is_package(package),
        (None, Some((package, intents))) => is_package(package) && are_intents(intents),
        (None, None) => text == "none",
    };
    if fits { Ok(text.to_owned()) } else { Err(EXPECTED.into()) }
}

fn is_package(name: &str) -> bool {
    name.contains('.')
        && name.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
}

/// An app that takes every action would take the app's own intents too.
fn are_intents(lists: &str) -> bool {
    let lists: Vec<&str> = lists.split(';').collect();
    lists.len() <= 3
        && !lists[0].is_empty()
        && !lists.iter().any(|list| list.contains(char::is_whitespace) || list.contains(",,"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_none_or_a_package_less_or_more() {
        for right in [
            "none",
            "-com.android.camera2",
            "org.maps=android.intent.action.VIEW;geo;",
            "org.maps=android.intent.action.VIEW,android.intent.action.EDIT;;text/*",
            "org.any=android.intent.action.SEND",
        ] {
            assert_eq!(outside_change(right).as_deref(), Ok(right));
        }
        for wrong in
            ["", "all", "-", "-camera", "maps=", "org.maps=", "org.maps=a;b;c;d", "org.maps=a b"]
        {
            assert!(outside_change(wrong).unwrap_err().contains("-PACKAGE"), "{wrong}");
        }
    }
}
