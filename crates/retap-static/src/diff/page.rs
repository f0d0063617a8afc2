//! The page of a difference: one self-contained file, old and new code of each method side by side.

mod code;
mod resources;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{AppDiff, AppVersion, Change, ClassDiff, FieldDiff, MethodDiff, PackageDiff};

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/filter.js");

/// Code of libraries is shown up to this many lines in all. Beyond it a page takes a browser too long to open.
const MAX_LIBRARY_LINES: usize = 60_000;

pub fn render(diff: &AppDiff) -> String {
    let title = format!("{} {} → {}", diff.new.package, version(&diff.old), version(&diff.new));
    let (own, libraries): (Vec<_>, Vec<_>) =
        diff.packages.iter().partition(|it| it.library.is_none());
    let shows_libraries = lines(&libraries) <= MAX_LIBRARY_LINES;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (diff.new.package) }
                    p.versions { (version(&diff.old)) " → " strong { (version(&diff.new)) } }
                }
                @if diff.is_empty() { p { "Nothing differs." } }
                (cards(diff, &own, &libraries))
                (manifest(diff))
                @if !own.is_empty() {
                    section id="code" {
                        h2 { "The app's code" }
                        input #filter type="search" placeholder="Show only classes and methods with …";
                        @for it in own { (package(it, true)) }
                    }
                }
                (resources::render(&diff.resources))
                @if !libraries.is_empty() {
                    section id="libraries" {
                        h2 { "Libraries" }
                        @if !shows_libraries {
                            p.dim { "Too much changed in libraries to show their code here: `--json` lists their methods." }
                        }
                        @for it in libraries { (package(it, shows_libraries)) }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn version(version: &AppVersion) -> String {
    version.version_name.clone().unwrap_or_else(|| version.version_code.to_string())
}

/// Counts the lines of code that the methods of packages would show.
fn lines(packages: &[&PackageDiff]) -> usize {
    let methods = packages.iter().flat_map(|it| &it.classes).flat_map(|it| &it.methods);
    methods.filter_map(|it| it.listing.as_ref()).map(|it| it.old.len().max(it.new.len())).sum()
}

/// Methods by how they changed.
#[derive(Default)]
struct Counts {
    modified: usize,
    new: usize,
    removed: usize,
}

impl Counts {
    fn of<'a>(methods: impl IntoIterator<Item = &'a MethodDiff>) -> Self {
        let mut counts = Counts::default();
        for method in methods {
            match method.change {
                Change::Modified | Change::Renamed => counts.modified += 1,
                Change::New => counts.new += 1,
                Change::Removed => counts.removed += 1,
            }
        }
        counts
    }

    fn markup(&self) -> Markup {
        html! {
            span.counts {
                @if self.modified > 0 { span.modified { "~" (self.modified) } }
                @if self.new > 0 { span.new { "+" (self.new) } }
                @if self.removed > 0 { span.removed { "−" (self.removed) } }
            }
        }
    }
}

/// The figures at the top, each a link to its part of the page.
fn cards(diff: &AppDiff, own: &[&PackageDiff], libraries: &[&PackageDiff]) -> Markup {
    let methods = |packages: &[&PackageDiff]| {
        let classes = packages.iter().flat_map(|it| &it.classes);
        Counts::of(classes.flat_map(|it| &it.methods).collect::<Vec<_>>())
    };
    let classes: usize = own.iter().map(|it| it.classes.len()).sum();
    html! {
        nav.cards {
            @if !diff.manifest.is_empty() {
                a href="#manifest" { b { (diff.manifest.len()) } "changes of the manifest" }
            }
            @if !own.is_empty() {
                a href="#code" { b { (classes) } "classes of the app" (methods(own).markup()) }
            }
            @if !diff.resources.is_empty() {
                a href="#resources" { b { (diff.resources.len()) } "resources" }
            }
            @if !libraries.is_empty() {
                a href="#libraries" { b { (libraries.len()) } "packages of libraries" (methods(libraries).markup()) }
            }
        }
    }
}

fn manifest(diff: &AppDiff) -> Markup {
    html! {
        @if !diff.manifest.is_empty() {
            section id="manifest" {
                h2 { "Manifest" }
                ul.plain { @for line in &diff.manifest { li { (signed(line)) } } }
            }
        }
    }
}

/// A line that begins with the sign of its change.
fn signed(line: &str) -> Markup {
    let change = match line.chars().next() {
        Some('+') => Change::New,
        Some('-') => Change::Removed,
        _ => Change::Modified,
    };
    let rest = line.strip_prefix(['+', '-', '~']).unwrap_or(line);
    html! { (tag(change)) " " code { (rest.trim_start()) } }
}

fn tag(change: Change) -> Markup {
    let (class, sign) = match change {
        Change::Modified => ("tag modified", "~"),
        Change::New => ("tag new", "+"),
        Change::Removed => ("tag removed", "−"),
        Change::Renamed => ("tag renamed", "→"),
    };
    html! { span class=(class) { (sign) } }
}

fn package(package: &PackageDiff, shows_code: bool) -> Markup {
    let library = package.library.as_deref().unwrap_or_default();
    let name = if package.name.is_empty() { "(no package)" } else { &package.name };
    let counts = Counts::of(package.classes.iter().flat_map(|it| &it.methods));
    html! {
        details.package open[package.library.is_none()] {
            summary { strong { (name) } " " span.dim { (library) } (counts.markup()) }
            @for it in &package.classes { (class(it, shows_code)) }
        }
    }
}

fn class(class: &ClassDiff, shows_code: bool) -> Markup {
    let name = class.name.rsplit('.').next().unwrap_or(&class.name);
    let has_more = !class.declaration.is_empty() || !class.fields.is_empty();
    html! {
        details.class {
            summary {
                (tag(class.change)) " " span.name { (name) }
                @if let Some(old) = &class.old_name { span.dim { " was " (old) } }
                (Counts::of(&class.methods).markup())
            }
            @if has_more {
                ul.plain {
                    @for line in &class.declaration { li { (tag(Change::Modified)) " " (line) } }
                    @for it in &class.fields { li { (field(it)) } }
                }
            }
            @for it in &class.methods { (method(it, shows_code)) }
        }
    }
}

fn field(field: &FieldDiff) -> Markup {
    let text = |value: &Option<String>| value.as_deref().unwrap_or("–").to_owned();
    html! {
        (tag(field.change)) " " code { (field.name) }
        @if field.old_value != field.new_value {
            span.dim { " " (text(&field.old_value)) " → " (text(&field.new_value)) }
        }
    }
}

fn method(method: &MethodDiff, shows_code: bool) -> Markup {
    let types = crate::parameter_names(&method.descriptor);
    let size = match method.change {
        Change::New => format!("{} instructions", method.new_instructions),
        Change::Removed => format!("{} instructions", method.old_instructions),
        _ => format!("{} → {} instructions", method.old_instructions, method.new_instructions),
    };
    html! {
        details.method {
            summary {
                (tag(method.change)) " " code.name { (method.name) "(" (types.join(", ")) ")" }
                @if let Some(old) = &method.old_name { span.dim { " was " (old) } }
                span.dim { " " (size) }
            }
            @if let Some(listing) = method.listing.as_ref().filter(|_| shows_code) {
                (code::side_by_side(listing))
            }
        }
    }
}
