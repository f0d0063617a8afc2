//! Numbers, shares and durations as people read them.

/// Formats `1234567` as `1,234,567`.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 event`, `2,000 events`.
pub fn format_count(number: u64, singular: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", group_digits(number))
}

/// Formats the share `0.914` as `91%`.
pub fn format_percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// Formats `3725.4` seconds as `1 h 2 min`.
pub fn format_duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0 if seconds < 0.1 => format!("{:.0} ms", seconds * 1000.0),
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let grouped: Vec<String> = [0, 999, 1000, 54321, 1234567].map(group_digits).into();
        assert_eq!(grouped, ["0", "999", "1,000", "54,321", "1,234,567"]);
    }

    #[test]
    fn durations_show_their_two_largest_units() {
        let durations: Vec<String> = [0.012, 0.25, 75.0, 3725.4].map(format_duration).into();
        assert_eq!(durations, ["12 ms", "0.2 s", "1 min 15 s", "1 h 2 min"]);
    }

    #[test]
    fn one_of_something_is_singular() {
        let counts = [0, 1, 2000].map(|number| format_count(number, "event"));
        assert_eq!(counts, ["0 events", "1 event", "2,000 events"]);
    }
}
