//! KAT texts.

use super::helpers::{Drng, pseudohash};
use super::puppet::Puppet;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const RECORDS: usize = 10;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn field(text: &mut String, name: &str, value: &[u8]) {
    let _ = write!(
        text,
        "{name}_Len = {}\n{name} = {}\n",
        value.len(),
        hex(value)
    );
}

/// The text of a KEM.
pub fn kem(puppet: &Puppet) -> String {
    let mut seeds = Drng::of_word("seed");
    let mut text = String::new();
    for count in 0..RECORDS {
        let seed = seeds.draw(512);
        let record = puppet.record(&seed, &[]);
        let _ = writeln!(text, "Count = {count}");
        field(&mut text, "Seed", &seed);
        for (name, value) in ["PK", "SK", "CT", "SS"].iter().zip(&record.values) {
            field(&mut text, name, value);
        }
        text.push('\n');
    }
    text
}

/// The text of a signature.
pub fn sig(puppet: &Puppet) -> String {
    let (mut seeds, mut messages) = (Drng::of_word("seed"), Drng::of_word("msg"));
    let mut text = String::new();
    for count in 0..RECORDS {
        let seed = seeds.draw(512);
        let message = messages.draw(8 * (56 + 8 * count as u64));
        let record = puppet.record(&seed, &message);
        let [pk, sk, signature] = record.values.try_into().unwrap();
        let _ = writeln!(text, "Count = {count}");
        field(&mut text, "Seed", &seed);
        field(&mut text, "PK", &pk);
        field(&mut text, "SK", &sk);
        field(&mut text, "M", &message);
        field(&mut text, "Sn", &signature);
        text.push('\n');
    }
    text
}

/// The fixture `CryptHash`, of 512 bits.
fn crypt_hash(message: &[u8], bits: u64) -> Vec<u8> {
    let mut padded = message.to_vec();
    match bits % 8 {
        0 => padded.push(0x80),
        rest => *padded.last_mut().unwrap() |= 0x80 >> rest,
    }
    padded.extend(bits.to_be_bytes());
    pseudohash(512, &padded)
}

fn digest(text: &mut String, message: &[u8], bits: u64) {
    let digest = crypt_hash(message, bits);
    let _ = write!(
        text,
        "Dst_Len = {}\nDst = {}\n\n",
        8 * digest.len(),
        hex(&digest)
    );
}

/// The text of every length up to 4096 bits.
pub fn every_length() -> String {
    let mut messages = Drng::of_word("KAT_2_12");
    let mut text = String::new();
    for bits in 0..=4096 {
        let message = messages.draw(bits);
        let _ = write!(text, "Msg_Len = {bits}\nMsg = {}\n", hex(&message));
        digest(&mut text, &message, bits);
    }
    text
}

/// The text of three messages of 2^23 bits.
pub fn three_messages() -> String {
    let bits: u64 = 1 << 23;
    let bytes = usize::try_from(bits / 8).unwrap();
    let seed = Drng::of_word("KAT_2_23").draw(512);
    let random = Drng::new(&seed).draw(bits);
    let mut text = String::new();
    for (seed, message) in [
        (&[][..], vec![0x00; bytes]),
        (&[], vec![0xff; bytes]),
        (&seed, random),
    ] {
        let (first, last) = (hex(&message[..8]), hex(&message[bytes - 8..]));
        let _ = write!(
            text,
            "Msg_Len = {bits}\nMsg_Seed = {}\nMsg_Exp = {first} .... {last}\n",
            hex(seed)
        );
        digest(&mut text, &message, bits);
    }
    text
}

/// The digest of a manifest in mode `strict`.
pub fn canonical_sha256(text: &str) -> String {
    let canonical: String = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .map(|line| format!("{line}\n"))
        .collect();
    hex(&Sha256::digest(canonical)).to_lowercase()
}
