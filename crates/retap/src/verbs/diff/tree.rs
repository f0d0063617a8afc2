//! The difference of two apps as a tree for the terminal.

use crate::console::Paint;
use retap_static::{AppDiff, AppVersion, Change, ClassDiff, MethodDiff, PackageDiff, ResourceDiff};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Without `--all` each kind of resource shows at most this many.
const SHOWN_RESOURCES: usize = 12;
const SHOWN_DETAILS: usize = 4;
const MAX_LINE: usize = 140;

pub fn render(diff: &AppDiff, all: bool, paint: Paint) -> String {
    let mut out = String::new();
    let sets = diff.sets();
    let _ = writeln!(
        out,
        "{}  {} → {}",
        paint.bold(&diff.new.package),
        version(&diff.old),
        version(&diff.new)
    );
    if diff.is_empty() {
        out.push_str("Nothing differs.\n");
        return out;
    }
    let _ = writeln!(
        out,
        "{} modified, {} new, {} removed; {} changed\n",
        counted(sets.modified.len(), "method"),
        sets.new.len(),
        sets.removed.len(),
        counted(diff.resources.len(), "resource")
    );
    if !diff.manifest.is_empty() {
        let _ = writeln!(out, "{}", paint.bold("Manifest"));
        for line in &diff.manifest {
            let (sign, rest) = line.split_at(1);
            let _ = writeln!(out, "  {}{rest}", paint.sign(sign));
        }
        out.push('\n');
    }
    for package in diff.packages.iter().filter(|it| all || it.library.is_none()) {
        write_package(&mut out, package, paint);
    }
    if !all {
        write_libraries(&mut out, &diff.packages, paint);
    }
    write_resources(&mut out, &diff.resources, all, paint);
    out
}

fn version(version: &AppVersion) -> String {
    let name = version.version_name.as_deref().unwrap_or("no version name");
    format!("{name} ({})", version.version_code)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn sign(change: Change) -> &'static str {
    match change {
        Change::Modified => "~",
        Change::New => "+",
        Change::Removed => "-",
        Change::Renamed => "→",
    }
}

fn write_package(out: &mut String, package: &PackageDiff, paint: Paint) {
    let name = if package.name.is_empty() { "(no package)" } else { &package.name };
    let _ = writeln!(out, "{}", paint.bold(name));
    for class in &package.classes {
        write_class(out, class, paint);
    }
    out.push('\n');
}

fn write_class(out: &mut String, class: &ClassDiff, paint: Paint) {
    let name = class.name.rsplit('.').next().unwrap_or(&class.name);
    let _ = write!(out, "  {} {name}", paint.sign(sign(class.change)));
    if let Some(old) = &class.old_name {
        let _ = write!(out, " {}", paint.dim(&format!("(was {old})")));
    }
    if matches!(class.change, Change::New | Change::Removed) {
        // The methods of a whole class are what it is; their number is enough.
        let methods = counted(class.methods.len(), "method");
        let _ = writeln!(out, "  {}", paint.dim(&methods));
        return;
    }
    out.push('\n');
    for line in &class.declaration {
        let _ = writeln!(out, "    {} {line}", paint.sign("~"));
    }
    for field in &class.fields {
        let value = match (&field.old_value, &field.new_value) {
            (Some(old), Some(new)) => format!(": {old} → {new}"),
            (None, Some(new)) => format!(" = {new}"),
            _ => String::new(),
        };
        let line = format!("{} {}{value}", paint.sign(sign(field.change)), field.name);
        let _ = writeln!(out, "    {}", cut(&line));
    }
    for method in &class.methods {
        let size = match method.change {
            Change::Modified => {
                let new = counted(method.new_instructions, "instruction");
                format!("{} → {new}", method.old_instructions)
            }
            Change::Removed => counted(method.old_instructions, "instruction"),
            _ => counted(method.new_instructions, "instruction"),
        };
        let size = paint.dim(&size);
        let _ =
            writeln!(out, "    {} {}  {size}", paint.sign(sign(method.change)), signature(method));
    }
}

