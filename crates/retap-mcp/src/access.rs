//! The files and folders that an assistant may name.

use retap_engine::Failure;
use std::path::{Path, PathBuf};

/// What was named at the start: APKs, and folders with APKs, runs and traces in them.
#[derive(Debug, Clone, Default)]
pub struct Access {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Access {
    /// Allows these files and folders.
    ///
    /// # Errors
    /// Fails if one of them does not exist.
    pub fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut access = Self::default();
        for path in paths {
            let real = path
                .canonicalize()
                .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
            if real.is_dir() { access.folders.push(real) } else { access.files.push(real) }
        }
        Ok(access)
    }

    /// Allows a folder of retap's own as well.
    pub fn allow_folder(&mut self, folder: &Path) {
        self.folders.extend(folder.canonicalize());
    }

    /// Returns the file that a name stands for, with every link followed, if it may be reached. A name without a folder is
    /// looked for among what was named.
    pub fn check(&self, name: &str) -> Result<PathBuf, Failure> {
        let refuse = |why: &str| Failure::input(format!("{name}: {why}. {}", self.describe()));
        if name.is_empty() {
            return Err(refuse("a file must be named"));
        }
        let path = Path::new(name);
        let by_name = self.files.iter().find(|file| file.file_name().is_some_and(|it| it == name));
        let inside = self.folders.iter().map(|folder| folder.join(path)).find(|file| file.exists());
        let named = by_name.cloned().or(inside).unwrap_or_else(|| path.to_path_buf());
        let real = named.canonicalize().map_err(|_| refuse("there is no such file"))?;
        let is_allowed = self.files.contains(&real)
            || self.folders.iter().any(|folder| real.starts_with(folder));
        if is_allowed {
            Ok(real)
        } else {
            Err(refuse("it was not named when retap mcp was started"))
        }
    }

    /// Returns the only APK that was named, if there is exactly one.
    pub fn only_app(&self) -> Option<&Path> {
        match (self.files.as_slice(), self.folders.as_slice()) {
            ([file], _) => Some(file),
            _ => None,
        }
    }

    /// Says what may be reached.
    pub fn describe(&self) -> String {
        let list = |paths: &[PathBuf]| {
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        match (self.files.is_empty(), self.folders.is_empty()) {
            (true, true) => "Nothing was named at the start: retap mcp APK…".into(),
            (false, true) => format!("Within reach: {}", list(&self.files)),
            (true, false) => format!("Within reach: everything in {}", list(&self.folders)),
            (false, false) => {
                format!(
                    "Within reach: {}, and everything in {}",
                    list(&self.files),
                    list(&self.folders)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_was_named_is_reached_and_no_link_leads_out() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("in")).unwrap();
        for name in ["app.apk", "secret.txt", "in/run.json"] {
            fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink(at("secret.txt"), at("in/link")).unwrap();
        let access = Access::new(&[at("app.apk"), at("in")]).unwrap();
        for name in ["app.apk", "run.json"] {
            assert!(access.check(name).is_ok(), "{name}");
        }
        assert!(access.check(&at("app.apk").display().to_string()).is_ok());
        for name in ["secret.txt", "../secret.txt", "link", "/etc/passwd", ""] {
            let error = access.check(name).unwrap_err().to_string();
            assert!(error.contains("Within reach"), "{name}: {error}");
        }
        assert_eq!(access.only_app().unwrap(), at("app.apk").canonicalize().unwrap());
        assert!(Access::new(&[at("nothing")]).is_err());
    }
}
