//! What containment costs at start-up: `/bin/true` launched contained and bare.
fn main() {}
