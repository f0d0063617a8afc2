//! A line of a plain Python script as a chain of calls: `d(text="Add").click()`. Nothing is evaluated.

/// One link of a chain.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    Name(String),
    Call(Vec<Argument>),
}

/// An argument of a call; `name` is empty if it has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    pub name: String,
    pub value: Literal,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Text(String),
    Number(f64),
    /// A name, such as `True` or `PACKAGE`.
    Name(String),
}

/// Parses a whole line. Returns none if it is anything but one chain of names and calls with plain arguments.
pub fn parse_chain(line: &str) -> Option<Vec<Link>> {
    let mut scanner = Scanner { rest: line };
    let mut links = vec![Link::Name(scanner.name()?)];
    loop {
        scanner.skip_blanks();
        if scanner.take('.') {
            links.push(Link::Name(scanner.name()?));
        } else if scanner.take('(') {
            links.push(Link::Call(scanner.arguments()?));
        } else {
            break;
        }
    }
    scanner.skip_blanks();
    (scanner.rest.is_empty() || scanner.rest.starts_with('#') || scanner.rest.starts_with(';'))
        .then_some(links)
}

/// Parses `NAME = "text"`.
pub fn parse_assignment(line: &str) -> Option<(String, Literal)> {
    let mut scanner = Scanner { rest: line };
    let name = scanner.name()?;
    scanner.skip_blanks();
    if !scanner.take('=') {
        return None;
    }
    scanner.skip_blanks();
    let value = scanner.literal()?;
    scanner.skip_blanks();
    (scanner.rest.is_empty() || scanner.rest.starts_with('#')).then_some((name, value))
}

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, letter: char) -> bool {
        let found = self.rest.strip_prefix(letter);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn name(&mut self) -> Option<String> {
        self.skip_blanks();
        let end =
            self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        Some(name.to_string())
    }

    fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        loop {
            self.skip_blanks();
            if self.take(')') {
                return Some(arguments);
            }
            arguments.push(self.argument()?);
            self.skip_blanks();
            if !self.take(',') {
                return self.take(')').then_some(arguments);
            }
        }
    }

    fn argument(&mut self) -> Option<Argument> {
        let before = self.rest;
        if let Some(name) = self.name() {
            self.skip_blanks();
            if self.take('=') {
                self.skip_blanks();
                return Some(Argument { name, value: self.literal()? });
            }
        }
        self.rest = before;
        Some(Argument { name: String::new(), value: self.literal()? })
    }

    fn literal(&mut self) -> Option<Literal> {
        let is_raw = self.rest.starts_with("r\"") || self.rest.starts_with("r'");
        if is_raw || self.rest.starts_with("u\"") || self.rest.starts_with("u'") {
            self.rest = &self.rest[1..];
        }
        match self.rest.chars().next()? {
            quote @ ('"' | '\'') => self.text(quote, is_raw).map(Literal::Text),
            c if c.is_ascii_digit() || c == '-' || c == '.' => self.number().map(Literal::Number),
            _ => self.name().map(Literal::Name),
        }
    }

    fn number(&mut self) -> Option<f64> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '_' | 'e');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn text(&mut self, quote: char, is_raw: bool) -> Option<String> {
        self.take(quote);
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                c if c == quote => {
                    self.rest = &self.rest[at + 1..];
                    return Some(text);
                }
                '\\' if !is_raw => text.push(unescape(&mut letters)?),
                c => text.push(c),
            }
        }
        None
    }
}

/// Reads what follows a backslash.
fn unescape(letters: &mut std::str::CharIndices<'_>) -> Option<char> {
    let (_, letter) = letters.next()?;
    let digits = match letter {
        'n' => return Some('\n'),
        't' => return Some('\t'),
        'r' => return Some('\r'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return Some(other),
    };
    let code: String = letters.by_ref().take(digits).map(|(_, digit)| digit).collect();
    char::from_u32(u32::from_str_radix(&code, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_names_and_calls_with_plain_arguments() {
        let links =
            parse_chain(r#"d(text="A\"d\u00e9", instance=2).click(timeout=3)  # tap"#).unwrap();
        let text = Argument { name: "text".into(), value: Literal::Text("A\"d\u{e9}".into()) };
        let instance = Argument { name: "instance".into(), value: Literal::Number(2.0) };
        let timeout = Argument { name: "timeout".into(), value: Literal::Number(3.0) };
        let expected = [
            Link::Name("d".into()),
            Link::Call(vec![text, instance]),
            Link::Name("click".into()),
            Link::Call(vec![timeout]),
        ];
        assert_eq!(links, expected);
    }

    #[test]
    fn whatever_must_be_evaluated_is_none() {
        for line in [
            "d(text=f(x)).click()",
            "x = d.info",
            "for i in range(3):",
            "d.click(1 + 2, 3)",
            "d('a",
            "",
        ] {
            assert_eq!(parse_chain(line), None, "{line}");
        }
        let assigned = parse_assignment("PACKAGE = 'com.app'  # ours").unwrap();
        assert_eq!(assigned, ("PACKAGE".into(), Literal::Text("com.app".into())));
        assert_eq!(parse_assignment("a == 'b'"), None);
    }
}
