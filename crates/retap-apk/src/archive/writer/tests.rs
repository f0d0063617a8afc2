use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Seek;

type Content = BTreeMap<String, (Vec<u8>, bool)>;

fn packing(deflated: bool) -> Packing {
    if deflated { Packing::Deflated } else { Packing::Stored }
}

fn write(content: &Content) -> Archive {
    let mut writer = ArchiveWriter::new(tempfile::tempfile().unwrap());
    for (name, (bytes, deflated)) in content {
        writer.add(name, bytes, packing(*deflated)).unwrap();
    }
    open(writer.finish().unwrap())
}

fn open(mut file: File) -> Archive {
    file.rewind().unwrap();
    Archive::from_file("written.apk".into(), file).unwrap()
}

/// Checks that an archive has this content, aligned.
fn check(archive: &Archive, content: &Content) {
    let names: Vec<&str> = archive.entries().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, content.keys().collect::<Vec<_>>());
    for (name, (bytes, _)) in content {
        let entry = archive.entry(name).unwrap();
        assert_eq!(&archive.read(entry, u64::MAX).unwrap(), bytes, "{name}");
        if entry.method == STORED {
            let page = name.starts_with("lib/") && name.ends_with(".so");
            let start = archive.data_start(entry).unwrap();
            assert_eq!(start % if page { 16_384 } else { 4 }, 0, "{name} begins at {start}");
        }
    }
}

fn contents() -> impl Strategy<Value = Content> {
    let names = prop_oneof!["[a-z]{1,9}", "lib/arm/[a-z]{1,9}\\.so", "res/[a-zé]{1,30}"];
    let entry = (prop::collection::vec(any::<u8>(), 0..300), any::<bool>());
    prop::collection::btree_map(names, entry, 0..12)
}

proptest! {
    #[test]
    fn what_was_written_is_read_and_lies_where_a_phone_wants_it(content in contents()) {
        check(&write(&content), &content);
    }

    #[test]
    fn a_copy_has_the_packed_bytes_of_its_source(content in contents()) {
        let source = write(&content);
        let mut writer = ArchiveWriter::new(tempfile::tempfile().unwrap());
        for entry in source.entries() {
            writer.copy(&source, entry, &entry.name).unwrap();
        }
        let copy = open(writer.finish().unwrap());
        check(&copy, &content);
        for entry in source.entries() {
            let read = |archive: &Archive, entry: &ArchiveEntry| {
                let mut bytes = Vec::new();
                archive.packed(entry).unwrap().0.read_to_end(&mut bytes).unwrap();
                (bytes, entry.method)
            };
            prop_assert_eq!(read(&source, entry), read(&copy, copy.entry(&entry.name).unwrap()));
        }
    }
}

#[test]
fn another_reader_finds_the_same_entries() {
    let content: Content = [("a", &b"one"[..], false), ("grüße", &[7; 999], true)]
        .map(|(name, bytes, deflated)| (name.to_owned(), (bytes.to_vec(), deflated)))
        .into();
    let mut writer = ArchiveWriter::new(tempfile::tempfile().unwrap());
    for (name, (bytes, deflated)) in &content {
        writer.add(name, bytes, packing(*deflated)).unwrap();
    }
    let mut file = writer.finish().unwrap();
    file.rewind().unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    for (name, (bytes, _)) in &content {
        let mut read = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(&read, bytes);
    }
}

#[test]
fn an_archive_beyond_what_android_reads_is_refused() {
    let mut writer = ArchiveWriter::new(std::io::sink());
    writer.at = u64::from(u32::MAX) + 1;
    assert_eq!(writer.add("a", b"", Packing::Stored).unwrap_err().kind(), ErrorKind::FileTooLarge);
    let mut writer = ArchiveWriter::new(std::io::sink());
    for index in 0..=u32::from(u16::MAX) {
        writer.add(&index.to_string(), b"", Packing::Stored).unwrap();
    }
    assert!(writer.finish().is_err());
}
