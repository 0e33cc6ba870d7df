//! sm3hash, pseudohash, pseudoXOF and the DRNG.

use hmac::{Hmac, Mac};
use sm3::{Digest, Sm3};

type Block = [u8; 32];

/// SM3 of the parts one after the other.
pub fn sm3hash(parts: &[&[u8]]) -> Block {
    let mut hasher = Sm3::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn mac(parts: &[&[u8]]) -> Block {
    let halves = [&b"3.14159265358979"[..], b"2.71828182845904"].map(|text| sm3hash(&[text]));
    let mut mac = Hmac::<Sm3>::new_from_slice(&halves.concat()).unwrap();
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Of 512, 768 or 1024 bits.
pub fn pseudohash(bits: u64, m: &[u8]) -> Vec<u8> {
    let t = match bits {
        512 => [0x02, 0x00],
        768 => [0x03, 0x00],
        1024 => [0x04, 0x00],
        _ => panic!("no pseudohash of {bits} bits"),
    };
    let k1 = mac(&[&t, m]);
    let h1 = sm3hash(&[m, &t]);
    let h2 = sm3hash(&[&k1, &h1]);
    let k2 = mac(&[&h1]);
    let h3 = sm3hash(&[&h2, &k2]);
    let k3 = mac(&[&h2]);
    let k4 = mac(&[&h3]);
    let h4 = sm3hash(&[&k3, &h3, &k4]);
    let all = [h1, h2, h3, h4].concat();
    all[..usize::try_from(bits / 8).unwrap()].to_vec()
}

/// The first `bytes` of SM3 in counter mode.
pub fn pseudo_xof(bytes: usize, m: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for c in 1_u32.. {
        if out.len() >= bytes {
            break;
        }
        out.extend(sm3hash(&[m, &c.to_be_bytes()]));
    }
    out.truncate(bytes);
    out
}

/// A number of 440 bits, big-endian.
type Seedlen = [u8; 55];

/// Hash_DRBG on SM3.
#[derive(Debug, Clone)]
pub struct Drng {
    v: Seedlen,
    c: Seedlen,
    counter: u64,
}

fn df(x: &[u8]) -> Seedlen {
    let part = |number: u8| sm3hash(&[&[number, 0x00, 0x00, 0x01, 0xb8], x]);
    [part(1), part(2)].concat()[..55].try_into().unwrap()
}

/// The sum modulo 2^440.
fn sum(a: Seedlen, b: &[u8]) -> Seedlen {
    let mut sum = a;
    let mut carry = 0;
    for (place, digit) in sum.iter_mut().rev().enumerate() {
        let other = place.checked_add(1).and_then(|n| b.len().checked_sub(n));
        carry += u16::from(*digit) + other.map_or(0, |at| u16::from(b[at]));
        *digit = carry.to_le_bytes()[0];
        carry >>= 8;
    }
    sum
}

impl Drng {
    pub fn new(seed: &[u8]) -> Self {
        let v = df(seed);
        let c = df(&[&[0x00][..], &v].concat());
        Drng { v, c, counter: 1 }
    }

    /// One seeded with this word repeated up to 64 bytes.
    pub fn of_word(word: &str) -> Self {
        let seed: Vec<u8> = word.bytes().cycle().take(64).collect();
        Self::new(&seed)
    }

    /// A draw; unused low bits of the last byte are 0.
    pub fn draw(&mut self, bits: u64) -> Vec<u8> {
        let bytes = usize::try_from(bits.div_ceil(8)).unwrap();
        let mut out = Vec::new();
        let mut data = self.v;
        while out.len() < bytes {
            out.extend(sm3hash(&[&data]));
            data = sum(data, &[1]);
        }
        out.truncate(bytes);
        if let (Some(last), 1..) = (out.last_mut(), bits % 8) {
            *last &= 0xff << (8 - bits % 8);
        }
        let h = sm3hash(&[&[0x03], &self.v]);
        self.v = sum(sum(sum(self.v, &h), &self.c), &self.counter.to_be_bytes());
        self.counter += 1;
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::path::Path;

    fn hex(value: &Value) -> Vec<u8> {
        let digits = value.as_str().unwrap();
        (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
            .collect()
    }

    #[test]
    fn the_second_model_gives_the_published_vectors() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors/iccs.json");
        let Ok(text) = std::fs::read_to_string(&file) else {
            println!("skipped: no {}", file.display());
            return;
        };
        let vectors: Value = serde_json::from_str(&text).unwrap();
        let mut checked = 0;
        for vector in vectors["helpers"].as_array().unwrap() {
            let (in_bits, out_bits) = (
                vector["in_bits"].as_u64().unwrap(),
                vector["out_bits"].as_u64().unwrap(),
            );
            if in_bits % 8 != 0 || out_bits % 8 != 0 {
                continue;
            }
            let input = hex(&vector["in_hex"]);
            let out = match vector["fn"].as_str().unwrap() {
                "sm3hash" => sm3hash(&[&input]).to_vec(),
                "pseudohash" => pseudohash(out_bits, &input),
                _ => pseudo_xof(usize::try_from(out_bits / 8).unwrap(), &input),
            };
            assert_eq!(out, hex(&vector["out_hex"]), "{vector}");
            checked += 1;
        }
        assert!(checked > 10);
        for vector in vectors["drng"].as_array().unwrap() {
            let mut drng = Drng::new(&hex(&vector["seed_hex"]));
            for draw in vector["draws"].as_array().unwrap() {
                let out = drng.draw(draw["bits"].as_u64().unwrap());
                assert_eq!(out, hex(&draw["out_hex"]), "{draw}");
            }
        }
    }
}
