//! YAML as a small tree with line numbers. Aliases are refused, because a few of them can stand for more than any memory
//! holds, and depth and size are bounded.

use crate::{ImportError, shorten};
use yaml_rust2::parser::{Event, MarkedEventReceiver, Parser};
use yaml_rust2::scanner::Marker;

const MAX_DEPTH: usize = 32;
const MAX_NODES: usize = 200_000;

/// A value and the line where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub line: usize,
    pub value: Yaml,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yaml {
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Yaml::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Yaml::Map(pairs) => pairs.iter().find(|(known, _)| known == key).map(|(_, node)| node),
            _ => None,
        }
    }
}

/// Parses all documents of a text.
pub fn parse(text: &str) -> Result<Vec<Node>, ImportError> {
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(text);
    parser.load(&mut builder, true).map_err(|error| ImportError::Malformed {
        line: error.marker().line(),
        expected: "YAML",
        found: error.info().to_string(),
    })?;
    match builder.error {
        Some(error) => Err(error),
        None => Ok(builder.documents),
    }
}

/// Builds the tree from the parser's events.
#[derive(Default)]
struct Builder {
    documents: Vec<Node>,
    open: Vec<OpenNode>,
    nodes: usize,
    error: Option<ImportError>,
}

/// A list or map whose end has not come yet.
struct OpenNode {
    line: usize,
    is_map: bool,
    items: Vec<Node>,
}

impl MarkedEventReceiver for Builder {
    fn on_event(&mut self, event: Event, marker: Marker) {
        if self.error.is_some() {
            return;
        }
        let line = marker.line();
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.open.len() > MAX_DEPTH {
            return self.refuse(line, "a smaller file", "too much");
        }
        match event {
            Event::Alias(_) => self.refuse(line, "a value", "an alias"),
            Event::Scalar(text, ..) => self.add(Node { line, value: Yaml::Text(text) }),
            Event::SequenceStart(..) => {
                self.open.push(OpenNode { line, is_map: false, items: Vec::new() });
            }
            Event::MappingStart(..) => {
                self.open.push(OpenNode { line, is_map: true, items: Vec::new() });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => {}
        }
    }
}

impl Builder {
    fn refuse(&mut self, line: usize, expected: &'static str, found: &str) {
        self.error = Some(ImportError::Malformed { line, expected, found: shorten(found) });
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.documents.push(node),
        }
    }

    fn close(&mut self) {
        let Some(OpenNode { line, is_map, items }) = self.open.pop() else { return };
        if !is_map {
            return self.add(Node { line, value: Yaml::List(items) });
        }
        let mut pairs = Vec::new();
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let Yaml::Text(name) = key.value else {
                return self.refuse(key.line, "a word before the colon", "a list or a map");
            };
            pairs.push((name, value));
        }
        self.add(Node { line, value: Yaml::Map(pairs) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_documents_lists_and_maps_with_lines() {
        let documents =
            parse("appId: com.app\n---\n- back\n- tapOn:\n    text: \"A: b\"\n").unwrap();
        assert_eq!(documents[0].get("appId").unwrap().text(), Some("com.app"));
        let Yaml::List(commands) = &documents[1].value else { panic!("{documents:?}") };
        assert_eq!(commands[0].text(), Some("back"));
        let text = commands[1].get("tapOn").and_then(|node| node.get("text")).unwrap();
        assert_eq!((text.text(), text.line), (Some("A: b"), 5));
    }

    #[test]
    fn aliases_and_deep_files_are_refused() {
        assert!(parse("- &a x\n- *a\n").unwrap_err().to_string().contains("alias"));
        assert!(parse(&"[".repeat(100)).is_err());
        assert!(parse("a: [").is_err());
    }
}
