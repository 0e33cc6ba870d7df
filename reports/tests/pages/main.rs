//! Pages against the published ones: built from published evidence, read, and written again.

#[cfg(test)]
mod dataset;
#[cfg(test)]
mod identity;
#[cfg(test)]
mod kinds;
#[cfg(test)]
mod own;
#[cfg(test)]
mod read_seeds;
#[cfg(test)]
mod seeds;
#[cfg(test)]
mod words;
