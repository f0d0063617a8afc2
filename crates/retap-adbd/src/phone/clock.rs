//! The phone's clock as people and tools read it. It goes on only while the app runs, so that the same commands give the
//! same log.

/// 2024-01-01 00:00:00 UTC, in milliseconds.
pub const START_MS: u64 = 1_704_067_200_000;
const DAY_MS: u64 = 86_400_000;

/// Returns year, month and day of a number of days since 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut rest) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

/// Writes a time as logcat does: `01-31 13:04:05.678`, with the year if asked for.
pub fn show_time(ms: u64, with_year: bool) -> String {
    let (year, month, day) = date(ms / DAY_MS);
    let (hour, minute) = (ms / 3_600_000 % 24, ms / 60_000 % 60);
    let (second, rest) = (ms / 1_000 % 60, ms % 1_000);
    let time = format!("{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{rest:03}");
    if with_year { format!("{year}-{time}") } else { time }
}

/// Reads a time as `logcat -T` takes it: `01-31 13:04:05.678`, with or without the year, or seconds since 1970.
pub fn parse_time(text: &str) -> Option<u64> {
    if let Some((seconds, rest)) = text.split_once('.')
        && let Ok(seconds) = seconds.parse::<u64>()
    {
        let digits: String = rest.chars().chain("000".chars()).take(3).collect();
        return seconds.checked_mul(1_000)?.checked_add(digits.parse().ok()?);
    }
    let text = match text.split('-').count() {
        3 => text.split_once('-')?.1,
        _ => text,
    };
    let (day, time) = text.split_once([' ', 'T'])?;
    let (month, day) = day.split_once('-')?;
    let (month, day): (u64, u64) = (month.parse().ok()?, day.parse().ok()?);
    let mut parts = time.split(':');
    let hour: u64 = parts.next()?.parse().ok()?;
    let minute: u64 = parts.next()?.parse().ok()?;
    let (second, rest) = parts.next()?.split_once('.')?;
    let (second, rest): (u64, u64) = (second.parse().ok()?, rest.get(..3)?.parse().ok()?);
    let days = (0..366).find(|days| {
        let (_, its_month, its_day) = date(START_MS / DAY_MS + days);
        (its_month, its_day) == (month, day)
    })?;
    let in_day = ((hour.min(24) * 60 + minute.min(60)) * 60 + second.min(61)) * 1_000 + rest;
    Some(START_MS + days * DAY_MS + in_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_alike() {
        let ms = START_MS + 59 * DAY_MS + 13 * 3_600_000 + 62_345;
        assert_eq!(show_time(ms, false), "02-29 13:01:02.345");
        assert_eq!(show_time(ms, true), "2024-02-29 13:01:02.345");
        assert_eq!(parse_time("02-29 13:01:02.345"), Some(ms));
        assert_eq!(parse_time("2024-02-29 13:01:02.345"), Some(ms));
        assert_eq!(parse_time("1704067200.5"), Some(START_MS + 500));
        for wrong in ["", "x", "13-45 1:2:3.000", "02-29", "9999999999999999999.1"] {
            assert_eq!(parse_time(wrong), None, "{wrong}");
        }
    }
}
