//! Evidence formats.
