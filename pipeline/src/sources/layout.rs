//! Where in a tree a candidate's instances are, and what of it each build may read.
//!
//! The root is the folder below which every `source_dir` of the candidate is found: the top of the
//! tree if they are there, else the only folder for which that holds. An instance's tree begins at
//! the root and holds no more than its build may read, so that neither the wrapping of an archive nor
//! a change elsewhere in it changes a key.

use super::error::SourceError;
use crate::catalog::{Candidate, Instance};
use artifacts::ArtifactId;
use artifacts::tree::{Tree, TreePath};
use artifacts::words::Kind;
use contract::parameters::Glue;
use std::collections::{BTreeMap, BTreeSet};

/// What the sources give one instance.
#[derive(Debug, Clone)]
pub struct InstanceSources<'c> {
    /// The instance.
    pub instance: &'c Instance,
    /// What its build may read, from the root on.
    pub tree: Tree,
    /// The header that defines `ALGORITHM_INSTANCE`, relative to an include folder, where there is
    /// one.
    pub header: Option<String>,
    /// Submitted KAT files by name.
    pub references: BTreeMap<String, ArtifactId>,
    /// Those that the catalog names and the tree lacks.
    pub missing_references: Vec<TreePath>,
}

/// What a candidate's tree gives each of its instances, in the catalog's order.
///
/// # Errors
/// When the tree lacks what the catalog names.
pub fn instance_sources<'c>(
    candidate: &'c Candidate,
    tree: &Tree,
) -> Result<Vec<InstanceSources<'c>>, SourceError> {
    let root = root(candidate, tree)?;
    let below_root = below(tree, root.as_ref());
    let of_instance = |instance| {
        let paths: Vec<TreePath> = named_paths(instance)
            .map(|(_, path)| path.clone())
            .collect();
        check_presence(instance, &below_root)?;
        let (references, missing_references) = references(instance, tree)?;
        Ok(InstanceSources {
            instance,
            tree: below_root.restricted_to(&paths),
            header: header(candidate, instance, &below_root)?,
            references,
            missing_references,
        })
    };
    candidate.instances.iter().map(of_instance).collect()
}

/// All that an instance's build may read, with the field that names it.
pub(super) fn named_paths(instance: &Instance) -> impl Iterator<Item = (&'static str, &TreePath)> {
    let lists = [
        ("sources", &instance.sources),
        ("extra_sources", &instance.extra_sources),
        ("include_dirs", &instance.include_dirs),
        ("trees", &instance.trees),
    ];
    let named = lists
        .into_iter()
        .flat_map(|(field, paths)| paths.iter().map(move |p| (field, p)));
    std::iter::once(("source_dir", &instance.source_dir)).chain(named)
}

/// See the module. `None`: the top of the tree.
fn root(candidate: &Candidate, tree: &Tree) -> Result<Option<TreePath>, SourceError> {
    let mut folders = BTreeSet::new();
    for file in tree.files.keys() {
        let mut folder = file.parent();
        while let Some(path) = folder {
            folder = path.parent();
            if !folders.insert(path) {
                break;
            }
        }
    }
    let mut roots: Option<BTreeSet<Option<TreePath>>> = None;
    for instance in &candidate.instances {
        let dir = &instance.source_dir;
        let holding = folders
            .iter()
            .filter_map(|folder| root_for(folder, dir))
            .collect();
        let common: BTreeSet<_> = match &roots {
            None => holding,
            Some(roots) => roots.intersection(&holding).cloned().collect(),
        };
        if common.is_empty() {
            let (candidate, missing) = (candidate.id.to_string(), dir.clone());
            return Err(SourceError::NoRoot { candidate, missing });
        }
        roots = Some(common);
    }
    let roots = roots.unwrap_or_default();
    match roots.first() {
        // The top sorts first.
        None | Some(None) => Ok(None),
        Some(root) if roots.len() == 1 => Ok(root.clone()),
        Some(_) => Err(SourceError::Roots {
            candidate: candidate.id.to_string(),
            roots: roots.into_iter().flatten().collect(),
        }),
    }
}

/// The root from which `folder` is called `dir`, if there is one.
fn root_for(folder: &TreePath, dir: &TreePath) -> Option<Option<TreePath>> {
    if folder == dir {
        return Some(None);
    }
    let root = folder
        .as_bytes()
        .strip_suffix(dir.as_bytes())?
        .strip_suffix(b"/")?;
    TreePath::new(root).ok().map(Some)
}

