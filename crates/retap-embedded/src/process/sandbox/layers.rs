//! The layers of the sandbox. Each holds most attempts by itself, so that a hole in one is no escape.

/// Layers that are in use. Only tests leave one out, to show that the others hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxLayers {
    /// A view of the files, processes, network and names of a machine that has only this process.
    pub namespaces: bool,
    pub landlock: bool,
    pub seccomp: bool,
}

impl Default for SandboxLayers {
    fn default() -> Self {
        Self { namespaces: true, landlock: true, seccomp: true }
    }
}
