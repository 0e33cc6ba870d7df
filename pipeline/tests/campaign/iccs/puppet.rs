//! A submission compiled without helpers of its own: it asks this program; see the fixture `puppet.c`.

use super::helpers::{Drng, pseudo_xof, pseudohash, sm3hash};
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Puppet {
    program: PathBuf,
    kem: bool,
}

/// What a record of a KAT is made of, and how often each helper was asked for it.
pub struct Record {
    /// Public key, secret key, ciphertext and shared secret; or the keys and the signature.
    pub values: Vec<Vec<u8>>,
    pub asked: BTreeMap<char, u64>,
}

impl Puppet {
    /// Compiles the sources in `folder` but for helpers, as lax as any compiler is by default.
    pub fn compile(folder: &Path, kem: bool, headers: &Path, puppet: &Path) -> Self {
        let program = folder.with_extension("puppet");
        let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "c"))
            .filter(|path| {
                let name = path.file_name().unwrap().to_str().unwrap();
                let left_out = ["KAT_", "test", "cpucycles", "auxfunc.c", "drng.c"];
                !left_out.iter().any(|beginning| name.starts_with(beginning))
            })
            .collect();
        sources.sort();
        let output = Command::new("cc")
            .arg(if kem { "-DPUPPET_KEM" } else { "-DPUPPET_SIG" })
            .args(["-std=gnu11", "-O1", "-w", "-I"])
            .arg(folder)
            .arg("-I")
            .arg(headers)
            .arg(puppet)
            .args(sources)
            .arg("-o")
            .arg(&program)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        Puppet { program, kem }
    }

    /// Runs one record with a generator of this seed.
    pub fn record(&self, seed: &[u8], message: &[u8]) -> Record {
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut answers = child.stdin.take().unwrap();
        let mut asks = BufReader::new(child.stdout.take().unwrap());
        if !self.kem {
            let length = u64::try_from(message.len()).unwrap();
            answers.write_all(&length.to_be_bytes()).unwrap();
            answers.write_all(message).unwrap();
        }
        let mut drng = Drng::new(seed);
        let mut record = Record {
            values: Vec::new(),
            asked: BTreeMap::new(),
        };
        loop {
            let mut head = [0; 17];
            if asks.read(&mut head[..1]).unwrap() == 0 {
                break;
            }
            asks.read_exact(&mut head[1..]).unwrap();
            let number = |at: usize| u64::from_be_bytes(head[at..at + 8].try_into().unwrap());
            let (bits, length) = (number(1), number(9));
            let mut input = vec![0; usize::try_from(length).unwrap()];
            asks.read_exact(&mut input).unwrap();
            let answer = match head[0] {
                b's' => sm3hash(&[&input]).to_vec(),
                b'h' => pseudohash(bits, &input),
                b'x' => pseudo_xof(usize::try_from(bits / 8).unwrap(), &input),
                b'r' => drng.draw(bits),
                _ => {
                    record.values.push(input);
                    continue;
                }
            };
            *record.asked.entry(char::from(head[0])).or_default() += 1;
            answers.write_all(&answer).unwrap();
        }
        let status = child.wait().unwrap();
        assert!(status.success(), "{}: {status}", self.program.display());
        record
    }
}