/// Returns a method as people write it: `onCreate(Bundle)`.
fn signature(method: &MethodDiff) -> String {
    let types = retap_static::parameter_names(&method.descriptor);
    let was = method.old_name.as_ref().map(|old| format!(" (was {old})")).unwrap_or_default();
    format!("{}({}){was}", method.name, types.join(", "))
}

fn write_libraries(out: &mut String, packages: &[PackageDiff], paint: Paint) {
    let mut libraries = BTreeMap::<&str, BTreeMap<Change, usize>>::new();
    for package in packages {
        let Some(library) = &package.library else { continue };
        for class in &package.classes {
            *libraries.entry(library).or_default().entry(class.change).or_default() += 1;
        }
    }
    if libraries.is_empty() {
        return;
    }
    let _ =
        writeln!(out, "{} {}", paint.bold("Libraries"), paint.dim("(--all shows their classes)"));
    for (name, changes) in libraries {
        let word = |change: &Change| match change {
            Change::Modified => "modified",
            Change::New => "new",
            Change::Removed => "removed",
            Change::Renamed => "renamed",
        };
        let counts: Vec<String> =
            changes.iter().map(|(change, count)| format!("{count} {}", word(change))).collect();
        let _ = writeln!(out, "  {name}: classes {}", counts.join(", "));
    }
    out.push('\n');
}

fn write_resources(out: &mut String, resources: &[ResourceDiff], all: bool, paint: Paint) {
    if resources.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", paint.bold("Resources"));
    let mut kinds = BTreeMap::<&str, Vec<&ResourceDiff>>::new();
    for resource in resources {
        kinds
            .entry(resource.name.split('/').next().unwrap_or_default())
            .or_default()
            .push(resource);
    }
    for (kind, resources) in kinds {
        write_kind(out, kind, &resources, all, paint);
    }
}

/// Writes the changed resources of one kind. Without `--all` those that only come or go with a language or another
/// configuration are counted.
fn write_kind(out: &mut String, kind: &str, resources: &[&ResourceDiff], all: bool, paint: Paint) {
    let is_alone =
        |it: &ResourceDiff| all || it.configuration.is_empty() || it.change == Change::Modified;
    let alone: Vec<&&ResourceDiff> = resources.iter().filter(|it| is_alone(it)).collect();
    let shown = if all { usize::MAX } else { SHOWN_RESOURCES };
    for resource in alone.iter().take(shown) {
        let configuration = match &*resource.configuration {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        let mark = paint.sign(sign(resource.change));
        let _ = writeln!(out, "  {mark} {}{}", resource.name, paint.dim(&configuration));
        let details = if all { usize::MAX } else { SHOWN_DETAILS };
        for line in resource.details.iter().take(details) {
            let _ = writeln!(out, "      {}", paint.dim(&cut(line)));
        }
    }
    if let Some(left) = alone.len().checked_sub(shown).filter(|left| *left > 0) {
        let _ = writeln!(out, "  {}", paint.dim(&format!("… and {left} more of {kind}")));
    }
    let mut counts = BTreeMap::<(Change, &str), usize>::new();
    for resource in resources.iter().filter(|it| !is_alone(it)) {
        *counts.entry((resource.change, &resource.configuration)).or_default() += 1;
    }
    for change in [Change::New, Change::Removed, Change::Renamed] {
        let of_change = counts.iter().filter(|it| it.0.0 == change);
        let parts: Vec<String> =
            of_change.map(|((_, name), count)| format!("{count} for {name}")).collect();
        if !parts.is_empty() {
            let line = cut(&format!("{kind}: {}", parts.join(", ")));
            let _ = writeln!(out, "  {} {line}", paint.sign(sign(change)));
        }
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
