//! The store from outside: what it promises, and what happens when something goes wrong.

#[cfg(test)]
mod campaigns;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod imports;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod support;
#[cfg(test)]
mod take;
#[cfg(test)]
mod versions;
