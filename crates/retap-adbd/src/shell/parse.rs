//! From a command line to pipelines.

use super::word::{Word, WordPart};
use std::iter::Peekable;
use std::str::Chars;

/// Longer lines are refused.
const MAX_LINE: usize = 1 << 20;
/// Words that begin what this shell does not know.
const UNKNOWN: [&str; 8] = ["if", "for", "while", "until", "case", "function", "select", "{"];

/// When a pipeline runs, by the exit code of the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    Always,
    IfGood,
    IfBad,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    pub connector: Connector,
    /// True if the shell does not wait for it: `&`.
    pub in_background: bool,
    pub commands: Vec<SimpleCommand>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SimpleCommand {
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    Output { to: Word, appends: bool },
    Input(Word),
    ErrorsToOutput,
    DropErrors,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(Word),
    Semicolon,
    Background,
    And,
    Or,
    Pipe,
    Redirect { from: u8, appends: bool, input: bool },
    ErrorsToOutput,
}

/// Parses a line. The error is a sentence.
pub fn parse(line: &str) -> Result<Vec<Pipeline>, String> {
    if line.len() > MAX_LINE {
        return Err("the line is too long".into());
    }
    let mut tokens = tokens(line)?.into_iter().peekable();
    let mut pipelines = Vec::new();
    let mut connector = Connector::Always;
    let mut pipeline = empty(connector);
    while let Some(token) = tokens.next() {
        let Some(command) = pipeline.commands.last_mut() else { break };
        match token {
            Token::Word(word) => {
                if command.words.is_empty()
                    && let [WordPart::Text(text)] = word.0.as_slice()
                    && UNKNOWN.contains(&text.as_str())
                {
                    return Err(format!("syntax error: this shell has no '{text}'"));
                }
                command.words.push(word);
            }
            Token::ErrorsToOutput => command.redirects.push(Redirect::ErrorsToOutput),
            Token::Redirect { from, appends, input } => {
                let Some(Token::Word(to)) = tokens.next() else {
                    return Err("syntax error: a redirection names no file".into());
                };
                command.redirects.push(match (input, from) {
                    (true, _) => Redirect::Input(to),
                    // What a command complains about is shown or dropped, never stored.
                    (false, 2) => Redirect::DropErrors,
                    (false, _) => Redirect::Output { to, appends },
                });
            }
            Token::Pipe => pipeline.commands.push(SimpleCommand::default()),
            Token::Semicolon | Token::Background | Token::And | Token::Or => {
                pipeline.in_background = token == Token::Background;
                connector = match token {
                    Token::And => Connector::IfGood,
                    Token::Or => Connector::IfBad,
                    _ => Connector::Always,
                };
                push(&mut pipelines, std::mem::replace(&mut pipeline, empty(connector)))?;
            }
        }
    }
    let dangles = connector != Connector::Always && is_empty(&pipeline);
    push(&mut pipelines, pipeline)?;
    if dangles { Err("syntax error: unexpected end".into()) } else { Ok(pipelines) }
}

fn empty(connector: Connector) -> Pipeline {
    Pipeline { connector, in_background: false, commands: vec![SimpleCommand::default()] }
}

fn is_empty(pipeline: &Pipeline) -> bool {
    pipeline.commands.iter().all(|command| *command == SimpleCommand::default())
}

fn push(pipelines: &mut Vec<Pipeline>, pipeline: Pipeline) -> Result<(), String> {
    if is_empty(&pipeline) && pipeline.commands.len() == 1 {
        return Ok(());
    }
    if pipeline.commands.iter().any(|command| command.words.is_empty()) {
        return Err("syntax error: a command is missing".into());
    }
    pipelines.push(pipeline);
    Ok(())
}

fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut letters = line.chars().peekable();
    let mut tokens = Vec::new();
    let mut word: Option<Word> = None;
    while let Some(letter) = letters.next() {
        let in_word = word.is_some();
        let token = match letter {
            ' ' | '\t' | '\r' => None,
            '\n' | ';' => Some(Token::Semicolon),
            '#' if !in_word => {
                letters.by_ref().find(|letter| *letter == '\n');
                Some(Token::Semicolon)
            }
            '&' if letters.next_if_eq(&'&').is_some() => Some(Token::And),
            '&' => Some(Token::Background),
            '|' if letters.next_if_eq(&'|').is_some() => Some(Token::Or),
            '|' => Some(Token::Pipe),
            '<' => Some(Token::Redirect { from: 0, appends: false, input: true }),
            '>' => Some(redirect(&mut letters, &mut word)?),
            '(' | ')' => return Err(format!("syntax error: this shell has no '{letter}'")),
            _ => {
                add(word.get_or_insert_default(), letter, &mut letters)?;
                continue;
            }
        };
        tokens.extend(word.take().map(Token::Word));
        tokens.extend(token);
    }
    tokens.extend(word.map(Token::Word));
    Ok(tokens)
}

/// Reads the rest of `>`, `>>`, `2>`, `2>&1` and `1>`; the digit before it is no word.
fn redirect(letters: &mut Peekable<Chars<'_>>, word: &mut Option<Word>) -> Result<Token, String> {
    let digit = match word.as_ref().map(|word| word.0.as_slice()) {
        Some([WordPart::Text(text)]) => match text.as_str() {
            "1" => Some(1),
            "2" => Some(2),
            _ => None,
        },
        _ => None,
    };
    if digit.is_some() {
        *word = None;
    }
    if letters.next_if_eq(&'&').is_some() {
        return match (digit, letters.next()) {
            (Some(2), Some('1')) => Ok(Token::ErrorsToOutput),
            _ => Err("syntax error: this shell knows 2>&1 alone".into()),
        };
    }
    let appends = letters.next_if_eq(&'>').is_some();
    Ok(Token::Redirect { from: digit.unwrap_or(1), appends, input: false })
}

/// Adds a letter, or what a quote, a backslash or a dollar begins.
fn add(word: &mut Word, letter: char, letters: &mut Peekable<Chars<'_>>) -> Result<(), String> {
    match letter {
        '\'' => {
            word.0.push(WordPart::Text(String::new()));
            loop {
                match letters.next() {
                    Some('\'') => return Ok(()),
                    Some(letter) => word.push(letter),
                    None => return Err("syntax error: no closing quote".into()),
                }
            }
        }
        '"' => {
            word.0.push(WordPart::Text(String::new()));
            loop {
                match letters.next() {
                    Some('"') => return Ok(()),
                    Some('\\') => match letters.next() {
                        Some(letter @ ('"' | '\\' | '$' | '`')) => word.push(letter),
                        Some(letter) => {
                            word.push('\\');
                            word.push(letter);
                        }
                        None => return Err("syntax error: no closing quote".into()),
                    },
                    Some('$') => add_variable(word, letters, true)?,
                    Some('`') => add_command(word, until_backtick(letters)?, true),
                    Some(letter) => word.push(letter),
                    None => return Err("syntax error: no closing quote".into()),
                }
            }
        }
        '\\' => word.push(letters.next().unwrap_or('\\')),
        '$' => add_variable(word, letters, false)?,
        '`' => add_command(word, until_backtick(letters)?, false),
        '*' | '?' => word.0.push(WordPart::Wildcard(letter)),
        letter => word.push(letter),
    }
    Ok(())
}

fn add_variable(
    word: &mut Word,
    letters: &mut Peekable<Chars<'_>>,
    is_quoted: bool,
) -> Result<(), String> {
    if letters.next_if_eq(&'?').is_some() {
        word.0.push(WordPart::ExitCode);
        return Ok(());
    }
    if letters.next_if_eq(&'(').is_some() {
        if letters.peek() == Some(&'(') {
            return Err("syntax error: this shell has no '$(('".into());
        }
        add_command(word, until_parenthesis(letters)?, is_quoted);
        return Ok(());
    }
    let braces = letters.next_if_eq(&'{').is_some();
    let mut name = String::new();
    while let Some(letter) = letters.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
        name.push(letter);
    }
    if braces && letters.next() != Some('}') {
        return Err("syntax error: bad substitution".into());
    }
    if name.is_empty() {
        word.push('$');
    } else {
        word.0.push(WordPart::Variable { name, is_quoted });
    }
    Ok(())
}

fn add_command(word: &mut Word, line: String, is_quoted: bool) {
    word.0.push(WordPart::Command { line, is_quoted });
}

