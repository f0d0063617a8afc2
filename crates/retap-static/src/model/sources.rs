//! The methods that were compiled from source files, by what the compiler noted in each class.

use super::code_model::CodeModel;
use crate::program::with_program;
use retap_apk::{Apk, ApkError};

/// The methods of each of a list of source files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMethods {
    /// `Lcom/example/Main;->run()V`
    pub methods: Vec<String>,
    /// Files that no class of the app was compiled from.
    pub unmatched: Vec<String>,
}

/// Finds the app's own methods that were compiled from these files, given by their paths as version control names them.
/// A path must end in the package and the file's name, or only in the name if no class fits better: Kotlin does not ask
/// that folders follow packages.
pub fn methods_of_sources(apk: &Apk, files: &[String]) -> Result<SourceMethods, ApkError> {
    with_program(apk, |program| {
        let code = CodeModel::new(program, &super::windows::components(apk));
        let mut found = SourceMethods::default();
        for file in files {
            let name = file.rsplit('/').next().unwrap_or(file);
            let own = code.methods.iter().filter(|it| it.class.definition.source == Some(name));
            let (exact, others): (Vec<_>, Vec<_>) = own.partition(|method| {
                let descriptor = method.class.descriptor().trim_start_matches('L');
                let package = descriptor.rsplit_once('/').map_or("", |(package, _)| package);
                let path =
                    if package.is_empty() { name.into() } else { format!("{package}/{name}") };
                *file == path || file.ends_with(&format!("/{path}"))
            });
            let methods = if exact.is_empty() { others } else { exact };
            if methods.is_empty() {
                found.unmatched.push(file.clone());
            }
            found.methods.extend(methods.iter().map(|method| method.signature()));
        }
        found.methods.sort_unstable();
        found.methods.dedup();
        found
    })
}
