//! The probe's sources are embedded from a folder, of which the compiler notices changed files but
//! not new ones.

fn main() {
    println!("cargo::rerun-if-changed=../probe");
}
