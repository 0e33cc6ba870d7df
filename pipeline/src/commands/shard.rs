//! `--shard K/N`: one campaign split over several cores, or over identical machines that share a
//! store.
//!
//! Shards split whole instances, so that nothing is built twice, and by their place in the catalog
//! alone, so that all shards agree whatever is done already.

use super::CommandError;
use crate::plan::Candidate;

/// `K/N` with 1 <= K <= N, as (K - 1, N).
///
/// # Errors
/// When it is none.
pub fn parse(text: Option<&str>) -> Result<(usize, usize), CommandError> {
    let Some(text) = text else { return Ok((0, 1)) };
    let parts = text.split_once('/').and_then(|(k, n)| {
        let (k, n): (usize, usize) = (k.parse().ok()?, n.parse().ok()?);
        (1 <= k && k <= n).then(|| (k - 1, n))
    });
    parts.ok_or_else(|| {
        CommandError::Usage(format!(
            "--shard {text}: expected K/N with K from 1 to N, such as 1/3"
        ))
    })
}

/// Leaves of every candidate only the instances of part K (from 0) of N. The turn moves on with each
/// candidate: instances stand from cheap to dear, and no shard should get all the dear ones.
///
/// # Errors
/// When none is left.
pub fn keep(
    candidates: &mut Vec<Candidate>,
    (shard, shards): (usize, usize),
) -> Result<(), CommandError> {
    if shards == 1 {
        return Ok(());
    }
    for (turn, candidate) in candidates.iter_mut().enumerate() {
        for (place, instance) in candidate.instances.iter_mut().enumerate() {
            instance.selected &= (turn + place) % shards == shard;
        }
    }
    candidates.retain(|candidate| candidate.selected().next().is_some());
    match candidates.is_empty() {
        true => Err(CommandError::Usage(format!(
            "--shard {}/{shards}: there are fewer instances than parts, and none is left for this \
             one",
            shard + 1
        ))),
        false => Ok(()),
    }
}
