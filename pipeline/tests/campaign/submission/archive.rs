//! A folder as a zip archive.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use walkdir::WalkDir;

/// Deflated, names as they are, in order.
pub fn zip(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let name = entry.path().strip_prefix(folder).unwrap().as_os_str();
        let (mut written, config) = archive
            .new_file(rawzip::path::EntryPath::verbatim(name.as_bytes().to_vec()))
            .unix_permissions(0o100_644)
            .compression_method(rawzip::CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let level = flate2::Compression::default();
        let mut data = config.wrap(flate2::write::DeflateEncoder::new(&mut written, level));
        data.write_all(&std::fs::read(entry.path()).unwrap())
            .unwrap();
        let (encoder, descriptor) = data.finish().unwrap();
        encoder.finish().unwrap();
        written.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}
