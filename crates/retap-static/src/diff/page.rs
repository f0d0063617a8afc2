//! The page of a difference: one self-contained file, old and new code of each method side by side.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{AppDiff, AppVersion, Change, ClassDiff, MethodDiff, MethodListing, PackageDiff};

const STYLE: &str = "
:root{color-scheme:light dark;--add:#dafbe1;--del:#ffebe9;--line:#8884;--dim:#6e7781}
@media(prefers-color-scheme:dark){:root{--add:#12361f;--del:#471e1c;--dim:#9198a1}}
body{font:15px/1.5 system-ui,sans-serif;max-width:1400px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin-bottom:.2rem}h2{margin-top:2rem;font-size:1.1rem;border-bottom:1px solid var(--line)}
details{margin:.15rem 0 .15rem 1rem}summary{cursor:pointer}
code,pre,.code{font:12.5px/1.45 ui-monospace,monospace}
.tag{display:inline-block;min-width:1.1em;text-align:center;font-weight:700}
.new{color:#1a7f37}.removed{color:#cf222e}.modified{color:#9a6700}.renamed{color:#0969da}
.dim{color:var(--dim)}
table.code{border-collapse:collapse;width:100%;table-layout:fixed;margin:.4rem 0 1rem;border:1px solid var(--line)}
table.code td{white-space:pre-wrap;overflow-wrap:anywhere;padding:0 .5rem;vertical-align:top;width:50%}
td.del{background:var(--del)}td.add{background:var(--add)}
ul{margin:.2rem 0;padding-left:1.4rem}";

/// Longer methods are compared line by line only near their start and end: the table of the comparison grows with the
/// product of both lengths.
const MAX_COMPARED: usize = 2_000;

pub fn render(diff: &AppDiff) -> String {
    let title = format!("{} {} → {}", diff.new.package, version(&diff.old), version(&diff.new));
    let sets = diff.sets();
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
                h1 { (title) }
                p.dim {
                    (sets.modified.len()) " methods modified, " (sets.new.len()) " new, "
                    (sets.removed.len()) " removed; " (diff.resources.len()) " resources"
                }
                @if diff.is_empty() { p { "Nothing differs." } }
                @if !diff.manifest.is_empty() {
                    h2 { "Manifest" }
                    ul { @for line in &diff.manifest { li.code { (line) } } }
                }
                @let (own, libraries) = diff.packages.iter().partition::<Vec<&PackageDiff>, _>(|it| it.library.is_none());
                @if !own.is_empty() { h2 { "The app's code" } @for it in own { (package(it)) } }
                @if !libraries.is_empty() { h2 { "Libraries" } @for it in libraries { (package(it)) } }
                @if !diff.resources.is_empty() {
                    h2 { "Resources" }
                    @for it in &diff.resources {
                        details {
                            summary { (tag(it.change)) " " (it.name) " " span.dim { (it.configuration) } }
                            ul { @for line in &it.details { li.code { (line) } } }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn version(version: &AppVersion) -> String {
    version.version_name.clone().unwrap_or_else(|| version.version_code.to_string())
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

fn package(package: &PackageDiff) -> Markup {
    let library = package.library.as_deref().unwrap_or_default();
    html! {
        details open[package.library.is_none()] {
            summary { strong { (package.name) } " " span.dim { (library) " " (package.classes.len()) " classes" } }
            @for it in &package.classes { (class(it)) }
        }
    }
}

fn class(class: &ClassDiff) -> Markup {
    let name = class.name.rsplit('.').next().unwrap_or(&class.name);
    html! {
        details {
            summary {
                (tag(class.change)) " " (name)
                @if let Some(old) = &class.old_name { span.dim { " was " (old) } }
                @if !class.methods.is_empty() { span.dim { " " (class.methods.len()) " methods" } }
            }
            ul {
                @for line in &class.declaration { li { (line) } }
                @for field in &class.fields {
                    li { (tag(field.change)) " " code { (field.name) }
                        @if field.old_value != field.new_value {
                            span.dim { " " (field.old_value.as_deref().unwrap_or("–")) " → " (field.new_value.as_deref().unwrap_or("–")) }
                        }
                    }
                }
            }
            @for it in &class.methods { (method(it)) }
        }
    }
}

fn method(method: &MethodDiff) -> Markup {
    html! {
        details {
            summary {
                (tag(method.change)) " " code { (method.name) (method.descriptor) }
                span.dim { " " (method.old_instructions) " → " (method.new_instructions) " instructions" }
            }
            @if let Some(listing) = &method.listing { (side_by_side(listing)) }
        }
    }
}

fn side_by_side(listing: &MethodListing) -> Markup {
    let rows = align(&listing.old, &listing.new);
    html! {
        table.code {
            @for (old, new) in rows {
                tr {
                    td class=[new.is_none().then_some("del")] { (old.map(String::as_str).unwrap_or("")) }
                    td class=[old.is_none().then_some("add")] { (new.map(String::as_str).unwrap_or("")) }
                }
            }
        }
    }
}

type Row<'a> = (Option<&'a String>, Option<&'a String>);

/// Aligns two lists of lines by a longest common subsequence.
fn align<'a>(old: &'a [String], new: &'a [String]) -> Vec<Row<'a>> {
    let common_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[common_start..], &new[common_start..]);
    let common_end =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, old_end) = old_rest.split_at(old_rest.len() - common_end);
    let (new_mid, new_end) = new_rest.split_at(new_rest.len() - common_end);
    let both = |(a, b): (&'a String, &'a String)| (Some(a), Some(b));
    let mut rows: Vec<Row> =
        old[..common_start].iter().zip(&new[..common_start]).map(both).collect();
    if old_mid.len().max(new_mid.len()) > MAX_COMPARED {
        rows.extend(old_mid.iter().map(|line| (Some(line), None)));
        rows.extend(new_mid.iter().map(|line| (None, Some(line))));
    } else {
        rows.extend(align_middle(old_mid, new_mid));
    }
    rows.extend(old_end.iter().zip(new_end).map(both));
    rows
}

fn align_middle<'a>(old: &'a [String], new: &'a [String]) -> Vec<Row<'a>> {
    let width = new.len() + 1;
    let mut lengths = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut rows) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            rows.push((Some(&old[i]), Some(&new[j])));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
        {
            rows.push((Some(&old[i]), None));
            i += 1;
        } else {
            rows.push((None, Some(&new[j])));
            j += 1;
        }
    }
    rows
}
