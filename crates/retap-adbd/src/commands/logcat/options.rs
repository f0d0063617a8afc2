//! The options of `logcat`.

use super::show::LogFormat;
use crate::phone::{Buffer, LogEntry, parse_time};
use regex::{Regex, RegexBuilder};

const LEVELS: &str = "VDIWEFS";
const DEFAULT_BUFFERS: [Buffer; 3] = [Buffer::Main, Buffer::System, Buffer::Crash];

#[derive(Debug)]
pub struct LogcatOptions {
    pub buffers: Vec<Buffer>,
    pub format: LogFormat,
    pub clears: bool,
    pub asks_size: bool,
    /// Shows what is there and ends.
    pub ends: bool,
    /// Shows only so many of what is there.
    pub last: Option<usize>,
    since_ms: u64,
    pid: Option<u32>,
    regex: Option<Regex>,
    /// Tag and least level; the tag `*` stands for all others.
    filters: Vec<(String, usize)>,
}

impl LogcatOptions {
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            buffers: Vec::new(),
            format: LogFormat::default(),
            clears: false,
            asks_size: false,
            ends: false,
            last: None,
            since_ms: 0,
            pid: None,
            regex: None,
            filters: Vec::new(),
        };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            let (name, attached) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => match word.get(..2) {
                    Some(short @ ("-b" | "-v" | "-t" | "-T" | "-e" | "-G")) if word.len() > 2 => {
                        (short, word.get(2..))
                    }
                    _ => (word, None),
                },
            };
            let mut value =
                || attached.or_else(|| words.next()).ok_or_else(|| format!("{name} needs a value"));
            match name {
                "-d" => options.ends = true,
                "-c" | "--clear" => options.clears = true,
                "-g" => options.asks_size = true,
                "-G" | "-f" | "-r" | "-n" => drop(value()?),
                "-s" => options.filters.push(("*".into(), level("S")?)),
                "-v" | "--format" => options.format.add(value()?)?,
                "-b" | "--buffer" => options.add_buffers(value()?)?,
                "-t" | "-T" => {
                    options.ends |= name == "-t";
                    let text = value()?;
                    match text.parse::<usize>() {
                        Ok(count) => options.last = Some(count),
                        Err(_) => {
                            options.since_ms =
                                parse_time(text).ok_or_else(|| format!("no time is {text:?}"))?;
                        }
                    }
                }
                "-e" | "--regex" => {
                    let text = value()?;
                    let regex = RegexBuilder::new(text).size_limit(1 << 20).build();
                    options.regex = Some(regex.map_err(|_| format!("bad pattern {text:?}"))?);
                }
                "--pid" => {
                    options.pid = Some(value()?.parse().map_err(|_| "no number after --pid")?);
                }
                "-D" | "--dividers" | "-L" | "-S" | "--print" => {}
                option if option.starts_with('-') => {
                    return Err(format!("this phone has no option {option}"));
                }
                filter => {
                    let (tag, least) = filter.split_once(':').unwrap_or((filter, "V"));
                    options.filters.push((tag.to_string(), level(least)?));
                }
            }
        }
        if options.buffers.is_empty() {
            options.buffers.extend(DEFAULT_BUFFERS);
        }
        Ok(options)
    }

    fn add_buffers(&mut self, names: &str) -> Result<(), String> {
        for name in names.split(',') {
            match name {
                "main" => self.buffers.push(Buffer::Main),
                "system" => self.buffers.push(Buffer::System),
                "crash" => self.buffers.push(Buffer::Crash),
                "events" => self.buffers.push(Buffer::Events),
                "default" => self.buffers.extend(DEFAULT_BUFFERS),
                "all" => self.buffers.extend(DEFAULT_BUFFERS.into_iter().chain([Buffer::Events])),
                // Of these this phone has nothing to say.
                "radio" | "kernel" | "security" | "stats" => {}
                other => return Err(format!("no buffer is called {other:?}")),
            }
        }
        Ok(())
    }

    pub fn wants(&self, entry: &LogEntry) -> bool {
        self.buffers.contains(&entry.buffer)
            && entry.time_ms >= self.since_ms
            && self.pid.is_none_or(|pid| pid == entry.pid)
            && self.regex.as_ref().is_none_or(|regex| regex.is_match(&entry.message))
            && self.passes_filters(entry)
    }

    fn passes_filters(&self, entry: &LogEntry) -> bool {
        let of = |tag: &str| self.filters.iter().rfind(|(known, _)| known == tag);
        let least = of(&entry.tag).or_else(|| of("*")).map_or(0, |(_, least)| *least);
        let own = LEVELS.find(entry.level).unwrap_or(LEVELS.len() - 2);
        own >= least
    }
}

fn level(text: &str) -> Result<usize, String> {
    let letter = text.chars().next().map_or('V', |letter| letter.to_ascii_uppercase());
    let letter = if letter == '*' { 'V' } else { letter };
    LEVELS.find(letter).ok_or_else(|| format!("no priority is {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tag: &str, level: char) -> LogEntry {
        LogEntry {
            number: 0,
            time_ms: 0,
            buffer: Buffer::Main,
            pid: 1,
            level,
            tag: tag.into(),
            message: "m".into(),
        }
    }

    #[test]
    fn filters_choose_by_tag_and_level() {
        let options = LogcatOptions::parse(&["-d", "-v", "brief", "A:W", "*:S"]).unwrap();
        assert!(options.ends);
        assert!(options.wants(&entry("A", 'E')));
        assert!(!options.wants(&entry("A", 'I')) && !options.wants(&entry("B", 'E')));
        let silent = LogcatOptions::parse(&["-s", "B"]).unwrap();
        assert!(silent.wants(&entry("B", 'V')) && !silent.wants(&entry("A", 'E')));
        assert!(!LogcatOptions::parse(&["-bcrash"]).unwrap().wants(&entry("A", 'E')));
        for wrong in [vec!["-b", "x"], vec!["-T", "noon"], vec!["-v"], vec!["--fly"], vec!["A:Q"]] {
            assert!(LogcatOptions::parse(&wrong).is_err(), "{wrong:?}");
        }
    }
}
