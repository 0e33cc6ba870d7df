//! Links become copies of what they point to. Nothing here looks at a disk: links are resolved among
//! the entries of the archive.
//!
//! A link to a folder becomes a copy of every file below it, those behind further links included. A
//! link that leads back to itself or to a folder it lies in is refused.

use super::error::SourceError;
use artifacts::ArtifactId;
use artifacts::tree::TreePath;
use std::collections::BTreeMap;

/// Where a link points to; `None`: the top folder.
pub(super) type Link = Option<TreePath>;

/// Links followed on the way to one file, as the kernel allows.
const MAX_HOPS: u32 = 40;

/// What became of the links.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// Files to be added.
    pub(super) copies: BTreeMap<TreePath, ArtifactId>,
    /// Links to nothing.
    pub(super) dangling: Vec<TreePath>,
}

/// Resolves all links with at most `budget` steps. `Err(None)`: more would be needed.
pub(super) fn resolve(
    files: &BTreeMap<TreePath, ArtifactId>,
    links: &BTreeMap<TreePath, Link>,
    budget: u64,
) -> Result<Resolved, Option<SourceError>> {
    let mut resolver = Resolver {
        files,
        links,
        budget,
        resolved: Resolved::default(),
    };
    for link in links.keys() {
        if !resolver.expand(link, link, 0)? {
            resolver.resolved.dangling.push(link.clone());
        }
    }
    Ok(resolver.resolved)
}

struct Resolver<'a> {
    files: &'a BTreeMap<TreePath, ArtifactId>,
    links: &'a BTreeMap<TreePath, Link>,
    budget: u64,
    resolved: Resolved,
}

impl Resolver<'_> {
    /// Puts what `link` points to at `at`. `false`: there is nothing.
    fn expand(
        &mut self,
        link: &TreePath,
        at: &TreePath,
        depth: u32,
    ) -> Result<bool, Option<SourceError>> {
        self.spend()?;
        let looped = || Some(SourceError::LinkLoop(link.clone()));
        if depth > MAX_HOPS {
            return Err(looped());
        }
        let target = self.follow(link)?;
        if let Some(id) = self.files.get(&target) {
            self.resolved.copies.insert(at.clone(), *id);
            return Ok(true);
        }
        if link.is_under(&target) || at.is_under(&target) {
            return Err(looped());
        }
        let (files, links) = (below(self.files, &target), below(self.links, &target));
        let found = !files.is_empty() || !links.is_empty();
        for file in files {
            self.spend()?;
            let copy = moved(file, &target, at)?;
            self.resolved.copies.insert(copy, self.files[file]);
        }
        for inner in links {
            let copy = moved(inner, &target, at)?;
            self.expand(inner, &copy, depth + 1)?;
        }
        Ok(found)
    }

    /// The path behind a link, with every link on the way replaced.
    fn follow(&self, link: &TreePath) -> Result<TreePath, Option<SourceError>> {
        let looped = || Some(SourceError::LinkLoop(link.clone()));
        let mut path = link.clone();
        for _ in 0..MAX_HOPS {
            let Some((from, to)) = self.first_link(&path) else {
                return Ok(path);
            };
            // The top folder holds every link.
            let to = to.as_ref().ok_or_else(looped)?;
            path = moved(&path, &from, to)?;
        }
        Err(looped())
    }

    /// The shortest beginning of a path that is a link.
    fn first_link(&self, path: &TreePath) -> Option<(TreePath, &Link)> {
        let mut found = None;
        let mut part = Some(path.clone());
        while let Some(beginning) = part {
            part = beginning.parent();
            if let Some(to) = self.links.get(&beginning) {
                found = Some((beginning, to));
            }
        }
        found
    }

    fn spend(&mut self) -> Result<(), Option<SourceError>> {
        self.budget = self.budget.checked_sub(1).ok_or(None)?;
        Ok(())
    }
}

/// The entries below a folder.
fn below<'m, T>(map: &'m BTreeMap<TreePath, T>, folder: &TreePath) -> Vec<&'m TreePath> {
    map.range(folder..)
        .map(|(path, _)| path)
        .take_while(|path| path.as_bytes().starts_with(folder.as_bytes()))
        .filter(|path| *path != folder && path.is_under(folder))
        .collect()
}

/// `path`, which is `from` or lies below it, seen below `to`.
fn moved(path: &TreePath, from: &TreePath, to: &TreePath) -> Result<TreePath, Option<SourceError>> {
    match path.relative_to(from) {
        Some(rest) => to.join(&rest).map_err(|e| Some(e.into())),
        None => Ok(to.clone()),
    }
}
