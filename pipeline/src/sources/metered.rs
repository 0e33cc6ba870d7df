//! A reader of foreign bytes that stops at a limit and remembers why it stopped.

use std::io::{self, Read};

/// Bytes by which kinds of files are told.
const HEAD: usize = 8;

/// Passes on at most so many bytes of `inner`.
pub(super) struct Metered<'a> {
    inner: &'a mut dyn Read,
    left: u64,
    /// Bytes passed on.
    pub(super) passed: u64,
    /// The first of them.
    pub(super) head: Vec<u8>,
    /// Whether there were more than allowed.
    pub(super) over: bool,
    /// What `inner` failed with. The error passed on is another one, so that whoever reads cannot
    /// take it for a failure of its own.
    pub(super) failure: Option<io::Error>,
}

impl<'a> Metered<'a> {
    pub(super) fn new(inner: &'a mut dyn Read, left: u64) -> Self {
        Metered {
            inner,
            left,
            passed: 0,
            head: Vec::new(),
            over: false,
            failure: None,
        }
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = match self.inner.read(buffer) {
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failure = Some(error);
                return Err(io::Error::new(kind, "the archive cannot be read"));
            }
        };
        let missing = HEAD.saturating_sub(self.head.len()).min(n);
        self.head.extend_from_slice(&buffer[..missing]);
        self.passed += n as u64;
        if n as u64 > self.left {
            self.over = true;
            return Err(io::Error::other("the archive holds too much"));
        }
        self.left -= n as u64;
        Ok(n)
    }
}
