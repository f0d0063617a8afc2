//! Methods as a person reads them.

/// Returns a method as a person would write it: `Main.run(int, String[])` for
/// `Lcom/example/Main;->run(I[Ljava/lang/String;)V`. Any other text comes back as it is.
pub fn readable_method(signature: &str) -> String {
    let parts = signature.split_once(";->").and_then(|(class, method)| {
        let (name, rest) = method.split_once('(')?;
        Some((class.strip_prefix('L')?, name, rest.split_once(')')?.0))
    });
    let Some((class, name, parameters)) = parts else { return signature.to_owned() };
    format!("{}.{name}({})", class_label(class), type_labels(parameters).join(", "))
}

/// Returns the class name without its package, from a descriptor.
fn class_label(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}

fn type_labels(mut descriptors: &str) -> Vec<String> {
    let mut labels = Vec::new();
    while !descriptors.is_empty() {
        let element = descriptors.trim_start_matches('[');
        let dimensions = descriptors.len() - element.len();
        let (label, rest) = match element.strip_prefix('L').and_then(|it| it.split_once(';')) {
            Some((class, rest)) => (class_label(class), rest),
            None => {
                let mut letters = element.chars();
                let label = letters.next().map_or("", primitive_label);
                (label, letters.as_str())
            }
        };
        labels.push(format!("{label}{}", "[]".repeat(dimensions)));
        descriptors = rest;
    }
    labels
}

fn primitive_label(letter: char) -> &'static str {
    match letter {
        'B' => "byte",
        'C' => "char",
        'D' => "double",
        'F' => "float",
        'I' => "int",
        'J' => "long",
        'S' => "short",
        'Z' => "boolean",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::readable_method;

    #[test]
    fn a_method_reads_as_a_person_writes_it() {
        for (signature, expected) in [
            ("Lshop/Cart;->clear()V", "Cart.clear()"),
            (
                "La/Main$1;->run(I[[JLjava/lang/String;[Z)V",
                "Main$1.run(int, long[][], String, boolean[])",
            ),
            ("LBare;-><init>()V", "Bare.<init>()"),
            ("no method at all", "no method at all"),
            ("Lcut/Off;->half(", "Lcut/Off;->half("),
            ("La/B;->odd(L[é)V", "B.odd(?, ?[])"),
        ] {
            assert_eq!(readable_method(signature), expected);
        }
    }
}
