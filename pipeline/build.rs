//! The catalog is embedded from a folder, of which the compiler notices changed files but not new
//! ones.

fn main() {
    println!("cargo::rerun-if-changed=../candidates");
}
