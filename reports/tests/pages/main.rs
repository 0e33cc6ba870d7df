//! Pages against the published ones: built from published evidence, read, and written again.

mod dataset;
mod identity;
mod kinds;
mod own;
mod read_seeds;
mod seeds;
mod words;
