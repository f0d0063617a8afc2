//! A whole APK with damaged content is compared and modelled, or refused: no panic, and bounded memory and time.
//!
//! `RETAP_FUZZ=10000 cargo test -p retap-static --test mutation -- --nocapture` damages more of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a long run tells what it did")]
#![expect(clippy::disallowed_methods, reason = "a test reads files, and measures")]

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retap_apk::Apk;
use retap_static::{AppDiff, AppModel, DiffOptions};
use zip::write::SimpleFileOptions;

/// The number of APKs of a normal test.
const EXECUTIONS: u64 = 300;
/// The fixtures take milliseconds. A reader that trusts a count of four billion takes hours.
const MAX_TIME: Duration = Duration::from_secs(60);
#[cfg(target_os = "linux")]
const MAX_MEMORY_KB: u64 = 768 << 10;

type Entries = Vec<(String, Vec<u8>)>;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// Returns the entries of an APK that are read for a comparison or a model.
fn entries(path: &Path) -> Entries {
    let mut zip = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        let is_read = [".xml", ".dex", ".arsc"].iter().any(|end| name.ends_with(end));
        if is_read {
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            entries.push((name, content));
        }
    }
    entries
}

fn archive(entries: &Entries) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Numbers that depend on nothing but the one they begin with (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Changes one to eight places of one or two entries: a byte, a number, a copy of other bytes, rarely the length.
fn damage(original: &Entries, numbers: &mut Numbers) -> Entries {
    const EDGES: [u32; 6] = [0, 1, 0x7fff_ffff, 0xffff_ffff, 0xffff, 0x7f02_0001];
    let mut damaged = original.clone();
    for _ in 0..1 + numbers.below(2) {
        // The dex file, the table and the manifest hold most of what is read.
        let large = damaged.iter().position(|it| it.0.ends_with(".dex")).unwrap();
        let place = if numbers.below(2) == 0 { large } else { numbers.below(damaged.len()) };
        let content = &mut damaged[place].1;
        for _ in 0..1 + numbers.below(8) {
            if content.len() < 8 {
                break;
            }
            let at = numbers.below(content.len() / 4) * 4;
            match numbers.below(33) {
                0..=11 => {
                    let at = numbers.below(content.len());
                    content[at] = numbers.next() as u8;
                }
                12..=19 => {
                    let edge = EDGES[numbers.below(EDGES.len())];
                    content[at..at + 4].copy_from_slice(&edge.to_le_bytes());
                }
                20..=25 => {
                    let small = numbers.below(5_000) as u32;
                    content[at..at + 4].copy_from_slice(&small.to_le_bytes());
                }
                26..=31 => {
                    let from = numbers.below(content.len() / 4) * 4;
                    let copied: [u8; 4] = content[from..from + 4].try_into().unwrap();
                    content[at..at + 4].copy_from_slice(&copied);
                }
                _ => content.truncate(at),
            }
        }
    }
    damaged
}

#[test]
fn a_damaged_apk_is_compared_and_modelled_or_refused() {
    let wanted = std::env::var("RETAP_FUZZ").ok().and_then(|it| it.parse().ok());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.apk");
    let mut numbers = Numbers(20);
    let (mut read, mut slowest) = (0, Duration::ZERO);
    let samples: Vec<(Apk, Entries)> = ["notes.apk", "files.apk", "shop-2.apk"]
        .map(|name| (Apk::open(fixture(name)).unwrap(), entries(&fixture(name))))
        .into();
    let executions = wanted.unwrap_or(EXECUTIONS);
    for number in 0..executions {
        let (original, content) = &samples[number as usize % samples.len()];
        fs::write(&path, archive(&damage(content, &mut numbers))).unwrap();
        let start = Instant::now();
        if let Ok(apk) = Apk::open(&path) {
            let page = AppDiff::compare_with(original, &apk, DiffOptions { listings: true })
                .map(|diff| diff.page());
            let model = AppModel::read(&apk).map(|model| model.svg());
            read += u64::from(page.is_ok() && model.is_ok());
        }
        let time = start.elapsed();
        assert!(time < MAX_TIME, "number {number} took {time:.1?}");
        slowest = slowest.max(time);
    }
    check_memory();
    eprintln!("{executions} damaged APKs, {read} read whole, the slowest in {slowest:.1?}");
    assert!(read > executions / 20, "damage must leave most readers something to read");
}

#[cfg(target_os = "linux")]
fn check_memory() {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < MAX_MEMORY_KB, "peak memory {peak} kB");
    eprintln!("peak memory {} MB", peak / 1024);
}

#[cfg(not(target_os = "linux"))]
fn check_memory() {}
