//! How much one import may be.

/// Limits of one import, nested archives and copies made of links included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes unpacked.
    pub total_bytes: u64,
    /// Bytes unpacked for each byte of the archive, beyond [`Limits::ratio_free_bytes`].
    pub ratio: u64,
    /// Bytes for which the ratio is not looked at: texts of zeros are small when packed.
    pub ratio_free_bytes: u64,
    /// Entries, folders and links included.
    pub entries: u64,
    /// Bytes of all names together, which are held in memory.
    pub name_bytes: u64,
    /// Archives within archives.
    pub nesting: u32,
}

impl Default for Limits {
    /// Wide enough for every submission known: 20 MB keys make KAT files of hundreds of megabytes.
    fn default() -> Self {
        Limits {
            total_bytes: 4 << 30,
            ratio: 100,
            ratio_free_bytes: 256 << 20,
            entries: 100_000,
            name_bytes: 16 << 20,
            nesting: 3,
        }
    }
}

impl Limits {
    /// Bytes that an archive of this size may unpack to.
    pub(super) fn bytes_for(&self, archive_bytes: u64) -> u64 {
        let by_ratio = archive_bytes
            .saturating_mul(self.ratio)
            .max(self.ratio_free_bytes);
        self.total_bytes.min(by_ratio)
    }
}
