//! Several commands in one line: each is followed by a mark with its exit code, so that one round trip brings all answers.

/// What one command of a line printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSection {
    pub text: String,
    pub code: u8,
}

/// A line of commands. The mark is a word that no command prints by chance.
#[derive(Debug, Clone)]
pub struct Batch {
    mark: String,
    line: String,
    count: usize,
}

impl Batch {
    pub fn new(number: u64) -> Self {
        Self { mark: format!("@@retap:{number:08x}"), line: String::new(), count: 0 }
    }

    /// Adds a command and returns the index of its section.
    pub fn add(&mut self, command: &str) -> usize {
        let Self { mark, line, count } = self;
        line.push_str(&format!("{command}; c=$?; echo; echo {mark}:{count}:$c; "));
        self.count += 1;
        self.count - 1
    }

    pub fn line(&self) -> &str {
        self.line.trim_end_matches([' ', ';'])
    }

    /// Splits what the line printed. Commands whose mark is missing were cut and have no section.
    pub fn split(&self, output: &str) -> Vec<CommandSection> {
        let mut sections = Vec::new();
        let mut rest = output;
        for index in 0..self.count {
            let mark = format!("{}:{index}:", self.mark);
            let Some((text, after)) = rest.split_once(&mark) else { break };
            let (code, after) = after.split_once('\n').unwrap_or((after, ""));
            let text = text.strip_suffix('\n').unwrap_or(text);
            let text = text.strip_suffix('\r').unwrap_or(text);
            sections.push(CommandSection {
                text: text.to_string(),
                code: code.trim().parse().unwrap_or(u8::MAX),
            });
            rest = after;
        }
        sections
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_its_text_and_its_exit_code() {
        let mut batch = Batch::new(7);
        batch.add("ls /a");
        batch.add("pm clear x");
        let mark = "@@retap:00000007";
        assert_eq!(
            batch.line(),
            format!(
                "ls /a; c=$?; echo; echo {mark}:0:$c; pm clear x; c=$?; echo; echo {mark}:1:$c"
            )
        );
        let whole = format!("b\r\n\r\n{mark}:0:0\r\nSuccess\n\n{mark}:1:1\n");
        let sections = batch.split(&whole);
        assert_eq!(sections[0], CommandSection { text: "b\r\n".into(), code: 0 });
        assert_eq!(sections[1], CommandSection { text: "Success\n".into(), code: 1 });
        assert_eq!(batch.split(&format!("b\n{mark}:0:0\nSucc")).len(), 1, "the rest was cut");
    }
}
