//! Output kept up to a cap: the first part and the last part.

use std::collections::VecDeque;

/// What was written to a descriptor. Bytes between `head` and `tail` are lost when there were more
/// than both hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    head_cap: usize,
    tail_cap: usize,
}

impl Captured {
    /// Keeps the first `head_cap` and the last `tail_cap` bytes.
    pub fn new(head_cap: usize, tail_cap: usize) -> Self {
        Captured {
            head_cap,
            tail_cap,
            ..Captured::default()
        }
    }

    /// Takes more output.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.head_cap - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.tail_cap)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.tail_cap);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// How many bytes were written, kept or not.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many bytes are lost.
    pub fn lost(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// What is kept; where bytes are lost, a line says how many.
    pub fn bytes(&self) -> Vec<u8> {
        let mut all = self.head.clone();
        if self.lost() > 0 {
            all.extend(format!("\n[... {} bytes left out ...]\n", self.lost()).into_bytes());
        }
        all.extend(&self.tail);
        all
    }

    /// The first part only.
    pub fn into_head(self) -> Vec<u8> {
        self.head
    }

    /// [`Self::bytes`] as text; what is not UTF-8 becomes U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_all_that_fits() {
        let mut captured = Captured::new(4, 4);
        captured.push(b"abc");
        captured.push(b"defgh");
        assert_eq!((captured.text().as_str(), captured.lost()), ("abcdefgh", 0));
    }

    #[test]
    fn keeps_both_ends_of_what_does_not_fit() {
        let mut captured = Captured::new(2, 3);
        for chunk in [&b"a"[..], b"bcd", b"efghijklm", b"n"] {
            captured.push(chunk);
        }
        assert_eq!(captured.text(), "ab\n[... 9 bytes left out ...]\nlmn");
        assert_eq!((captured.total(), captured.lost()), (14, 9));
    }

    #[test]
    fn without_a_tail_keeps_the_head() {
        let mut captured = Captured::new(2, 0);
        captured.push(b"abcd");
        assert_eq!((captured.total(), captured.lost()), (4, 2));
    }
}
