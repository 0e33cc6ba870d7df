//! The ICCS helpers against the vectors of an independent model.

use crate::toolchain::{ARM, HOST, Objects, Target, c_files, shared, sources};
use std::io::Write;
use std::process::{Command, Stdio};

fn every_vector(target: Target) {
    let Some(path) = shared("vectors/iccs.json") else {
        return;
    };
    let vectors: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let (mut questions, mut answers) = (String::new(), Vec::new());
    for helper in vectors["helpers"].as_array().unwrap() {
        let input = text(&helper["in_hex"]);
        questions += &format!(
            "{} {} {} {}\n",
            text(&helper["fn"]),
            helper["in_bits"],
            helper["out_bits"],
            if input.is_empty() { "-" } else { &input }
        );
        answers.push(text(&helper["out_hex"]));
    }
    for generator in vectors["drng"].as_array().unwrap() {
        questions += &format!("seed {}\n", text(&generator["seed_hex"]));
        for draw in generator["draws"].as_array().unwrap() {
            questions += &format!("draw {}\n", draw["bits"]);
            answers.push(text(&draw["out_hex"]));
        }
    }
    assert!(answers.len() > 80);

    let mut objects = Objects::new(target);
    let iccs = sources().join("iccs");
    objects.add(&c_files(&iccs), &["-Werror"], &[]);
    objects.add(&[sources().join("tests/vectors.c")], &["-Werror"], &[&iccs]);
    let program = objects.link("vectors", &[]);
    let mut command = match target.runner {
        [] => Command::new(&program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(&program);
            command
        }
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().collect::<Vec<_>>(), answers);
}

#[test]
fn helpers_give_every_vector() {
    every_vector(HOST);
}

#[test]
fn helpers_give_every_vector_on_aarch64() {
    if ARM.is_here() {
        every_vector(ARM);
    }
}

/// All C of ours, by every compiler installed.
#[test]
fn no_compiler_warns() {
    for compiler in ["gcc-11", "gcc-12", "clang-14", "clang"] {
        let target = Target {
            compiler,
            runner: &[],
        };
        if !target.is_here() {
            continue;
        }
        crate::toolchain::build_probe(target);
        let wrapped = ["pseudohash", "pseudoXOF", "sm3hash", "get_random_number"];
        crate::toolchain::toy(target, "kem", &[], &wrapped);
        crate::toolchain::toy(target, "hash", &["ASSAY_NO_DRNG"], &[]);
    }
}