fn until_backtick(letters: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let mut line = String::new();
    loop {
        match letters.next() {
            Some('`') => return Ok(line),
            Some('\\') => line.extend(letters.next()),
            Some(letter) => line.push(letter),
            None => return Err("syntax error: no closing '`'".into()),
        }
    }
}

/// Reads the line of `$(…)`. Parentheses in quotes do not count.
fn until_parenthesis(letters: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let mut line = String::new();
    let mut depth = 1;
    let mut quote = None;
    for letter in letters.by_ref() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(line);
        }
        line.push(letter);
    }
    Err("syntax error: no closing ')'".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::word::Field;

    /// Shows what a word becomes where `$A` is `b c`, the last exit code 7 and a command's output its own line.
    fn expand(word: &Word) -> String {
        let value = |part: &WordPart| -> Result<String, ()> {
            Ok(match part {
                WordPart::Variable { .. } => "b c".into(),
                WordPart::Command { line, .. } => format!("<{line}>"),
                _ => "7".into(),
            })
        };
        let fields: Vec<String> = word.fields(value).unwrap().iter().map(Field::text).collect();
        fields.join("][")
    }

    /// Shows a line as it was understood.
    fn shown(line: &str) -> String {
        let pipelines = match parse(line) {
            Ok(pipelines) => pipelines,
            Err(error) => return error,
        };
        let command = |command: &SimpleCommand| {
            let mut words: Vec<String> =
                command.words.iter().map(|word| format!("[{}]", expand(word))).collect();
            words.extend(command.redirects.iter().map(|redirect| match redirect {
                Redirect::Output { to, appends } => {
                    format!("{}{}", if *appends { ">>" } else { ">" }, expand(to))
                }
                Redirect::Input(from) => format!("<{}", expand(from)),
                Redirect::ErrorsToOutput => "2>&1".into(),
                Redirect::DropErrors => "2>".into(),
            }));
            words.join("")
        };
        let pipeline = |pipeline: &Pipeline| {
            let commands: Vec<String> = pipeline.commands.iter().map(command).collect();
            let connector = match pipeline.connector {
                Connector::Always => ";",
                Connector::IfGood => "&&",
                Connector::IfBad => "||",
            };
            format!("{connector}{}", commands.join("|"))
        };
        pipelines.iter().map(pipeline).collect()
    }

    #[test]
    fn lines_that_tools_send_are_understood() {
        let check = |line: &str, expected: &str| assert_eq!(shown(line), expected, "{line}");
        check("ls -l /sdcard", ";[ls][-l][/sdcard]");
        check("input text 'a b'; echo $?", ";[input][text][a b];[echo][7]");
        check("export X=\"\"; exec logcat '-d'", ";[export][X=];[exec][logcat][-d]");
        check("ps | grep 'x y' && echo ok || echo no", ";[ps]|[grep][x y]&&[echo][ok]||[echo][no]");
        check("cat a 2>/dev/null >b 2>&1", ";[cat][a]2>>b2>&1");
        check("echo \"$A${A}\\\"\" a\\ b \\$", ";[echo][b cb c\"][a b][$]");
        check("echo $A x$A", ";[echo][b][c][xb][c]");
        check("X=$A ls $(echo ')' $A) \"`date`\"", ";[X=b c][ls][<echo][')'][$A>][<date>]");
        check("  ; # nothing\n", "");
        check("echo '' x", ";[echo][][x]");
        check("cat <in >>out", ";[cat]<in>>out");
    }

    #[test]
    fn what_the_shell_does_not_know_is_refused_in_words() {
        for wrong in [
            "a |",
            "| a",
            "echo 'x",
            "a &&",
            "(a)",
            "echo $(a",
            "echo `a",
            "echo $((1))",
            "for x in y",
            "a >",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn damaged_lines_never_panic() {
        let samples: [&[u8]; 2] =
            [b"export A=\"x\"; exec logcat '-d' | grep a > /b", b"a && b || c"];
        let words = ["'", "\"", "$", "${", ">", "2>&1", "|", "\\"];
        retap_fuzz::fuzz("shell-line", &samples, &words, |bytes| {
            parse(&String::from_utf8_lossy(bytes)).is_ok()
        });
    }
}
