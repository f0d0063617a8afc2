//! Every answer of the oracle, written to disk at once. A known answer is never computed again, not even by a process
//! that resumes after a kill.

use retap_minimize::{Answer, Question};
use retap_model::format::FormatError;
use retap_model::format::lines::Lines;
use retap_model::format::run::RunError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

#[derive(Debug, Default)]
pub struct AnswerLog {
    answers: BTreeMap<Question, Answer>,
    file: Option<File>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    question: Question,
    answer: Answer,
}

impl AnswerLog {
    /// Opens a log file and reads the answers it holds. A last line that was cut off is dropped.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let mut answers = BTreeMap::new();
        let mut complete_bytes = 0;
        if let Ok(file) = File::open(path) {
            let name = path.display().to_string();
            let mut lines = Lines::new(BufReader::new(file), &name);
            while let Some(line) = lines.next_line()? {
                if !line.complete {
                    break;
                }
                let Row { question, answer } =
                    serde_json::from_str(line.text).map_err(|error| {
                        let expected = format!("a question with its answer ({error})");
                        FormatError::malformed(&name, line.number, expected, line.text)
                    })?;
                answers.insert(question, answer);
                complete_bytes = lines.consumed();
            }
        }
        let file =
            File::options().create(true).append(true).open(path).map_err(RunError::io(path))?;
        file.set_len(complete_bytes).map_err(RunError::io(path))?;
        Ok(Self { answers, file: Some(file) })
    }

    pub fn get(&self, question: &Question) -> Option<Answer> {
        self.answers.get(question).copied()
    }

    pub fn add(&mut self, question: &Question, answer: Answer) -> std::io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_vec(&Row { question: question.clone(), answer })?;
            line.push(b'\n');
            file.write_all(&line)?;
        }
        self.answers.insert(question.clone(), answer);
        Ok(())
    }
}
