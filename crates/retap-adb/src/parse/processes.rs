//! `pidof PACKAGE`, or the lines of `ps` on phones without it.

/// Returns the processes of a package.
pub fn parse_processes(text: &str, package: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        if numbers.len() == words.len() {
            found.extend(numbers);
        } else if words.last().is_some_and(|name| super::crash::is_process_of(name, package)) {
            found.extend(words.get(1).and_then(|pid| pid.parse::<u32>().ok()));
        }
    }
    found
}
