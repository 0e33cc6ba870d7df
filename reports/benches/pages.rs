//! Replaced by its owner.

fn main() {}
