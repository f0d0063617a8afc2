//! The formats of `logcat -v`.

use crate::phone::{LogEntry, show_time};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Layout {
    Brief,
    Process,
    Tag,
    Raw,
    Time,
    #[default]
    ThreadTime,
    Long,
}

/// A layout and how it shows the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogFormat {
    layout: Layout,
    with_year: bool,
    epoch: bool,
}

impl LogFormat {
    /// Adds a layout or a modifier by name, or several after commas.
    pub fn add(&mut self, names: &str) -> Result<(), String> {
        for name in names.split([',', ' ']) {
            match name {
                "brief" => self.layout = Layout::Brief,
                "process" => self.layout = Layout::Process,
                "tag" => self.layout = Layout::Tag,
                "raw" => self.layout = Layout::Raw,
                "time" => self.layout = Layout::Time,
                "threadtime" => self.layout = Layout::ThreadTime,
                "long" => self.layout = Layout::Long,
                "year" => self.with_year = true,
                "epoch" => self.epoch = true,
                "color" | "colour" | "printable" | "UTC" | "uid" | "zone" | "usec"
                | "descriptive" | "" => {}
                other => return Err(format!("Invalid parameter \"{other}\" to -v")),
            }
        }
        Ok(())
    }

    pub fn has_dividers(self) -> bool {
        self.layout != Layout::Raw
    }

    pub fn show(self, entry: &LogEntry) -> String {
        let LogEntry { pid, level, tag, message, time_ms, .. } = entry;
        let time = match self.epoch {
            true => format!("{}.{:03}", time_ms / 1_000, time_ms % 1_000),
            false => show_time(*time_ms, self.with_year),
        };
        match self.layout {
            Layout::Brief => format!("{level}/{tag:<8}({pid:>5}): {message}\n"),
            Layout::Process => format!("{level}({pid:>5}) {message}  ({tag})\n"),
            Layout::Tag => format!("{level}/{tag:<8}: {message}\n"),
            Layout::Raw => format!("{message}\n"),
            Layout::Time => format!("{time} {level}/{tag:<8}({pid:>5}): {message}\n"),
            Layout::ThreadTime => format!("{time} {pid:>5} {pid:>5} {level} {tag:<8}: {message}\n"),
            Layout::Long => format!("[ {time} {pid:>5}:{pid:>5} {level}/{tag} ]\n{message}\n\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Buffer;

    #[test]
    fn every_layout_is_that_of_logcat() {
        let entry = LogEntry {
            number: 0,
            time_ms: 1_704_067_200_250,
            buffer: Buffer::Main,
            pid: 42,
            level: 'E',
            tag: "Tag".into(),
            message: "text".into(),
        };
        let shown = |name: &str| {
            let mut format = LogFormat::default();
            format.add(name).unwrap();
            format.show(&entry)
        };
        assert_eq!(shown("threadtime"), "01-01 00:00:00.250    42    42 E Tag     : text\n");
        assert_eq!(shown("time"), "01-01 00:00:00.250 E/Tag     (   42): text\n");
        assert_eq!(shown("brief"), "E/Tag     (   42): text\n");
        assert_eq!(shown("tag"), "E/Tag     : text\n");
        assert_eq!(shown("process"), "E(   42) text  (Tag)\n");
        assert_eq!(shown("raw"), "text\n");
        assert_eq!(shown("long"), "[ 01-01 00:00:00.250    42:   42 E/Tag ]\ntext\n\n");
        assert_eq!(shown("brief,epoch"), shown("brief"));
        assert_eq!(shown("threadtime,epoch"), "1704067200.250    42    42 E Tag     : text\n");
        assert!(LogFormat::default().add("pretty").is_err());
    }
}
