//! The store beside the plain tools that move the same bytes: put against `cp` and `sync`, get
//! against `b3sum`. Prints ratios of throughput; above 1 the store is the faster one.
//!
//! `cargo bench -p artifacts`. Rounds alternate between both sides, a ratio is that of the medians.
//! Everything happens in cargo's target folder, so on the disk that holds it.

use artifacts::store::Store;
use artifacts::{ArtifactId, Stage};
use std::error::Error;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const ROUNDS: usize = 5;

/// Sizes of the two loads.
struct Scale {
    large_bytes: u64,
    small_files: usize,
    steps: usize,
}

fn main() -> Result<()> {
    // Without cargo's word for it, this is a test run that only sees whether it still works.
    let scale = if std::env::args().any(|arg| arg == "--bench") {
        Scale {
            large_bytes: 512 << 20,
            small_files: 2000,
            steps: 5000,
        }
    } else {
        Scale {
            large_bytes: 4 << 20,
            small_files: 20,
            steps: 10,
        }
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let data = make_data(folder.path(), &scale)?;
    put(folder.path(), &data)?;
    get(folder.path(), &data)?;
    find(folder.path(), scale.steps)
}

struct Data {
    large: PathBuf,
    small: PathBuf,
    small_files: Vec<PathBuf>,
}

/// Bytes that nothing can compress: BLAKE3's own output.
fn make_data(folder: &Path, scale: &Scale) -> Result<Data> {
    let mut noise = blake3::Hasher::new().finalize_xof();
    let large = folder.join("large");
    let mut file = std::fs::File::create(&large)?;
    let mut piece = vec![0; 1 << 20];
    for _ in 0..scale.large_bytes >> 20 {
        noise.fill(&mut piece);
        file.write_all(&piece)?;
    }
    let small = folder.join("small");
    std::fs::create_dir(&small)?;
    let mut small_files = Vec::new();
    for n in 0..scale.small_files {
        let path = small.join(format!("{n:04}"));
        noise.fill(&mut piece[..4096]);
        std::fs::write(&path, &piece[..4096])?;
        small_files.push(path);
    }
    run("sync", &[])?;
    Ok(Data {
        large,
        small,
        small_files,
    })
}

fn put(folder: &Path, data: &Data) -> Result<()> {
    let target = folder.join("target");
    let copy = |from: &Path| -> Result<()> {
        run("cp", &["-r".as_ref(), from.as_ref(), target.as_ref()])?;
        run("sync", &[])
    };
    let clean = || -> Result<()> {
        for path in [&target, &folder.join("store")] {
            match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(path)?,
                Ok(_) => std::fs::remove_file(path)?,
                Err(_) => {}
            }
        }
        run("sync", &[])
    };
    let new_store = || Store::create_or_open(&folder.join("store"));
    compare(
        "put one large file / cp and sync",
        &clean,
        || copy(&data.large),
        || {
            new_store()?.put_file(&data.large)?;
            Ok(())
        },
    )?;
    compare(
        "put small files as a batch / cp -r and sync",
        &clean,
        || copy(&data.small),
        || {
            let store = new_store()?;
            let mut batch = store.batch();
            for path in &data.small_files {
                batch.put_reader(&mut std::fs::File::open(path)?)?;
            }
            Ok(batch.commit()?)
        },
    )?;
    compare(
        "put small files one by one / cp -r and sync",
        &clean,
        || copy(&data.small),
        || {
            let store = new_store()?;
            for path in &data.small_files {
                store.put_file(path)?;
            }
            Ok(())
        },
    )?;
    clean()
}