/// The part of the tree below a folder, as seen from there.
fn below(tree: &Tree, root: Option<&TreePath>) -> Tree {
    let Some(root) = root else {
        return tree.clone();
    };
    Tree::new(
        tree.files
            .iter()
            .filter_map(|(path, id)| Some((path.relative_to(root)?, *id)))
            .collect(),
    )
}

fn check_presence(instance: &Instance, tree: &Tree) -> Result<(), SourceError> {
    let excluded = instance.exclude.iter().map(|path| ("exclude", path));
    for (field, path) in named_paths(instance).chain(excluded) {
        if !tree.files.keys().any(|file| file.is_under(path)) {
            let label = instance.label.to_string();
            return Err(SourceError::Missing {
                label,
                field,
                path: path.clone(),
            });
        }
    }
    Ok(())
}

/// How the names of headers begin that define `ALGORITHM_INSTANCE`.
fn header_beginning(kind: Kind) -> &'static str {
    match kind {
        Kind::Kem => "KEM_",
        Kind::Sig => "SIG_",
        Kind::Hash => "CryptHash_",
        Kind::Kex => "KEX_",
    }
}

/// The header named by the catalog, else the one of the usual name, else the only one that begins
/// like it.
fn header(
    candidate: &Candidate,
    instance: &Instance,
    tree: &Tree,
) -> Result<Option<String>, SourceError> {
    if candidate.glue == Glue::Pqclean {
        return Ok(None);
    }
    let is_there = |header: &TreePath| {
        let mut folders = std::iter::once(&instance.source_dir).chain(&instance.include_dirs);
        folders.any(|dir| {
            dir.join(header)
                .is_ok_and(|path| tree.files.contains_key(&path))
        })
    };
    if let Some(header) = &instance.header {
        let text = String::from_utf8_lossy(header.as_bytes()).into_owned();
        return if is_there(header) {
            Ok(Some(text))
        } else {
            let label = instance.label.to_string();
            Err(SourceError::Missing {
                label,
                field: "header",
                path: header.clone(),
            })
        };
    }
    let beginning = header_beginning(candidate.kind);
    let usual = format!("{beginning}AlgorithmInstance.h");
    if TreePath::new(usual.as_str()).is_ok_and(|header| is_there(&header)) {
        return Ok(Some(usual));
    }
    // The name is written into C source: what needs escaping there is left alone.
    let plain = |name: &&str| !name.contains(['/', '"', '\\']) && !name.contains(char::is_control);
    let similar: Vec<String> = tree
        .files
        .keys()
        .filter_map(|file| file.relative_to(&instance.source_dir))
        .filter_map(|file| {
            let name = std::str::from_utf8(file.as_bytes()).ok().filter(plain)?;
            (name.starts_with(beginning) && name.ends_with(".h")).then(|| name.to_owned())
        })
        .collect();
    match <[String; 1]>::try_from(similar) {
        Ok([only]) => Ok(Some(only)),
        Err(_) => Ok(None),
    }
}

type References = (BTreeMap<String, ArtifactId>, Vec<TreePath>);

/// Submitted KAT files, which are looked for in the whole tree.
fn references(instance: &Instance, tree: &Tree) -> Result<References, SourceError> {
    let (mut found, mut missing) = (BTreeMap::new(), Vec::new());
    for reference in instance
        .kat
        .iter()
        .filter(|reference| reference.digest.is_none())
    {
        let file = &reference.file;
        let candidates: Vec<(&TreePath, ArtifactId)> = tree
            .files
            .iter()
            .filter(|(path, _)| root_for(path, file).is_some())
            .map(|(path, id)| (path, *id))
            .collect();
        let Some((_, id)) = candidates.first() else {
            missing.push(file.clone());
            continue;
        };
        if candidates.iter().any(|(_, other)| other != id) {
            return Err(SourceError::References {
                label: instance.label.to_string(),
                file: file.clone(),
                found: candidates
                    .into_iter()
                    .map(|(path, _)| path.clone())
                    .collect(),
            });
        }
        found.insert(String::from_utf8_lossy(file.file_name()).into_owned(), *id);
    }
    Ok((found, missing))
}
