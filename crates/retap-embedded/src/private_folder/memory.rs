//! The machine's folder for files in memory.

use std::path::PathBuf;

/// Returns the machine's folder for files in memory, if it has one that suits an agent.
#[cfg(target_os = "linux")]
pub fn find_folder() -> Option<PathBuf> {
    /// The number by which Linux names the file system that lies in memory.
    const TMPFS: rustix::fs::FsWord = 0x0102_1994;
    let folder = PathBuf::from("/dev/shm");
    let kind = rustix::fs::statfs(&folder).ok()?.f_type;
    let facts = rustix::fs::statvfs(&folder).ok()?;
    let is_writable = rustix::fs::access(&folder, rustix::fs::Access::WRITE_OK).is_ok();
    let suits = kind == TMPFS && is_writable && has_room(&facts);
    suits.then_some(folder)
}

/// Returns true if an app can fill its disk, and the JVM can load the library that lies beside it.
#[cfg(target_os = "linux")]
fn has_room(facts: &rustix::fs::StatVfs) -> bool {
    use rustix::fs::StatVfsMountFlags;
    /// Twice what an app may write, so that the end of the room is the app's limit and not the machine's.
    const ROOM: u64 = 1 << 30;
    facts.f_bavail.saturating_mul(facts.f_frsize) >= ROOM
        && !facts.f_flag.contains(StatVfsMountFlags::NOEXEC)
}

#[cfg(not(target_os = "linux"))]
pub fn find_folder() -> Option<PathBuf> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::fs::StatVfsMountFlags;

    #[test]
    fn a_folder_in_memory_needs_room_and_libraries_that_can_be_loaded() {
        let mut facts = rustix::fs::statvfs("/").unwrap();
        facts.f_frsize = 4096;
        facts.f_bavail = 1 << 20;
        facts.f_flag = StatVfsMountFlags::NOSUID;
        assert!(has_room(&facts));
        facts.f_bavail = 1 << 10;
        assert!(!has_room(&facts));
        facts.f_bavail = 1 << 20;
        facts.f_flag = StatVfsMountFlags::NOEXEC;
        assert!(!has_room(&facts));
    }
}
