//! Numbers for people.

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
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

/// `0.914` as `91%`.
pub fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// `3725.4` as `1 h 2 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let grouped: Vec<String> = [0, 999, 1000, 54321, 1234567].map(grouped).into();
        assert_eq!(grouped, ["0", "999", "1,000", "54,321", "1,234,567"]);
        let durations: Vec<String> = [0.25, 75.0, 3725.4].map(duration).into();
        assert_eq!(durations, ["0.2 s", "1 min 15 s", "1 h 2 min"]);
    }
}