fn get(folder: &Path, data: &Data) -> Result<()> {
    if Command::new("b3sum")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        println!("get / b3sum: skipped, b3sum is not installed");
        return Ok(());
    }
    let store = Store::create_or_open(&folder.join("store"))?;
    let large = store.put_file(&data.large)?;
    let small: Vec<ArtifactId> = data
        .small_files
        .iter()
        .map(|path| store.put_file(path))
        .collect::<std::result::Result<_, _>>()?;
    let nothing = || Ok(());
    let b3sum_large = || run("b3sum", &[data.large.as_ref()]);
    compare(
        "get a large artifact's file / b3sum",
        &nothing,
        b3sum_large,
        || {
            store.open_verified(large)?;
            Ok(())
        },
    )?;
    compare(
        "get a large artifact into memory / b3sum",
        &nothing,
        b3sum_large,
        || {
            store.get(large)?;
            Ok(())
        },
    )?;
    let files: Vec<&std::ffi::OsStr> = data.small_files.iter().map(|path| path.as_ref()).collect();
    compare(
        "get small artifacts / b3sum of all",
        &nothing,
        || run("b3sum", &files),
        || {
            for id in &small {
                store.get(*id)?;
            }
            Ok(())
        },
    )?;
    compare(
        "verify the store / b3sum of all",
        &nothing,
        || {
            b3sum_large()?;
            run("b3sum", &files)
        },
        || {
            let report = store.verify()?;
            if report.problems.is_empty() {
                Ok(())
            } else {
                Err("the store is not sound".into())
            }
        },
    )
}

/// How long it takes to find that nothing need run.
fn find(folder: &Path, steps: usize) -> Result<()> {
    let store = Store::create_or_open(&folder.join("steps"))?;
    let mut keys = Vec::new();
    for n in 0..steps {
        let receipt = receipt(&store, n)?;
        store.record(&receipt)?;
        keys.push(receipt.key);
    }
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let (index, presence) = (store.index()?, store.presence()?);
        let found = keys
            .iter()
            .filter(|key| index.find(key, &presence).is_some())
            .count();
        times.push(start.elapsed());
        if found != steps {
            return Err("recorded steps were not found".into());
        }
    }
    println!(
        "read the index and find {steps} steps current: {:.1?}",
        median(times)
    );
    Ok(())
}

fn receipt(store: &Store, n: usize) -> Result<artifacts::Receipt> {
    let id = store.put_bytes(format!("output {n}").as_bytes())?;
    let material = artifacts::KeyMaterial {
        stage: Stage::Time,
        stage_version: 1,
        inputs: [("library".to_owned(), id)].into(),
        parameters: Default::default(),
        facets: Default::default(),
    };
    Ok(artifacts::Receipt {
        header: artifacts::receipt::RECEIPT.header(),
        key: material.key(),
        subject: artifacts::receipt::Subject {
            system: artifacts::SystemId::new("local")?,
            candidate: None,
            instance: None,
            operation: None,
        },
        material,
        outputs: [("record".to_owned(), id), ("log".to_owned(), id)].into(),
        outcome: artifacts::Outcome::done(),
        started_utc: Default::default(),
        ended_utc: Default::default(),
        observations: Default::default(),
        tools: Default::default(),
        unknown: Default::default(),
    })
}

/// Prints how much more one side gets done than the other in the same time.
fn compare(
    what: &str,
    before: &dyn Fn() -> Result<()>,
    theirs: impl Fn() -> Result<()>,
    ours: impl Fn() -> Result<()>,
) -> Result<()> {
    let (mut their_times, mut our_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        before()?;
        their_times.push(timed(&theirs)?);
        before()?;
        our_times.push(timed(&ours)?);
    }
    let (theirs, ours) = (median(their_times), median(our_times));
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("{what}: {ratio:.2} ({ours:.1?} / {theirs:.1?})");
    Ok(())
}

fn timed(work: &impl Fn() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn run(program: &str, arguments: &[&std::ffi::OsStr]) -> Result<()> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut output) = child.stdout.take() {
        output.read_to_end(&mut Vec::new())?;
    }
    if child.wait()?.success() {
        Ok(())
    } else {
        Err(format!("{program} failed").into())
    }
}
