//! Section 6: sizes, of public keys, ciphertexts and signatures from the curated catalog where it
//! states them, of all else from the API.

use crate::evidence::{ApiSizes, InstanceEvidence};
use crate::format::{MISSING, or_missing};
use crate::model::{KemSizeRow, KexSizeRow, SigSizeRow, SizeTable, Table};
use artifacts::words::Kind;

/// The table of these instances.
pub fn table(kind: Kind, instances: &[&InstanceEvidence]) -> SizeTable {
    let bytes = |n: Option<u64>| or_missing(n, |n| n.to_string());
    let declared: Vec<(&InstanceEvidence, ApiSizes)> = instances
        .iter()
        .filter_map(|instance| Some((*instance, instance.api_sizes()?)))
        .collect();
    match kind {
        Kind::Sig => SizeTable::Sig(Table::new(
            declared
                .into_iter()
                .map(|(instance, api)| SigSizeRow {
                    instance: instance.label.clone(),
                    public_key: bytes(instance.curated.public_key.or(api.public_key)),
                    secret_key: bytes(api.secret_key),
                    signature: bytes(instance.curated.signature.or(api.signature)),
                })
                .collect(),
        )),
        Kind::Kex => SizeTable::Kex(Table::new(
            declared
                .into_iter()
                .map(|(instance, api)| {
                    let keys = public_keys(instance, &api);
                    let messages: Vec<String> = api.messages.iter().map(u64::to_string).collect();
                    KexSizeRow {
                        instance: instance.label.clone(),
                        passes: bytes(api.passes),
                        messages: if messages.is_empty() {
                            MISSING.to_owned()
                        } else {
                            messages.join(" / ")
                        },
                        protocol: bytes(api.protocol),
                        public_keys: bytes(keys),
                        bandwidth: bytes(bandwidth(instance, &api)),
                        secret_key: bytes(api.secret_key),
                        shared_secret: bytes(api.shared_secret),
                    }
                })
                .collect(),
        )),
        // hashes have no such section
        Kind::Kem | Kind::Hash => SizeTable::Kem(Table::new(
            declared
                .into_iter()
                .map(|(instance, api)| KemSizeRow {
                    instance: instance.label.clone(),
                    public_key: bytes(instance.curated.public_key.or(api.public_key)),
                    secret_key: bytes(api.secret_key),
                    ciphertext: bytes(instance.curated.ciphertext.or(api.ciphertext)),
                    shared_secret: bytes(api.shared_secret),
                })
                .collect(),
        )),
    }
}

/// Both parties' public keys of a key exchange, in bytes.
pub fn public_keys(instance: &InstanceEvidence, api: &ApiSizes) -> Option<u64> {
    Some(2 * instance.curated.public_key.or(api.public_key)?)
}

/// Messages and public keys of a key exchange, in bytes.
pub fn bandwidth(instance: &InstanceEvidence, api: &ApiSizes) -> Option<u64> {
    Some(api.protocol? + public_keys(instance, api)?)
}
